/* Reading from bytes to a model: the entry, memory, failures and warnings. */
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "gltf/internal.h"

#define BASE_LIMIT ((size_t)64 << 20)
#define LIMIT_PER_BYTE 64
#define MOST_WARNINGS 200

const sn_member sn_gltf_root_members[SN_ROOT_COUNT] = {
    [SN_ROOT_ASSET] = SN_MEMBER("asset", SN_IS(OBJECT) | SN_REQUIRED),
    [SN_ROOT_SCENE] = SN_MEMBER("scene", SN_IS(NUMBER)),
    [SN_ROOT_SCENES] = SN_MEMBER("scenes", SN_IS(ARRAY)),
    [SN_ROOT_NODES] = SN_MEMBER("nodes", SN_IS(ARRAY)),
    [SN_ROOT_MESHES] = SN_MEMBER("meshes", SN_IS(ARRAY)),
    [SN_ROOT_SKINS] = SN_MEMBER("skins", SN_IS(ARRAY)),
    [SN_ROOT_ANIMATIONS] = SN_MEMBER("animations", SN_IS(ARRAY)),
    [SN_ROOT_ACCESSORS] = SN_MEMBER("accessors", SN_IS(ARRAY)),
    [SN_ROOT_BUFFER_VIEWS] = SN_MEMBER("bufferViews", SN_IS(ARRAY)),
    [SN_ROOT_BUFFERS] = SN_MEMBER("buffers", SN_IS(ARRAY)),
    [SN_ROOT_MATERIALS] = SN_MEMBER("materials", SN_IS(ARRAY)),
    [SN_ROOT_CAMERAS] = SN_MEMBER("cameras", SN_IS(ARRAY)),
    [SN_ROOT_IMAGES] = SN_MEMBER("images", SN_IS(ARRAY)),
    [SN_ROOT_TEXTURES] = SN_MEMBER("textures", SN_IS(ARRAY)),
    [SN_ROOT_SAMPLERS] = SN_MEMBER("samplers", SN_IS(ARRAY)),
    [SN_ROOT_EXTENSIONS_USED] = SN_MEMBER("extensionsUsed", SN_IS(ARRAY)),
    [SN_ROOT_EXTENSIONS_REQUIRED] = SN_MEMBER("extensionsRequired", SN_IS(ARRAY)),
    [SN_ROOT_EXTENSIONS] = SN_MEMBER("extensions", SN_IS(OBJECT)),
};

/* ---- Failures and warnings ---- */

sn_result sn_reader_fail(sn_reader *r, sn_message_id id, uint32_t value, const char *format, ...) {
    sn_error text;
    text.pointer[0] = '\0';
    if (value != SN_NONE && r->error)
        sn_json_pointer(r->json, value, text.pointer, sizeof text.pointer);
    va_list arguments;
    va_start(arguments, format);
    sn_format_list(text.text, sizeof text.text, format, arguments);
    va_end(arguments);
    return sn_fail(r->error, id, text.pointer, "%s", text.text);
}

sn_result sn_reader_no_memory(sn_reader *r) {
    const sn_budget *budget = &r->gltf->budget;
    if (budget->exceeded)
        return sn_fail(r->error, SN_MESSAGE_LIMIT_MEMORY, NULL,
                       "the file asks for more than the %z bytes of memory that it may use",
                       budget->limit);
    return sn_fail(r->error, SN_MESSAGE_MEMORY, NULL, "out of memory");
}

