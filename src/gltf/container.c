/* The two containers: plain JSON, and GLB (glTF 2.0, 4 GLB file format specification). */
#include <string.h>

#include "base/error.h"
#include "gltf/internal.h"

static uint32_t load_u32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Two passes over the chunk headers: the first counts (chunks NULL). */
static sn_result walk_chunks(sn_reader *r, sn_gltf_chunk *chunks, uint32_t *count) {
    const sn_gltf *gltf = r->gltf;
    size_t at = 12;
    uint32_t n = 0;
    while (at < gltf->declared) {
        if (gltf->declared - at < 8)
            return sn_fail(r->error, SN_MESSAGE_GLB_CHUNK, NULL,
                           "a chunk header takes 8 bytes, %z are left at byte %z",
                           gltf->declared - at, at);
        uint32_t length = load_u32(gltf->bytes + at), type = load_u32(gltf->bytes + at + 4);
        at += 8;
        if (length > gltf->declared - at)
            return sn_fail(r->error, SN_MESSAGE_GLB_CHUNK, NULL,
                           "chunk %u at byte %z is %u bytes long, the file holds %z more", n,
                           at - 8, length, gltf->declared - at);
        if (chunks)
            chunks[n] = (sn_gltf_chunk){type, at, length};
        at += length;
        n++;
    }
    *count = n;
    return SN_OK;
}

static sn_result check_chunks(sn_reader *r) {
    const sn_gltf *gltf = r->gltf;
    if (gltf->chunk_count == 0 || gltf->chunks[0].type != SN_GLB_JSON)
        return sn_fail(r->error, SN_MESSAGE_GLB_CHUNK, NULL, "the first chunk must be JSON");
    for (uint32_t i = 0; i < gltf->chunk_count; i++) {
        const sn_gltf_chunk *chunk = &gltf->chunks[i];
        if (i > 0 && chunk->type == SN_GLB_JSON)
            return sn_fail(r->error, SN_MESSAGE_GLB_CHUNK, NULL,
                           "chunk %u is a second JSON chunk; there must be one", i);
        if (i > 1 && chunk->type == SN_GLB_BIN)
            return sn_fail(r->error, SN_MESSAGE_GLB_CHUNK, NULL,
                           "chunk %u is BIN, which must be the second chunk and the only one", i);
        if (chunk->length % 4)
            sn_reader_warn(r, SN_MESSAGE_GLB_CHUNK, SN_NONE,
                           "chunk %u is %z bytes long, which is no multiple of 4", i,
                           chunk->length);
        if (chunk->type != SN_GLB_JSON && chunk->type != SN_GLB_BIN)
            sn_reader_warn(r, SN_MESSAGE_GLB_CHUNK, SN_NONE,
                           "chunk %u has an unknown type and is kept as it is", i);
    }
    return SN_OK;
}

sn_result sn_reader_container(sn_reader *r, const char **text, size_t *length) {
    sn_gltf *gltf = r->gltf;
    const uint8_t *bytes = gltf->bytes;
    *text = (const char *)bytes;
    *length = gltf->size;
    gltf->binary = gltf->size >= 4 && load_u32(bytes) == SN_GLB_MAGIC;
    if (!gltf->binary)
        return SN_OK;
    if (gltf->size < 12)
        return sn_fail(r->error, SN_MESSAGE_GLB_HEADER, NULL,
                       "a GLB header takes 12 bytes, the file has %z", gltf->size);
    uint32_t version = load_u32(bytes + 4);
    if (version != 2)
        return sn_fail(r->error, SN_MESSAGE_GLB_HEADER, NULL,
                       "this is GLB version %u; Sinew reads version 2", version);
    gltf->declared = load_u32(bytes + 8);
    if (gltf->declared > gltf->size)
        return sn_fail(r->error, SN_MESSAGE_GLB_HEADER, NULL,
                       "the header says %z bytes, the file has %z: it is cut short", gltf->declared,
                       gltf->size);
    if (gltf->declared < 12)
        return sn_fail(r->error, SN_MESSAGE_GLB_HEADER, NULL,
                       "the header says %z bytes, less than its own 12", gltf->declared);
    if (gltf->declared < gltf->size)
        sn_reader_warn(r, SN_MESSAGE_GLB_HEADER, SN_NONE,
                       "%z bytes follow the end that the header states; they are kept, not read",
                       gltf->size - gltf->declared);
    sn_result result = walk_chunks(r, NULL, &gltf->chunk_count);
    if (result)
        return result;
    gltf->chunks = SN_ARENA_NEW(r->arena, sn_gltf_chunk, gltf->chunk_count);
    if (!gltf->chunks)
        return sn_reader_no_memory(r);
    result = walk_chunks(r, gltf->chunks, &gltf->chunk_count);
    if (!result)
        result = check_chunks(r);
    if (result)
        return result;
    *text = (const char *)bytes + gltf->chunks[0].offset;
    *length = gltf->chunks[0].length;
    return SN_OK;
}

/* ---- Writing ---- */

static size_t padded(const sn_glb_chunk *chunk) {
    return chunk->verbatim ? chunk->size : (chunk->size + 3) & ~(size_t)3;
}

uint64_t sn_glb_size(const sn_glb_chunk *chunks, uint32_t count) {
    uint64_t total = 12;
    for (uint32_t i = 0; i < count; i++)
        total += 8 + (uint64_t)padded(&chunks[i]);
    return total;
}

static uint8_t *store_u32(uint8_t *p, uint32_t value) {
    for (int i = 0; i < 4; i++)
        *p++ = (uint8_t)(value >> (8 * i));
    return p;
}

void sn_glb_write(const sn_glb_chunk *chunks, uint32_t count, uint8_t *out) {
    out = store_u32(out, SN_GLB_MAGIC);
    out = store_u32(out, 2);
    out = store_u32(out, (uint32_t)sn_glb_size(chunks, count));
    for (uint32_t i = 0; i < count; i++) {
        const sn_glb_chunk *chunk = &chunks[i];
        size_t size = padded(chunk);
        out = store_u32(out, (uint32_t)size);
        out = store_u32(out, chunk->type);
        if (chunk->size)
            memcpy(out, chunk->bytes, chunk->size);
        memset(out + chunk->size, chunk->type == SN_GLB_JSON ? ' ' : 0, size - chunk->size);
        out += size;
    }
}
