/* What sinew.wasm gives its host: the only file with export marks. web/core/native.ts is the other
 * side of this contract.
 *
 * Addresses and sizes are bytes in the module's memory. A call may grow the memory, which detaches
 * the host's views of it. A call that can fail returns an sn_result; session_error then says why.
 * Strings that the host passes are UTF-8 with a length; strings it gets end with a NUL. */
#include "crowd.h"
#include "session.h"

/* Only the linker knows these functions, so they have no prototypes elsewhere. */
#pragma clang diagnostic ignored "-Wmissing-prototypes"
#define EXPORT(name) __attribute__((export_name(#name)))

/* ---- The module ---- */

EXPORT(version) const char *export_version(void) {
    return SN_VERSION;
}

EXPORT(kernel) const char *export_kernel(void) {
    return sn_kernel_name(SN_KERNEL_SIMD4);
}

EXPORT(clip_time) float export_clip_time(float duration, double time, float speed, int mode) {
    return sn_clip_time(duration, time, speed, (sn_loop_mode)mode);
}

/* ---- Sessions: create, supply what the file names, open ---- */

EXPORT(session_create) session *export_session_create(size_t limit) {
    return session_create(sn_allocator_default(), limit);
}

EXPORT(session_free) void export_session_free(session *s) {
    session_free(s);
}

/* Bytes in use by the session. */
EXPORT(session_bytes) size_t export_session_bytes(const session *s) {
    return s->budget.used;
}

/* Memory for the host to write into; 0 when there is none. */
EXPORT(session_block) void *export_session_block(session *s, size_t size) {
    return session_block(s, size);
}

EXPORT(session_block_free) void export_session_block_free(session *s, void *memory, size_t size) {
    session_block_free(s, memory, size);
}

/* The bytes of the file; the block becomes the session's. */
EXPORT(session_give) void export_session_give(session *s, uint8_t *bytes, size_t size) {
    session_give(s, bytes, size);
}

/* The files that a .gltf names, as a JSON array of strings in session_text. */
EXPORT(session_list_resources) sn_result export_session_list_resources(session *s) {
    return describe_resources(s);
}

/* Both blocks become the session's, also on failure; `path` ends with a NUL. */
EXPORT(session_supply_file)
sn_result export_session_supply_file(session *s, char *path, size_t path_size, uint8_t *bytes,
                                     size_t size) {
    return session_supply_file(s, path, path_size, bytes, size);
}

EXPORT(session_open) sn_result export_session_open(session *s) {
    return session_open(s);
}

/* Opening failed because compressed buffer views are not decoded: list, decode and supply them,
 * then open again. */
EXPORT(session_lacks_views) bool export_session_lacks_views(const session *s) {
    return s->lacks_views;
}

/* JSON in session_text; addresses are good until the next session_open. */
EXPORT(session_list_views) sn_result export_session_list_views(session *s) {
    return session_list_views(s);
}

/* The block becomes the session's, also on failure. */
EXPORT(session_supply_view)
sn_result export_session_supply_view(session *s, uint32_t view, uint8_t *bytes, size_t size) {
    return session_supply_view(s, view, bytes, size);
}

EXPORT(session_is_binary) bool export_session_is_binary(const session *s) {
    return sn_gltf_is_binary(s->gltf);
}

/* ---- Text and errors ---- */

EXPORT(session_text) const char *export_session_text(const session *s) {
    return s->text.data;
}

EXPORT(session_text_length) size_t export_session_text_length(const session *s) {
    return s->text.length;
}

EXPORT(session_error_id) const char *export_session_error_id(const session *s) {
    return sn_message_name(s->error.id);
}

EXPORT(session_error_text) const char *export_session_error_text(const session *s) {
    return s->error.text;
}

EXPORT(session_error_pointer) const char *export_session_error_pointer(const session *s) {
    return s->error.pointer;
}

EXPORT(session_error_line) uint32_t export_session_error_line(const session *s) {
    return s->error.line;
}

EXPORT(session_error_column) uint32_t export_session_error_column(const session *s) {
    return s->error.column;
}

/* ---- Description: JSON in session_text ---- */

EXPORT(session_describe_model) sn_result export_session_describe_model(session *s) {
    return describe_model(s);
}

EXPORT(session_describe_clips) sn_result export_session_describe_clips(session *s) {
    return describe_clips(s);
}

EXPORT(session_check) sn_result export_session_check(session *s) {
    return describe_findings(s);
}

EXPORT(session_describe_modifiers)
sn_result export_session_describe_modifiers(session *s) {
    return describe_modifiers(s);
}

/* The rows of values of a track, 0 when there is no such track. */
EXPORT(session_track_values)
const float *export_session_track_values(session *s, uint32_t clip, uint32_t track) {
    const sn_track *found;
    return session_track(s, clip, track, &found) == SN_OK ? found->values : NULL;
}

/* ---- Evaluation: one call a frame ---- */

