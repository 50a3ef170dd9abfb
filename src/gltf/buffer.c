/* Buffers, where their bytes come from, and buffer views (glTF 2.0, 3.6.1). */
#include <string.h>

#include "base/error.h"
#include "gltf/internal.h"

/* ---- Buffers ---- */

/* The first buffer that is in the file of this path: `buffer` itself, unless an earlier one is. */
static sn_gltf_buffer *find_file(sn_reader *r, sn_gltf_buffer *buffer) {
    size_t mask = 15, count = r->gltf->count[SN_ROOT_BUFFERS];
    while (mask < 2 * count)
        mask = 2 * mask + 1;
    if (!r->files)
        r->files = SN_ARENA_NEW(r->arena, sn_gltf_buffer *, mask + 1);
    if (!r->files)
        return NULL;
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *p = buffer->path; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    size_t at = hash & mask;
    while (r->files[at] && strcmp(r->files[at]->path, buffer->path) != 0)
        at = (at + 1) & mask;
    if (!r->files[at])
        r->files[at] = buffer;
    return r->files[at];
}

/* However many buffers name a file, it is read once: else a small file could ask for much memory,
 * and what the loader brings raises the limit. */
static sn_result load_external(sn_reader *r, sn_gltf_buffer *buffer, uint32_t uri) {
    const sn_gltf_buffer *first = find_file(r, buffer);
    if (!first)
        return sn_reader_no_memory(r);
    if (first != buffer) {
        buffer->kind = SN_BUFFER_EXTERNAL;
        buffer->bytes = first->bytes;
        buffer->available = first->available;
        return SN_OK;
    }
    const sn_resource_loader *loader = &r->options->loader;
    if (!loader->load)
        return sn_reader_fail(r, SN_MESSAGE_IO_READ, uri,
                              "the file beside it, %s, cannot be read here", buffer->path);
    uint8_t *bytes = NULL;
    size_t size = 0;
    sn_result result =
        loader->load(loader->user, buffer->path, &r->gltf->resources, &bytes, &size, r->error);
    if (result == SN_ERROR_MEMORY)
        return sn_reader_no_memory(r);
    if (result) {
        if (r->error && !r->error->pointer[0])
            sn_json_pointer(r->json, uri, r->error->pointer, sizeof r->error->pointer);
        return result;
    }
    buffer->kind = SN_BUFFER_EXTERNAL;
    buffer->bytes = bytes;
    buffer->available = size;
    buffer->loaded = bytes != NULL;
    return SN_OK;
}

static sn_result load_uri(sn_reader *r, sn_gltf_buffer *buffer, uint32_t uri) {
    const char *reason;
    size_t length;
    const char *string = sn_reader_text(r, uri, &length);
    if (!string)
        return sn_reader_no_memory(r);
    if (sn_uri_is_data(string, length)) {
        buffer->kind = SN_BUFFER_EMBEDDED;
        buffer->bytes = sn_uri_decode_data(string, length, r->arena, &buffer->available, &reason);
    } else {
        buffer->path = sn_uri_decode_path(string, length, r->arena, &reason);
        if (buffer->path)
            return load_external(r, buffer, uri);
    }
    if (reason)
        return sn_reader_fail(r, SN_MESSAGE_BUFFER_URI, uri, "the URI cannot be used: %s", reason);
    return buffer->bytes ? SN_OK : sn_reader_no_memory(r);
}

