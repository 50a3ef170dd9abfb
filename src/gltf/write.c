/* Writing: the steps, and the files that come of them. */
#include <string.h>

#include "base/error.h"
#include "base/uri.h"
#include "gltf/writer.h"

sn_result sn_writer_no_memory(sn_writer *w) {
    return sn_fail(w->error, SN_MESSAGE_MEMORY, NULL, "no memory to write the file");
}

/* ---- Output files ---- */

static void *resize(const sn_allocator *allocator, void *block, size_t old_size, size_t new_size) {
    return allocator->resize(allocator->user, block, old_size, new_size);
}

void sn_output_free(sn_output *output) {
    for (size_t i = 0; i < output->file_count; i++) {
        sn_output_file *file = &output->files[i];
        if (file->path)
            resize(output->allocator, file->path, strlen(file->path) + 1, 0);
        if (file->bytes)
            resize(output->allocator, file->bytes, file->size, 0);
    }
    if (output->files)
        resize(output->allocator, output->files, output->file_capacity * sizeof *output->files, 0);
    *output = (sn_output){.allocator = output->allocator};
}

/* A file whose `size` bytes the caller fills in. */
static bool add_file(sn_output *output, const char *path, size_t size, uint8_t **bytes) {
    sn_output_file *file = &output->files[output->file_count++];
    size_t path_size = strlen(path) + 1;
    file->path = resize(output->allocator, NULL, 0, path_size);
    if (!file->path)
        return false;
    memcpy(file->path, path, path_size);
    *bytes = NULL;
    if (size == 0)
        return true;
    *bytes = file->bytes = resize(output->allocator, NULL, 0, size);
    file->size = file->bytes ? size : 0;
    return file->bytes != NULL;
}

static bool add_copy(sn_output *output, const char *path, const void *source, size_t size) {
    uint8_t *bytes;
    if (!add_file(output, path, size, &bytes))
        return false;
    if (size)
        memcpy(bytes, source, size);
    return true;
}

/* ---- What becomes of each buffer ---- */

typedef enum destiny {
    AS_IT_IS, /* its member uri stays, and its bytes are in that or nowhere */
    AS_CHUNK, /* the GLB's binary chunk */
    AS_DATA,  /* a data: URI */
    AS_FILE   /* a file beside the main one */
} destiny;

typedef struct outcome {
    destiny where;
    bool new_uri;     /* the member uri has to change */
    const char *path; /* of the file */
    const uint8_t *bytes;
    size_t size;
} outcome;

static bool shares_path(const sn_gltf *gltf, uint32_t buffer) {
    for (uint32_t i = 0; i < gltf->count[SN_ROOT_BUFFERS]; i++)
        if (i != buffer && gltf->buffers[i].kind == SN_BUFFER_EXTERNAL &&
            !strcmp(gltf->buffers[i].path, gltf->buffers[buffer].path))
            return true;
    return false;
}

static destiny decide(const sn_writer *w, uint32_t index) {
    const sn_gltf *gltf = w->gltf;
    bool to_glb = w->options->container == SN_CONTAINER_GLB;
    if (index >= gltf->count[SN_ROOT_BUFFERS])
        return to_glb && index == 0 ? AS_CHUNK : AS_DATA;
    const sn_gltf_buffer *buffer = &gltf->buffers[index];
    bool into_glb = to_glb && !gltf->binary;
    switch (buffer->kind) {
    case SN_BUFFER_BINARY:
        return to_glb ? AS_CHUNK : AS_FILE;
    case SN_BUFFER_EMBEDDED:
        if (into_glb && index == 0)
            return AS_CHUNK;
        return w->buffers[index].changed ? AS_DATA : AS_IT_IS;
    case SN_BUFFER_EXTERNAL:
        if (into_glb)
            return index == 0 ? AS_CHUNK : AS_DATA;
        /* One file for several buffers: what changes goes its own way. */
        return w->buffers[index].changed && shares_path(gltf, index) ? AS_DATA : AS_FILE;
    default:
        return AS_IT_IS;
    }
}

