/* The decoder of compressed views, by libmeshoptimizer where it is built in. */
#include "gltf/internal.h"

#if defined(SN_WITH_MESHOPT)
#include <meshoptimizer.h>

/* Arguments are checked by the caller; the library only asserts them. */
static bool decode(void *user, uint32_t buffer_view, uint8_t *out, size_t count, size_t stride,
                   const uint8_t *source, size_t source_size, int mode, int filter) {
    (void)user;
    (void)buffer_view;
    if (count == 0)
        return true;
    int failed = 1;
    switch (mode) {
    case 0:
        failed = meshopt_decodeVertexBuffer(out, count, stride, source, source_size);
        break;
    case 1:
        failed = meshopt_decodeIndexBuffer(out, count, stride, source, source_size);
        break;
    case 2:
        failed = meshopt_decodeIndexSequence(out, count, stride, source, source_size);
        break;
    }
    if (failed)
        return false;
    switch (filter) {
    case 0:
        return true;
    case 1:
        meshopt_decodeFilterOct(out, count, stride);
        return true;
    case 2:
        meshopt_decodeFilterQuat(out, count, stride);
        return true;
    case 3:
        meshopt_decodeFilterExp(out, count, stride);
        return true;
    default:
        return false; /* COLOR: newer than the library's first release that is packaged widely */
    }
}

const sn_view_decoder *sn_view_decoder_meshopt(void) {
    static const sn_view_decoder decoder = {decode, NULL};
    return &decoder;
}
#else
const sn_view_decoder *sn_view_decoder_meshopt(void) {
    return NULL;
}
#endif