static sn_result read_buffer(sn_reader *r, uint32_t value, uint32_t index) {
    enum { URI, BYTE_LENGTH, EXTENSIONS, COUNT };
    static const sn_member members[COUNT] = {
        [URI] = SN_MEMBER("uri", SN_IS(STRING)),
        [BYTE_LENGTH] = SN_MEMBER("byteLength", SN_IS(NUMBER) | SN_REQUIRED),
        [EXTENSIONS] = SN_MEMBER("extensions", SN_IS(OBJECT)),
    };
    sn_gltf *gltf = r->gltf;
    sn_gltf_buffer *buffer = &gltf->buffers[index];
    uint32_t values[COUNT];
    uint64_t length = 0;
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (!result)
        result = sn_reader_size(r, values[BYTE_LENGTH], SIZE_MAX / 2, &length);
    if (result)
        return result;
    buffer->value = value;
    buffer->length = (size_t)length;
    if (values[URI] != SN_NONE) {
        result = load_uri(r, buffer, values[URI]);
        if (result)
            return result;
    } else if (index == 0 && gltf->chunk_count > 1 && gltf->chunks[1].type == SN_GLB_BIN) {
        buffer->kind = SN_BUFFER_BINARY;
        buffer->bytes = gltf->bytes + gltf->chunks[1].offset;
        buffer->available = gltf->chunks[1].length;
        if (buffer->available > buffer->length && buffer->available - buffer->length > 3)
            sn_reader_warn(r, SN_MESSAGE_BUFFER_BOUNDS, values[BYTE_LENGTH],
                           "the binary chunk has %z bytes more than the buffer",
                           buffer->available - buffer->length);
    }
    if (buffer->kind != SN_BUFFER_NONE && buffer->available < buffer->length)
        return sn_reader_fail(r, SN_MESSAGE_BUFFER_BOUNDS, values[BYTE_LENGTH],
                              "the buffer has only %z of these %z bytes", buffer->available,
                              buffer->length);
    return SN_OK;
}

sn_result sn_reader_buffers(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    uint32_t count = gltf->count[SN_ROOT_BUFFERS];
    gltf->buffers = SN_ARENA_NEW(r->arena, sn_gltf_buffer, count);
    if (!gltf->buffers)
        return sn_reader_no_memory(r);
    uint32_t value = gltf->root[SN_ROOT_BUFFERS] + 1;
    for (uint32_t i = 0; i < count; i++, value = r->json->nodes[value].next) {
        sn_result result = read_buffer(r, value, i);
        if (result)
            return result;
    }
    return SN_OK;
}

/* ---- Views ---- */

static sn_result check_stride(sn_reader *r, uint32_t value, uint32_t *stride) {
    uint64_t number = 0;
    sn_result result = sn_reader_size(r, value, UINT32_MAX, &number);
    if (!result && value != SN_NONE && (number < 4 || number > 252 || number % 4))
        sn_reader_warn(r, SN_MESSAGE_BUFFER_VIEW_STRIDE, value,
                       "a byteStride is a multiple of 4 from 4 to 252");
    *stride = (uint32_t)number;
    return result;
}

static sn_result read_view(sn_reader *r, uint32_t value, sn_gltf_view *view) {
    enum { BUFFER, BYTE_OFFSET, BYTE_LENGTH, BYTE_STRIDE, EXTENSIONS, COUNT };
    static const sn_member members[COUNT] = {
        [BUFFER] = SN_MEMBER("buffer", SN_IS(NUMBER) | SN_REQUIRED),
        [BYTE_OFFSET] = SN_MEMBER("byteOffset", SN_IS(NUMBER)),
        [BYTE_LENGTH] = SN_MEMBER("byteLength", SN_IS(NUMBER) | SN_REQUIRED),
        [BYTE_STRIDE] = SN_MEMBER("byteStride", SN_IS(NUMBER)),
        [EXTENSIONS] = SN_MEMBER("extensions", SN_IS(OBJECT)),
    };
    const sn_gltf *gltf = r->gltf;
    uint32_t values[COUNT];
    sn_result result = sn_reader_members(r, value, members, COUNT, values);
    if (!result)
        result = sn_reader_index(r, values[BUFFER], gltf->count[SN_ROOT_BUFFERS], "buffer",
                                 &view->buffer);
    if (result)
        return result;
    uint64_t offset = 0, length = 0;
    result = sn_reader_size(r, values[BYTE_OFFSET], UINT64_MAX, &offset);
    if (!result)
        result = sn_reader_size(r, values[BYTE_LENGTH], UINT64_MAX, &length);
    if (!result)
        result = check_stride(r, values[BYTE_STRIDE], &view->stride);
    if (result)
        return result;
    const sn_gltf_buffer *buffer = &gltf->buffers[view->buffer];
    if (offset > buffer->length || length > buffer->length - offset)
        return sn_reader_fail(r, SN_MESSAGE_BUFFER_VIEW_BOUNDS, values[BYTE_LENGTH],
                              "the view ends at byte %g, its buffer has %z",
                              (double)offset + (double)length, buffer->length);
    view->value = value;
    view->offset = (size_t)offset;
    view->length = (size_t)length;
    view->compression = sn_extension_of(r->json, values[EXTENSIONS], "KHR_meshopt_compression");
    if (view->compression == SN_NONE)
        view->compression = sn_extension_of(r->json, values[EXTENSIONS], "EXT_meshopt_compression");
    return SN_OK;
}

