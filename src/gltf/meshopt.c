/* The decoder of compressed views, by libmeshoptimizer where it is built in. */
#include "gltf/internal.h"

#if defined(SN_WITH_MESHOPT)
#include "gltf/meshopt_attributes.h"
#include <meshoptimizer.h>

/* Arguments are checked by the caller; the library only asserts them. */
static bool decode(void *user, uint32_t buffer_view, uint8_t *out, size_t count, size_t stride,
                   const uint8_t *source, size_t source_size, int mode) {
    (void)user;
    (void)buffer_view;
    if (count == 0)
        return true;
    switch (mode) {
    case 0:
        if (source_size && source[0] == SN_MESHOPT_ATTRIBUTES_1)
            return sn_meshopt_decode_attributes(out, count, stride, source, source_size);
        return meshopt_decodeVertexBuffer(out, count, stride, source, source_size) == 0;
    case 1:
        return meshopt_decodeIndexBuffer(out, count, stride, source, source_size) == 0;
    default:
        return meshopt_decodeIndexSequence(out, count, stride, source, source_size) == 0;
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
