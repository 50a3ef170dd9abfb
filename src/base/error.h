/* The one function through which every failure passes. Private to the library. */
#ifndef SN_BASE_ERROR_H
#define SN_BASE_ERROR_H

#include <stdarg.h>

#include "sinew/result.h"

/* Fills `error` (may be NULL) and returns the result that belongs to `id`. `pointer` may be NULL.
 * The text is built from `format`, which knows %s (string, NULL prints as ""), %u (uint32_t),
 * %z (size_t), %d (int), %g (double, up to 9 significant digits) and %%. No libc formatting: it
 * depends on the locale and would give the WebAssembly module imports. A text that does not fit
 * is cut at a UTF-8 boundary. */
sn_result sn_fail(sn_error *error, sn_message_id id, const char *pointer, const char *format, ...);

/* The same with a position in a text instead of a pointer. */
sn_result sn_fail_at(sn_error *error, sn_message_id id, uint32_t line, uint32_t column,
                     const char *format, ...);

/* The same formatting into `size` bytes, for texts that are no failure. Always NUL-terminated. */
void sn_format(char *out, size_t size, const char *format, ...);
void sn_format_list(char *out, size_t size, const char *format, va_list arguments);

#endif