sn_result sn_reader_views(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    uint32_t count = gltf->count[SN_ROOT_BUFFER_VIEWS];
    gltf->views = SN_ARENA_NEW(r->arena, sn_gltf_view, count);
    if (!gltf->views)
        return sn_reader_no_memory(r);
    uint32_t value = gltf->root[SN_ROOT_BUFFER_VIEWS] + 1;
    for (uint32_t i = 0; i < count; i++, value = r->json->nodes[value].next) {
        sn_result result = read_view(r, value, &gltf->views[i]);
        if (result)
            return result;
    }
    return SN_OK;
}

/* ---- Compressed views (EXT_meshopt_compression, KHR_meshopt_compression) ---- */

static int word_of(const sn_json *json, uint32_t value, const char *const *words, int count) {
    for (int i = 0; i < count; i++)
        if (sn_json_equals(json, value, words[i]))
            return i;
    return -1;
}

/* A decoded view's bytes, so that their number fits size_t of 32 bits too. */
#define SN_MOST_DECODED ((uint64_t)INT32_MAX)
/* The most that one compressed byte gives: attributes of version 1 take at least a byte for 4 byte
 * positions of a block of 256 elements. A host that decodes asks for no more memory than that. */
#define SN_MOST_EXPANDED 1024

static sn_result read_compression(sn_reader *r, const sn_gltf_view *view, sn_compressed_view *c) {
    enum { BUFFER, BYTE_OFFSET, BYTE_LENGTH, BYTE_STRIDE, ELEMENTS, MODE, FILTER, COUNT };
    static const sn_member members[COUNT] = {
        [BUFFER] = SN_MEMBER("buffer", SN_IS(NUMBER) | SN_REQUIRED),
        [BYTE_OFFSET] = SN_MEMBER("byteOffset", SN_IS(NUMBER)),
        [BYTE_LENGTH] = SN_MEMBER("byteLength", SN_IS(NUMBER) | SN_REQUIRED),
        [BYTE_STRIDE] = SN_MEMBER("byteStride", SN_IS(NUMBER) | SN_REQUIRED),
        [ELEMENTS] = SN_MEMBER("count", SN_IS(NUMBER) | SN_REQUIRED),
        [MODE] = SN_MEMBER("mode", SN_IS(STRING) | SN_REQUIRED),
        [FILTER] = SN_MEMBER("filter", SN_IS(STRING)),
    };
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL",
                                          "COLOR"};
    const sn_gltf *gltf = r->gltf;
    uint32_t values[COUNT], index;
    uint64_t offset = 0, length = 0, stride = 0, count = 0;
    sn_result result = sn_reader_members(r, view->compression, members, COUNT, values);
    if (!result)
        result = sn_reader_index(r, values[BUFFER], gltf->count[SN_ROOT_BUFFERS], "buffer", &index);
    if (!result)
        result = sn_reader_size(r, values[BYTE_OFFSET], UINT64_MAX, &offset);
    if (!result)
        result = sn_reader_size(r, values[BYTE_LENGTH], UINT64_MAX, &length);
    if (!result)
        result = sn_reader_size(r, values[BYTE_STRIDE], 256, &stride);
    if (!result)
        result = sn_reader_size(r, values[ELEMENTS], UINT32_MAX, &count);
    if (result)
        return result;
    const sn_gltf_buffer *buffer = &gltf->buffers[index];
    if (offset > buffer->length || length > buffer->length - offset)
        return sn_reader_fail(r, SN_MESSAGE_BUFFER_VIEW_BOUNDS, values[BYTE_LENGTH],
                              "the compressed bytes end at %g, their buffer has %z",
                              (double)offset + (double)length, buffer->length);
    c->buffer = index;
    c->source = buffer->bytes ? buffer->bytes + offset : NULL;
    c->source_size = (size_t)length;
    c->count = (size_t)count;
    c->stride = (size_t)stride;
    c->mode = word_of(r->json, values[MODE], modes, 3);
    c->filter = values[FILTER] == SN_NONE ? 0 : word_of(r->json, values[FILTER], filters, 5);
    /* What the extension demands of each mode and filter, and decoders rely on. */
    bool good = c->filter >= 0;
    if (c->mode == 0)
        good &= stride > 0 && stride % 4 == 0;
    else
        good &= (stride == 2 || stride == 4) && c->filter == 0;
    good &= c->mode >= 0 && (c->mode != 1 || count % 3 == 0);
    good &= (c->filter != 1 && c->filter != 4) || stride == 4 || stride == 8;
    good &= c->filter != 2 || stride == 8;
    if (!good)
        return sn_reader_fail(r, SN_MESSAGE_MESHOPT_DATA, view->compression,
                              "mode, filter, byteStride and count do not go together");
    if (count > SN_MOST_DECODED / stride)
        return sn_reader_fail(r, SN_MESSAGE_LIMIT_SIZE, values[ELEMENTS],
                              "%g elements of %z bytes are more than there can be memory for",
                              (double)count, c->stride);
    if (count * stride / SN_MOST_EXPANDED > length)
        return sn_reader_fail(r, SN_MESSAGE_MESHOPT_DATA, view->compression,
                              "%z compressed bytes cannot hold %g elements of %z bytes",
                              c->source_size, (double)count, c->stride);
    if (count * stride != view->length)
        return sn_reader_fail(r, SN_MESSAGE_BUFFER_VIEW_BOUNDS, values[ELEMENTS],
                              "%z elements of %z bytes do not make the %z bytes of the view",
                              c->count, c->stride, view->length);
    return SN_OK;
}