static bool names_file(const sn_gltf *gltf, const char *path) {
    for (uint32_t i = 0; i < gltf->count[SN_ROOT_BUFFERS]; i++)
        if (gltf->buffers[i].kind == SN_BUFFER_EXTERNAL && !strcmp(gltf->buffers[i].path, path))
            return true;
    for (size_t i = 0; i < gltf->image_path_count; i++)
        if (!strcmp(gltf->image_paths[i], path))
            return true;
    return false;
}

/* A name for a chunk that becomes a file, unlike those of the files there are. */
static const char *buffer_path(sn_writer *w) {
    const char *name = w->options->buffer_name ? w->options->buffer_name : "buffer.bin";
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    size_t count = w->gltf->count[SN_ROOT_BUFFERS] + w->gltf->image_path_count;
    size_t length = strlen(name);
    char *path = SN_ARENA_NEW(w->arena, char, length + count + 1);
    if (!path)
        return NULL;
    memset(path, '_', count);
    memcpy(path + count, name, length);
    char *start = path + count;
    while (names_file(w->gltf, start)) /* each can be in the way of one name at most */
        start--;
    return start;
}

static sn_result find_outcome(sn_writer *w, uint32_t index, outcome *out) {
    const sn_gltf *gltf = w->gltf;
    const sn_gltf_buffer *old = index < gltf->count[SN_ROOT_BUFFERS] ? &gltf->buffers[index] : NULL;
    const sn_write_buffer *buffer = &w->buffers[index];
    out->where = decide(w, index);
    out->bytes = buffer->changed ? buffer->bytes : old->bytes;
    out->size = buffer->changed ? buffer->length : old->available;
    out->path = old ? old->path : NULL;
    bool was_external = old && old->kind == SN_BUFFER_EXTERNAL;
    switch (out->where) {
    case AS_CHUNK:
        out->new_uri = !old || old->kind != SN_BUFFER_BINARY;
        if (out->new_uri)
            out->size = buffer->length;
        break;
    case AS_DATA:
        out->new_uri = true;
        break;
    case AS_FILE:
        out->new_uri = !was_external;
        if (!was_external) {
            out->path = buffer_path(w);
            out->size = buffer->length; /* without the chunk's padding */
            if (!out->path)
                return sn_writer_no_memory(w);
        } else if (sn_path_leaves_folder(out->path)) {
            return sn_fail(w->error, SN_MESSAGE_IO_WRITE, NULL,
                           "the buffer %s lies outside the folder that is written to; a .glb "
                           "holds it inside",
                           out->path);
        }
        break;
    default:
        break;
    }
    return SN_OK;
}

/* The JSON string of the URI a buffer gets, in the arena. */
static const char *uri_text(sn_writer *w, uint32_t index, const outcome *o) {
    if (o->where == AS_CHUNK)
        return "";
    sn_text text;
    sn_text_init(&text, w->arena->allocator);
    sn_text_append(&text, "\"");
    if (o->where == AS_FILE) {
        sn_uri_append_path(&text, o->path);
    } else {
        const char *head = "data:application/gltf-buffer;base64,";
        size_t length = strlen(head);
        if (index < w->gltf->count[SN_ROOT_BUFFERS] &&
            w->gltf->buffers[index].kind == SN_BUFFER_EMBEDDED) {
            /* the media type that it had, as it was spelled */
            uint32_t uri = sn_json_member(w->json, w->gltf->buffers[index].value, "uri");
            const sn_json_node *node = &w->json->nodes[uri];
            const char *old = w->json->text + node->offset + 1;
            const char *comma = memchr(old, ',', node->length - 2);
            static const char base64[] = ";base64";
            size_t n = comma ? (size_t)(comma - old) : 0;
            if (n >= sizeof base64 - 1 &&
                !memcmp(comma - (sizeof base64 - 1), base64, sizeof base64 - 1)) {
                head = old;
                length = n + 1;
            }
        }
        sn_uri_append_data(&text, head, length, o->bytes, w->buffers[index].length);
    }
    sn_text_append(&text, "\"");
    char *copy = text.failed ? NULL : SN_ARENA_NEW(w->arena, char, text.length + 1);
    if (copy)
        memcpy(copy, text.data, text.length);
    sn_text_free(&text);
    return copy;
}

