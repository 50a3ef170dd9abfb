/* What sinew_rig.wasm gives its host: every file of this folder marks its own exports, one file a
 * module of the rig. web/three is the other side; a TypeScript file there has the same name and
 * lists the fields of the block that the C file defines, in the same order.
 *
 * Blocks hold only fields of four bytes and are allocated once, zeroed. Each frame the host writes
 * joints and inputs, calls one function, and reads joints and outputs. A call that can fail returns
 * an sn_result and says why in an sn_error of the host's; then it has changed nothing. No call but
 * `allocate`, `joints_create` and `humanoid_from_names` grows the memory. */
#ifndef SINEW_WASM_RIG_EXPORT_H
#define SINEW_WASM_RIG_EXPORT_H

#ifdef __wasm__
/* Only the linker knows these functions, so they have no prototypes elsewhere. */
#pragma clang diagnostic ignored "-Wmissing-prototypes"
#define EXPORT(name) __attribute__((export_name(#name)))
#else
#define EXPORT(name) /* tests/rig runs the same functions natively */
#endif

#endif