/* A host may fill such a buffer itself (3.6.1.1); for Sinew it holds zeros. */
static void warn_missing(sn_reader *r, sn_gltf_view *view, uint32_t buffer) {
    if (!view->warned)
        sn_reader_warn(r, SN_MESSAGE_BUFFER_MISSING, view->value,
                       "buffer %u, which this view is on, has no bytes: it has no uri, and no "
                       "binary chunk is for it",
                       buffer);
    view->warned = true;
}

static sn_result decompress(sn_reader *r, uint32_t index) {
    sn_gltf_view *view = &r->gltf->views[index];
    sn_compressed_view c = {0};
    sn_result result = read_compression(r, view, &c);
    if (result)
        return result;
    if (!c.source) {
        warn_missing(r, view, c.buffer);
        return SN_OK;
    }
    const sn_view_decoder *decoder =
        r->options->decoder ? r->options->decoder : sn_view_decoder_meshopt();
    if (!decoder)
        return sn_reader_fail(r, SN_MESSAGE_MESHOPT_DATA, view->compression,
                              "this build of Sinew has no decoder of compressed views");
    uint8_t *out = SN_ARENA_NEW(r->arena, uint8_t, c.count *c.stride);
    if (!out)
        return sn_reader_no_memory(r);
    if (!decoder->decode(decoder->user, index, out, c.count, c.stride, c.source, c.source_size,
                         c.mode))
        return sn_reader_fail(r, SN_MESSAGE_MESHOPT_DATA, view->compression,
                              "the compressed bytes cannot be decoded");
    sn_meshopt_unfilter(out, c.count, c.stride, (sn_meshopt_filter)c.filter);
    view->decoded = out;
    return SN_OK;
}

sn_result sn_reader_view_bytes(sn_reader *r, uint32_t index, const uint8_t **out) {
    sn_gltf_view *view = &r->gltf->views[index];
    if (view->compression != SN_NONE) {
        sn_result result = view->decoded ? SN_OK : decompress(r, index);
        *out = view->decoded;
        return result;
    }
    const sn_gltf_buffer *buffer = &r->gltf->buffers[view->buffer];
    *out = buffer->bytes ? buffer->bytes + view->offset : NULL;
    if (!*out)
        warn_missing(r, view, view->buffer);
    return SN_OK;
}