/* ---- GLB ---- */

static sn_result assemble(sn_writer *w, const sn_text *json, const outcome *binary,
                          sn_output *out) {
    const sn_gltf *gltf = w->gltf;
    sn_glb_chunk *chunks = SN_ARENA_NEW(w->arena, sn_glb_chunk, (size_t)gltf->chunk_count + 2);
    if (!chunks)
        return sn_writer_no_memory(w);
    uint32_t count = 0;
    chunks[count++] = (sn_glb_chunk){SN_GLB_JSON, json->data, json->length, false};
    uint32_t next = gltf->chunk_count ? 1 : 0;
    if (binary) {
        chunks[count++] = (sn_glb_chunk){SN_GLB_BIN, binary->bytes, binary->size, false};
        if (next < gltf->chunk_count && gltf->chunks[next].type == SN_GLB_BIN)
            next++;
    }
    for (; next < gltf->chunk_count; next++)
        chunks[count++] =
            (sn_glb_chunk){gltf->chunks[next].type, gltf->bytes + gltf->chunks[next].offset,
                           gltf->chunks[next].length, true};
    size_t after = gltf->binary ? gltf->size - gltf->declared : 0;
    uint64_t total = sn_glb_size(chunks, count);
    if (total > UINT32_MAX)
        return sn_fail(w->error, SN_MESSAGE_LIMIT_SIZE, NULL,
                       "a GLB holds 4 GiB at most; a .gltf with files beside it can be larger");
    uint8_t *at;
    if (!add_file(out, "", (size_t)total + after, &at))
        return sn_writer_no_memory(w);
    sn_glb_write(chunks, count, at);
    if (after)
        memcpy(at + total, gltf->bytes + gltf->declared, after);
    return SN_OK;
}

/* ---- The main file and those beside it ---- */

static bool same_container(const sn_writer *w) {
    return w->gltf->binary == (w->options->container == SN_CONTAINER_GLB);
}

/* The JSON text: the root object spliced, and the white space around it where it is a file. */
static sn_result make_text(sn_writer *w, const char *const *uris, sn_text *text) {
    const sn_json_node *root = w->json->nodes;
    bool file = w->options->container == SN_CONTAINER_GLTF && !w->gltf->binary;
    size_t end = (size_t)root->offset + root->length;
    if (file)
        sn_text_append_bytes(text, w->json->text, root->offset);
    sn_result result = sn_write_json(w, uris, text);
    if (!result && file)
        sn_text_append_bytes(text, w->json->text + end, w->json->length - end);
    return result || !text->failed ? result : sn_writer_no_memory(w);
}

static sn_result write_beside(sn_writer *w, const outcome *outcomes, sn_output *out) {
    for (uint32_t i = 0; i < w->buffer_count; i++) {
        const outcome *o = &outcomes[i];
        if (o->where != AS_FILE)
            continue;
        bool there = false;
        for (size_t k = 1; k < out->file_count; k++)
            there |= !strcmp(out->files[k].path, o->path);
        if (there)
            continue;
        if (!add_copy(out, o->path, o->bytes, o->size))
            return sn_writer_no_memory(w);
    }
    return SN_OK;
}

static sn_result write_files(sn_writer *w, sn_output *out) {
    outcome *outcomes = SN_ARENA_NEW(w->arena, outcome, w->buffer_count);
    const char **uris = SN_ARENA_NEW(w->arena, const char *, w->buffer_count);
    size_t capacity = (size_t)w->buffer_count + 1;
    out->files = resize(out->allocator, NULL, 0, capacity * sizeof *out->files);
    if (!outcomes || !uris || !out->files)
        return sn_writer_no_memory(w);
    out->file_capacity = capacity;
    memset(out->files, 0, capacity * sizeof *out->files);
    const outcome *binary = NULL;
    bool new_text = w->edited || w->new_modifiers || !same_container(w);
    for (uint32_t i = 0; i < w->buffer_count; i++) {
        sn_result result = find_outcome(w, i, &outcomes[i]);
        if (result)
            return result;
        if (outcomes[i].where == AS_CHUNK)
            binary = &outcomes[i];
        if (outcomes[i].new_uri) {
            uris[i] = uri_text(w, i, &outcomes[i]);
            if (!uris[i])
                return sn_writer_no_memory(w);
        }
    }
    if (!new_text) {
        if (!add_copy(out, "", w->gltf->bytes, w->gltf->size))
            return sn_writer_no_memory(w);
        return write_beside(w, outcomes, out);
    }
    sn_text text;
    sn_text_init(&text, w->arena->allocator);
    sn_result result = make_text(w, uris, &text);
    if (!result && w->options->container == SN_CONTAINER_GLB) {
        result = assemble(w, &text, binary, out);
    } else if (!result && !add_copy(out, "", text.data, text.length)) {
        result = sn_writer_no_memory(w);
    }
    sn_text_free(&text);
    return result ? result : write_beside(w, outcomes, out);
}