static char *copy_text(sn_arena *arena, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = SN_ARENA_NEW(arena, char, size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

void sn_reader_warn(sn_reader *r, sn_message_id id, uint32_t value, const char *format, ...) {
    sn_gltf *gltf = r->gltf;
    if (gltf->warning_count > MOST_WARNINGS)
        return;
    sn_error text;
    text.pointer[0] = '\0';
    if (gltf->warning_count == MOST_WARNINGS) {
        id = SN_MESSAGE_WARNING_LIMIT;
        sn_format(text.text, sizeof text.text, "there are more warnings than these %z",
                  gltf->warning_count);
    } else {
        if (value != SN_NONE)
            sn_json_pointer(r->json, value, text.pointer, sizeof text.pointer);
        va_list arguments;
        va_start(arguments, format);
        sn_format_list(text.text, sizeof text.text, format, arguments);
        va_end(arguments);
    }
    if (!gltf->warnings)
        gltf->warnings = SN_ARENA_NEW(r->arena, sn_warning, MOST_WARNINGS + 1);
    if (!gltf->warnings)
        return; /* what follows will run out of memory too, and say so */
    sn_warning warning = {id, copy_text(r->arena, text.pointer), copy_text(r->arena, text.text)};
    if (warning.pointer && warning.text)
        gltf->warnings[gltf->warning_count++] = warning;
}

size_t sn_gltf_warnings(const sn_gltf *gltf, const sn_warning **out) {
    *out = gltf->warnings;
    return gltf->warning_count;
}

/* ---- Asset ---- */

static bool read_version(const sn_json *json, uint32_t value, uint32_t *major, uint32_t *minor) {
    const sn_json_node *node = &json->nodes[value];
    const char *p = json->text + node->offset + 1, *end = p + node->length - 2;
    uint32_t *parts[2] = {major, minor};
    for (int i = 0; i < 2; i++) {
        const char *start = p;
        *parts[i] = 0;
        for (; p < end && *p >= '0' && *p <= '9' && p - start < 9; p++)
            *parts[i] = *parts[i] * 10 + (uint32_t)(*p - '0');
        if (p == start)
            return false;
        if (i == 0 && (p == end || *p++ != '.'))
            return false;
    }
    return p == end;
}

/* glTF 2.0, 3.2: minVersion decides where it is given, the major version otherwise. */
static sn_result check_version(sn_reader *r, uint32_t version, uint32_t least) {
    uint32_t major, minor;
    uint32_t decisive = least == SN_NONE ? version : least;
    if (!read_version(r->json, decisive, &major, &minor))
        return sn_reader_fail(r, SN_MESSAGE_ASSET_VERSION, decisive,
                              "a version such as \"2.0\" is wanted");
    if (major != 2 || (least != SN_NONE && minor > 0))
        return sn_reader_fail(r, SN_MESSAGE_ASSET_VERSION, decisive,
                              "the file wants glTF %u.%u; Sinew reads glTF 2.0", major, minor);
    if (least == SN_NONE && minor > 0)
        sn_reader_warn(r, SN_MESSAGE_ASSET_VERSION, version,
                       "the file is glTF 2.%u; it is read as 2.0, what is new in it is kept",
                       minor);
    return SN_OK;
}

sn_result sn_reader_asset(sn_reader *r) {
    enum { VERSION, MIN_VERSION, GENERATOR, COUNT };
    static const sn_member members[COUNT] = {
        [VERSION] = SN_MEMBER("version", SN_IS(STRING) | SN_REQUIRED),
        [MIN_VERSION] = SN_MEMBER("minVersion", SN_IS(STRING)),
        [GENERATOR] = SN_MEMBER("generator", SN_IS(STRING)),
    };
    uint32_t values[COUNT];
    sn_result result = sn_reader_members(r, r->gltf->root[SN_ROOT_ASSET], members, COUNT, values);
    if (!result)
        result = check_version(r, values[VERSION], values[MIN_VERSION]);
    if (result)
        return result;
    r->gltf->model.generator = sn_reader_string(r, values[GENERATOR]);
    if (!r->gltf->model.generator)
        return sn_reader_no_memory(r);
    uint32_t required = r->gltf->root[SN_ROOT_EXTENSIONS_REQUIRED];
    for (uint32_t name = sn_json_first(r->json, required);
         name != SN_NONE && name != r->json->nodes[required].next;
         name = r->json->nodes[name].next) {
        if (r->json->nodes[name].type != SN_JSON_STRING)
            return sn_reader_fail(r, SN_MESSAGE_JSON_TYPE, name, "an extension's name is wanted");
        const char *string = sn_reader_string(r, name);
        if (!string)
            return sn_reader_no_memory(r);
        if (!sn_extension_find(string, strlen(string)))
            return sn_reader_fail(r, SN_MESSAGE_EXTENSION_REQUIRED, name,
                                  "the file requires the extension %s, which Sinew does not know",
                                  string);
    }
    return SN_OK;
}

/* ---- The entry ---- */

/* Resources are input: what the loader brings raises the limit by its share. */
static void *resource_resize(void *user, void *block, size_t old_size, size_t new_size) {
    sn_gltf *gltf = user;
    sn_budget *budget = &gltf->budget;
    if (!gltf->fixed_limit && new_size > old_size) {
        size_t more = new_size - old_size;
        size_t room = SIZE_MAX - budget->limit;
        budget->limit += more < room / (LIMIT_PER_BYTE + 1) ? more * (LIMIT_PER_BYTE + 1) : room;
    }
    return budget->allocator.resize(budget->allocator.user, block, old_size, new_size);
}

static sn_result read_root(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    sn_result result = sn_reader_members(r, 0, sn_gltf_root_members, SN_ROOT_COUNT, gltf->root);
    if (result)
        return result;
    for (int i = 0; i < SN_ROOT_COUNT; i++)
        if (gltf->root[i] != SN_NONE && r->json->nodes[gltf->root[i]].type == SN_JSON_ARRAY)
            gltf->count[i] = r->json->nodes[gltf->root[i]].count;
    return SN_OK;
}

/* Whatever it is, so that a broken one can be told of and kept. */
static sn_result find_modifiers(sn_reader *r) {
    sn_gltf *gltf = r->gltf;
    uint32_t value =
        sn_json_member(r->json, gltf->root[SN_ROOT_EXTENSIONS], SN_MODIFIERS_EXTENSION);
    if (value != SN_NONE) {
        gltf->model.modifiers = r->json->text + r->json->nodes[value].offset;
        gltf->model.modifiers_length = r->json->nodes[value].length;
    }
    return SN_OK;
}

static sn_result read_json(sn_reader *r) {
    const char *text;
    size_t length;
    sn_result result = sn_reader_container(r, &text, &length);
    if (result)
        return result;
    result = sn_json_parse(text, length, r->arena, &r->gltf->json, r->error);
    if (result == SN_ERROR_MEMORY)
        return sn_reader_no_memory(r);
    return result;
}

static sn_result read_all(sn_reader *r) {
    static sn_result (*const parts[])(sn_reader *) = {
        read_json,        read_root,
        sn_reader_asset,  sn_reader_buffers,
        sn_reader_views,  sn_reader_accessors,
        sn_reader_nodes,  sn_reader_scenes,
        sn_reader_meshes, sn_reader_node_weights,
        sn_reader_skins,  sn_reader_animations,
        sn_reader_images, find_modifiers,
    };
    enum { LAYOUT = 5, ALL = sizeof parts / sizeof *parts };
    size_t count = r->options->layout_only ? LAYOUT : ALL;
    for (size_t i = 0; i < count; i++) {
        sn_result result = parts[i](r);
        if (result)
            return result;
    }
    return SN_OK;
}

/* The file's bytes: the caller's while it lends them, given ones, or a copy. */
static sn_result take_bytes(sn_reader *r, const void *bytes, size_t size, sn_bytes_from from) {
    sn_gltf *gltf = r->gltf;
    gltf->bytes = bytes;
    gltf->size = size;
    if (from == SN_BYTES_LENT || size == 0)
        return SN_OK;
    if (from == SN_BYTES_GIVEN) {
        gltf->budget.used += size; /* made by the budget's parent, freed through the budget */
        gltf->owned_size = size;
        return SN_OK;
    }
    sn_allocator *allocator = &gltf->budget.allocator;
    uint8_t *copy = allocator->resize(allocator->user, NULL, 0, size);
    if (!copy)
        return sn_reader_no_memory(r);
    memcpy(copy, bytes, size);
    gltf->bytes = copy;
    gltf->owned_size = size;
    return SN_OK;
}

sn_result sn_gltf_read_from(const void *bytes, size_t size, sn_bytes_from from,
                            const sn_gltf_options *options, sn_gltf **out, sn_error *error) {
    const sn_allocator *allocator =
        options->allocator ? options->allocator : sn_allocator_default();
    sn_gltf *gltf = allocator->resize(allocator->user, NULL, 0, sizeof *gltf);
    if (!gltf) {
        if (from == SN_BYTES_GIVEN)
            allocator->resize(allocator->user, (void *)(uintptr_t)bytes, size, 0);
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "out of memory");
    }
    *gltf = (sn_gltf){.fixed_limit = options->memory_limit != 0};
    size_t most = (SIZE_MAX - BASE_LIMIT) / LIMIT_PER_BYTE;
    size_t limit = options->memory_limit;
    if (!limit)
        limit = size < most ? BASE_LIMIT + LIMIT_PER_BYTE * size : SIZE_MAX;
    sn_budget_init(&gltf->budget, allocator, limit);
    gltf->resources = (sn_allocator){resource_resize, gltf};
    sn_arena_init(&gltf->arena, &gltf->budget.allocator);

    sn_reader r = {.gltf = gltf,
                   .json = &gltf->json,
                   .arena = &gltf->arena,
                   .options = options,
                   .error = error};
    sn_result result = take_bytes(&r, bytes, size, from);
    if (!result)
        result = read_all(&r);
    if (result) {
        sn_gltf_free(gltf);
        return result;
    }
    *out = gltf;
    return SN_OK;
}

sn_result sn_gltf_read(const void *bytes, size_t size, const sn_gltf_options *options,
                       sn_gltf **out, sn_error *error) {
    static const sn_gltf_options defaults = {0};
    if (!options)
        options = &defaults;
    return sn_gltf_read_from(bytes, size, options->borrow ? SN_BYTES_LENT : SN_BYTES_COPIED,
                             options, out, error);
}

void sn_gltf_free(sn_gltf *gltf) {
    if (!gltf)
        return;
    sn_allocator *allocator = &gltf->budget.allocator;
    for (uint32_t i = 0; gltf->buffers && i < gltf->count[SN_ROOT_BUFFERS]; i++) {
        sn_gltf_buffer *buffer = &gltf->buffers[i];
        if (buffer->loaded)
            allocator->resize(allocator->user, (void *)(uintptr_t)buffer->bytes, buffer->available,
                              0);
    }
    if (gltf->owned_size)
        allocator->resize(allocator->user, (void *)(uintptr_t)gltf->bytes, gltf->owned_size, 0);
    sn_arena_free(&gltf->arena);
    const sn_allocator *parent = gltf->budget.parent;
    parent->resize(parent->user, gltf, sizeof *gltf, 0);
}

const sn_model *sn_gltf_model(const sn_gltf *gltf) {
    return &gltf->model;
}

const sn_json *sn_gltf_json(const sn_gltf *gltf) {
    return &gltf->json;
}

bool sn_gltf_is_binary(const sn_gltf *gltf) {
    return gltf->binary;
}