/* ---- Files beside this one ---- */

/* Appends the decoded path of an object's uri; nothing for data: and for none. A path that cannot
 * be used is an error, or passed over with `lenient`. */
static sn_result add_path(sn_reader *r, uint32_t object, bool lenient, const char **paths,
                          size_t *count) {
    uint32_t uri = sn_json_member(r->json, object, "uri");
    if (uri == SN_NONE || r->json->nodes[uri].type != SN_JSON_STRING)
        return SN_OK;
    size_t length;
    const char *reason = NULL, *string = sn_reader_text(r, uri, &length);
    if (!string)
        return sn_reader_no_memory(r);
    if (sn_uri_is_data(string, length))
        return SN_OK;
    paths[*count] = sn_uri_decode_path(string, length, r->arena, &reason);
    if (reason)
        return lenient ? SN_OK
                       : sn_reader_fail(r, SN_MESSAGE_BUFFER_URI, uri, "the URI cannot be used: %s",
                                        reason);
    return paths[(*count)++] ? SN_OK : sn_reader_no_memory(r);
}

static sn_result list_paths(sn_reader *r, uint32_t array, bool lenient, const char ***paths,
                            size_t *count) {
    uint32_t most = array == SN_NONE ? 0 : r->json->nodes[array].count;
    *count = 0;
    *paths = SN_ARENA_NEW(r->arena, const char *, most);
    if (!*paths)
        return sn_reader_no_memory(r);
    uint32_t object = array + 1;
    for (uint32_t i = 0; i < most; i++, object = r->json->nodes[object].next) {
        sn_result result = add_path(r, object, lenient, *paths, count);
        if (result)
            return result;
    }
    return SN_OK;
}

sn_result sn_reader_images(sn_reader *r) {
    return list_paths(r, r->gltf->root[SN_ROOT_IMAGES], true, &r->gltf->image_paths,
                      &r->gltf->image_path_count);
}

size_t sn_gltf_image_paths(const sn_gltf *gltf, const char *const **out) {
    *out = gltf->image_paths;
    return gltf->image_path_count;
}

size_t sn_gltf_view_count(const sn_gltf *gltf) {
    return gltf->count[SN_ROOT_BUFFER_VIEWS];
}

bool sn_gltf_view_is_compressed(const sn_gltf *gltf, uint32_t buffer_view) {
    return gltf->views[buffer_view].compression != SN_NONE;
}

sn_result sn_gltf_compressed_view(const sn_gltf *gltf, uint32_t buffer_view,
                                  sn_compressed_view *out, sn_error *error) {
    sn_gltf_options options = {0};
    sn_gltf reading = *gltf; /* what is read here leaves nothing behind */
    sn_reader r = {.gltf = &reading,
                   .json = &reading.json,
                   .arena = &reading.arena,
                   .options = &options,
                   .error = error};
    return read_compression(&r, &gltf->views[buffer_view], out);
}

sn_result sn_gltf_list_resources(const void *bytes, size_t size, sn_arena *arena,
                                 const char ***paths, size_t *count, sn_error *error) {
    sn_gltf gltf = {.bytes = bytes, .size = size};
    sn_budget_init(&gltf.budget, arena->allocator, SIZE_MAX);
    sn_gltf_options options = {0};
    sn_reader r = {
        .gltf = &gltf, .json = &gltf.json, .arena = arena, .options = &options, .error = error};
    const char *text;
    size_t length;
    sn_result result = sn_reader_container(&r, &text, &length);
    if (!result)
        result = sn_json_parse(text, length, arena, &gltf.json, error);
    if (!result)
        result = sn_reader_members(&r, 0, sn_gltf_root_members, SN_ROOT_COUNT, gltf.root);
    return result ? result : list_paths(&r, gltf.root[SN_ROOT_BUFFERS], false, paths, count);
}
