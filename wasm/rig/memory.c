/* Blocks of the host, and errors. */
#include <stdlib.h>

#include "export.h"
#include "sinew/result.h"

EXPORT(version) const char *export_version(void) {
    return SN_VERSION;
}

/* Zeroed; 0 when there is no memory. */
EXPORT(allocate) void *export_allocate(size_t size) {
    return calloc(1, size);
}

EXPORT(release) void export_release(void *block) {
    free(block);
}

EXPORT(error_size) size_t export_error_size(void) {
    return sizeof(sn_error);
}

EXPORT(error_id) const char *export_error_id(const sn_error *error) {
    return sn_message_name(error->id);
}

EXPORT(error_text) const char *export_error_text(const sn_error *error) {
    return error->text;
}