/* ---- The entry ---- */

static bool is_edited(const sn_gltf *gltf, const sn_gltf_write_options *options) {
    const sn_model *model = &gltf->model;
    if (!options->replace_clips)
        return false;
    if (options->clip_count != model->clip_count)
        return true;
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const sn_clip *clip = &options->clips[i];
        if (clip->origin != i || !sn_same_clip(clip, &model->clips[i]))
            return true;
    }
    return false;
}

static bool has_new_modifiers(const sn_model *model, const sn_gltf_write_options *options) {
    if (!options->replace_modifiers || (!options->modifiers && !model->modifiers))
        return false;
    return !options->modifiers || !model->modifiers ||
           strlen(options->modifiers) != model->modifiers_length ||
           memcmp(options->modifiers, model->modifiers, model->modifiers_length) != 0;
}

static size_t dropped_size(const sn_gltf *gltf, const sn_gltf_write_options *options) {
    if (!gltf->binary || options->container == SN_CONTAINER_GLB)
        return 0;
    size_t size = gltf->size - gltf->declared;
    for (uint32_t i = 0; i < gltf->chunk_count; i++)
        if (gltf->chunks[i].type != SN_GLB_JSON && gltf->chunks[i].type != SN_GLB_BIN)
            size += 8 + gltf->chunks[i].length;
    return size;
}

static sn_result run(sn_writer *w, sn_output *out) {
    const sn_gltf *gltf = w->gltf;
    uint32_t buffers = gltf->count[SN_ROOT_BUFFERS];
    w->buffer_count = buffers;
    w->buffers = SN_ARENA_NEW(w->arena, sn_write_buffer, (size_t)buffers + 1);
    if (!w->buffers)
        return sn_writer_no_memory(w);
    for (uint32_t i = 0; i < buffers; i++)
        w->buffers[i].length = gltf->buffers[i].length;
    w->edited = is_edited(gltf, w->options);
    w->new_modifiers = has_new_modifiers(&gltf->model, w->options);
    static sn_result (*const steps[])(sn_writer *) = {
        sn_write_references, sn_write_clips, sn_write_slots, sn_write_bytes, sn_write_numbers,
    };
    for (size_t i = 0; w->edited && i < sizeof steps / sizeof *steps; i++) {
        sn_result result = steps[i](w);
        if (result)
            return result;
    }
    return write_files(w, out);
}

sn_result sn_gltf_write(const sn_gltf *gltf, const sn_gltf_write_options *options, sn_output *out,
                        sn_error *error) {
    const sn_allocator *allocator =
        options->allocator ? options->allocator : sn_allocator_default();
    sn_arena arena;
    sn_arena_init(&arena, allocator);
    sn_writer w = {
        .gltf = gltf, .json = &gltf->json, .options = options, .arena = &arena, .error = error};
    *out = (sn_output){.allocator = allocator};
    sn_result result = run(&w, out);
    out->orphan_count = w.orphan_count;
    out->dropped_size = dropped_size(gltf, options);
    for (uint32_t i = 0; !result && i < w.clip_count; i++)
        out->empty_clip_count += !sn_clip_is_written(&w.clips[i]);
    sn_arena_free(&arena);
    if (result)
        sn_output_free(out);
    return result;
}