/* clip 0xFFFFFFFF: the rest pose. */
EXPORT(session_sample) sn_result export_session_sample(session *s, uint32_t clip, float time) {
    return session_sample(s, clip, time);
}

EXPORT(session_evaluate)
sn_result export_session_evaluate(session *s, uint32_t clip, float time, float seconds) {
    return session_evaluate(s, clip, time, seconds);
}

/* Where evaluations write; the addresses stay. 16 floats a matrix, column-major. */
EXPORT(session_world) const float *export_session_world(const session *s) {
    return s->world;
}

EXPORT(session_joint_matrices)
const float *export_session_joint_matrices(const session *s, uint32_t skin) {
    return s->joint_matrices[skin];
}

EXPORT(session_weights) const float *export_session_weights(session *s, uint32_t node) {
    uint32_t count;
    return sn_instance_weights(s->instance, node, &count);
}

/* Ten floats, until the next call: translation, rotation, scale. */
EXPORT(session_local) const float *export_session_local(session *s, uint32_t node) {
    const sn_skeleton *skeleton = sn_prepared_model_skeleton(s->prepared);
    sn_pose_get(skeleton, sn_instance_pose(s->instance), sn_skeleton_joint_of_node(skeleton, node),
                &s->transform);
    return s->transform.translation;
}

/* Three floats a vertex, at session_vertices; the count at session_vertex_count. */
EXPORT(session_skin) sn_result export_session_skin(session *s, uint32_t node, uint32_t primitive) {
    return session_skin(s, node, primitive);
}

EXPORT(session_vertices) const float *export_session_vertices(const session *s) {
    return s->vertices;
}

EXPORT(session_vertex_count) uint32_t export_session_vertex_count(const session *s) {
    return s->vertex_count;
}

/* ---- The document ---- */

/* Names the document now: differs from before exactly when an edit changed something. */
EXPORT(session_document) const sn_document *export_session_document(const session *s) {
    return sn_history_document(s->history);
}

EXPORT(session_apply)
sn_result export_session_apply(session *s, const char *command, size_t length) {
    return sn_history_apply(s->history, command, length, &s->error);
}

EXPORT(session_begin) void export_session_begin(session *s) {
    sn_history_begin(s->history);
}

EXPORT(session_end) void export_session_end(session *s) {
    sn_history_end(s->history);
}

EXPORT(session_cancel) void export_session_cancel(session *s) {
    sn_history_cancel(s->history);
}

EXPORT(session_undo) bool export_session_undo(session *s) {
    return sn_history_undo(s->history);
}

EXPORT(session_redo) bool export_session_redo(session *s) {
    return sn_history_redo(s->history);
}

/* A JSON array in session_text. */
EXPORT(session_describe_commands) sn_result export_session_describe_commands(session *s) {
    return describe_commands(s);
}

EXPORT(session_undo_count) size_t export_session_undo_count(const session *s) {
    return sn_history_undo_count(s->history);
}

EXPORT(session_redo_count) size_t export_session_redo_count(const session *s) {
    return sn_history_redo_count(s->history);
}

/* ---- Saving: files wait in the session until they are released ---- */

/* container 0: GLB, 1: .gltf */
EXPORT(session_save) sn_result export_session_save(session *s, int container) {
    return session_save(s, container == 0 ? SN_CONTAINER_GLB : SN_CONTAINER_GLTF);
}

EXPORT(session_output_count) size_t export_session_output_count(const session *s) {
    return s->output.file_count;
}

EXPORT(session_output_path) const char *export_session_output_path(const session *s, size_t i) {
    return s->output.files[i].path;
}

EXPORT(session_output_bytes)
const uint8_t *export_session_output_bytes(const session *s, size_t i) {
    return s->output.files[i].bytes;
}

EXPORT(session_output_size) size_t export_session_output_size(const session *s, size_t i) {
    return s->output.files[i].size;
}

EXPORT(session_output_release) void export_session_output_release(session *s) {
    session_release_output(s);
}

/* ---- Crowds ---- */

/* 0: no memory, session_error says so. A crowd is freed before its session. */
EXPORT(crowd_create) crowd *export_crowd_create(session *s, uint32_t count) {
    return crowd_create(s, count);
}

EXPORT(crowd_free) void export_crowd_free(crowd *c) {
    crowd_free(c);
}

EXPORT(crowd_evaluate) sn_result export_crowd_evaluate(crowd *c) {
    return crowd_evaluate(c);
}

/* What the host writes, one element a character: clip indices, seconds, 3x4 matrices of rows. */
EXPORT(crowd_clips) uint32_t *export_crowd_clips(crowd *c) {
    return c->clips;
}

EXPORT(crowd_times) float *export_crowd_times(crowd *c) {
    return c->times;
}

EXPORT(crowd_roots) float *export_crowd_roots(crowd *c) {
    return c->roots;
}

/* What it reads: for each character the joint matrices of all skins, 3x4, rows. */
EXPORT(crowd_joint_matrices) const float *export_crowd_joint_matrices(const crowd *c) {
    return c->joint_matrices[0].m[0];
}
