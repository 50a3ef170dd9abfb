/* Who refers to which accessor and buffer view (glTF 2.0, 5 Properties reference; the extensions
 * of extension.c). */
#include <string.h>

#include "gltf/writer.h"

typedef struct walker {
    const sn_gltf *gltf;
    const sn_json *json;
    sn_reference_visitor visit;
    void *user;
} walker;

static void visit(const walker *w, sn_reference_kind kind, uint32_t value, uint32_t holder) {
    sn_root_member array = SN_ROOT_BUFFER_VIEWS;
    if (kind == SN_REFERENCE_ACCESSOR || kind == SN_REFERENCE_MAYBE_ACCESSOR)
        array = SN_ROOT_ACCESSORS;
    if (kind == SN_REFERENCE_MAYBE_BUFFER)
        array = SN_ROOT_BUFFERS;
    uint64_t target;
    if (value == SN_NONE || !sn_json_unsigned(w->json, value, &target) ||
        target >= w->gltf->count[array])
        return;
    sn_reference reference = {kind, value, (uint32_t)target, holder};
    w->visit(w->user, &reference);
}

static uint32_t member(const walker *w, uint32_t object, const char *name) {
    return sn_json_member(w->json, object, name);
}

/* Iterates the elements of an array: SN_NONE at the end, or when it is none. */
static uint32_t first(const walker *w, uint32_t array) {
    return array != SN_NONE && w->json->nodes[array].type == SN_JSON_ARRAY
               ? sn_json_first(w->json, array)
               : SN_NONE;
}

static uint32_t next(const walker *w, uint32_t array, uint32_t element) {
    uint32_t following = w->json->nodes[element].next;
    return following == w->json->nodes[array].next ? SN_NONE : following;
}

/* Every member of an object is an accessor. */
static void visit_accessors_of(const walker *w, uint32_t object) {
    if (object == SN_NONE || w->json->nodes[object].type != SN_JSON_OBJECT)
        return;
    uint32_t name = object + 1;
    for (uint32_t i = w->json->nodes[object].count; i > 0; i--) {
        visit(w, SN_REFERENCE_ACCESSOR, name + 1, SN_NONE);
        name = w->json->nodes[name + 1].next;
    }
}

/* ---- The core ---- */

static void visit_accessors(const walker *w) {
    for (uint32_t i = 0; i < w->gltf->count[SN_ROOT_ACCESSORS]; i++) {
        const sn_gltf_accessor *accessor = &w->gltf->accessors[i];
        if (accessor->view != SN_NONE)
            visit(w, SN_REFERENCE_BASE_VIEW, member(w, accessor->value, "bufferView"), i);
        if (accessor->sparse == SN_NONE)
            continue;
        static const char *const parts[] = {"indices", "values"};
        for (int part = 0; part < 2; part++)
            visit(w, SN_REFERENCE_SPARSE_VIEW,
                  member(w, member(w, accessor->sparse, parts[part]), "bufferView"), i);
    }
}

static void visit_meshes(const walker *w) {
    uint32_t meshes = w->gltf->root[SN_ROOT_MESHES];
    for (uint32_t mesh = first(w, meshes); mesh != SN_NONE; mesh = next(w, meshes, mesh)) {
        uint32_t primitives = member(w, mesh, "primitives");
        for (uint32_t p = first(w, primitives); p != SN_NONE; p = next(w, primitives, p)) {
            visit(w, SN_REFERENCE_ACCESSOR, member(w, p, "indices"), SN_NONE);
            visit_accessors_of(w, member(w, p, "attributes"));
            uint32_t targets = member(w, p, "targets");
            for (uint32_t t = first(w, targets); t != SN_NONE; t = next(w, targets, t))
                visit_accessors_of(w, t);
        }
    }
}

static void visit_animations(const walker *w) {
    uint32_t animations = w->gltf->root[SN_ROOT_ANIMATIONS];
    for (uint32_t a = first(w, animations); a != SN_NONE; a = next(w, animations, a)) {
        uint32_t samplers = member(w, a, "samplers");
        for (uint32_t s = first(w, samplers); s != SN_NONE; s = next(w, samplers, s)) {
            visit(w, SN_REFERENCE_ACCESSOR, member(w, s, "input"), SN_NONE);
            visit(w, SN_REFERENCE_ACCESSOR, member(w, s, "output"), SN_NONE);
        }
    }
}

static void visit_elements(const walker *w, sn_root_member array, const char *name,
                           sn_reference_kind kind) {
    uint32_t list = w->gltf->root[array];
    for (uint32_t e = first(w, list); e != SN_NONE; e = next(w, list, e))
        visit(w, kind, member(w, e, name), SN_NONE);
}

/* ---- Extensions and extras ---- */

static bool contains(const char *text, size_t length, const char *part) {
    size_t n = strlen(part);
    for (size_t start = 0; start + n <= length; start++) {
        size_t i = 0;
        while (i < n && (text[start + i] | 0x20) == part[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

/* EXT_structural_metadata: propertyTables[].properties.NAME.values and its like. */
static void visit_properties(const walker *w, uint32_t extension) {
    static const char *const names[] = {"values", "arrayOffsets", "stringOffsets"};
    uint32_t tables = member(w, extension, "propertyTables");
    for (uint32_t t = first(w, tables); t != SN_NONE; t = next(w, tables, t)) {
        uint32_t properties = member(w, t, "properties");
        if (properties == SN_NONE || w->json->nodes[properties].type != SN_JSON_OBJECT)
            continue;
        uint32_t name = properties + 1;
        for (uint32_t i = w->json->nodes[properties].count; i > 0; i--) {
            for (int k = 0; k < 3; k++)
                visit(w, SN_REFERENCE_VIEW, member(w, name + 1, names[k]), SN_NONE);
            name = w->json->nodes[name + 1].next;
        }
    }
}

/* What nobody has told Sinew: a member whose name speaks of accessors, buffer views or buffers may
 * hold their numbers, in any shape. (JSON is nested 128 deep at most, so recursion is bounded.) */
typedef struct suspicion {
    bool accessor, view, buffer;
} suspicion;

static void visit_unsure(const walker *w, uint32_t value, suspicion about) {
    const sn_json_node *node = &w->json->nodes[value];
    bool object = node->type == SN_JSON_OBJECT;
    if (node->type == SN_JSON_NUMBER) {
        if (about.accessor)
            visit(w, SN_REFERENCE_MAYBE_ACCESSOR, value, SN_NONE);
        if (about.view)
            visit(w, SN_REFERENCE_MAYBE_VIEW, value, SN_NONE);
        if (about.buffer)
            visit(w, SN_REFERENCE_MAYBE_BUFFER, value, SN_NONE);
    }
    if (!object && node->type != SN_JSON_ARRAY)
        return;
    uint32_t child = value + 1;
    for (uint32_t n = node->count; n > 0; n--) {
        suspicion inner = about;
        if (object) {
            const sn_json_node *name = &w->json->nodes[child++];
            const char *text = w->json->text + name->offset + 1;
            inner.accessor |= contains(text, name->length - 2, "accessor");
            inner.view |= contains(text, name->length - 2, "bufferview");
            inner.buffer |= contains(text, name->length - 2, "buffer");
        }
        visit_unsure(w, child, inner);
        child = w->json->nodes[child].next;
    }
}

static void walk(const walker *w, uint32_t value, bool views);

static void visit_extension(const walker *w, uint32_t name) {
    const sn_json_node *string = &w->json->nodes[name];
    const sn_extension *extension =
        string->count ? NULL
                      : sn_extension_find(w->json->text + string->offset + 1, string->length - 2);
    sn_extension_references kind = extension ? extension->references : SN_REFERS_UNSURE;
    uint32_t value = name + 1;
    if (kind == SN_REFERS_UNSURE) {
        visit_unsure(w, value, (suspicion){0});
        return;
    }
    if (kind == SN_REFERS_ATTRIBUTES)
        visit_accessors_of(w, member(w, value, "attributes"));
    if (kind == SN_REFERS_INDICES)
        visit(w, SN_REFERENCE_ACCESSOR, member(w, value, "indices"), SN_NONE);
    if (kind == SN_REFERS_PROPERTIES)
        visit_properties(w, value);
    walk(w, value, kind == SN_REFERS_VIEWS);
}

/* By length: extras, extensions or bufferView, or a name with escapes. Nearly all are none. */
static bool may_be_reference(const sn_json *json, uint32_t name) {
    const sn_json_node *node = &json->nodes[name];
    return node->length == sizeof "\"extras\"" - 1 || node->length == sizeof "\"extensions\"" - 1 ||
           node->count;
}

/* Finds extensions and extras. With `views`, members named bufferView are references. */
static void walk(const walker *w, uint32_t value, bool views) {
    const sn_json_node *node = &w->json->nodes[value];
    uint32_t child = value + 1;
    if (node->type == SN_JSON_ARRAY) {
        for (uint32_t n = node->count; n > 0; n--, child = w->json->nodes[child].next)
            walk(w, child, views);
    }
    if (node->type != SN_JSON_OBJECT)
        return;
    for (uint32_t n = node->count; n > 0; n--, child = w->json->nodes[child].next) {
        uint32_t name = child++;
        if (!may_be_reference(w->json, name)) {
            walk(w, child, views);
        } else if (sn_json_equals(w->json, name, "extras")) {
            visit_unsure(w, child, (suspicion){0});
        } else if (sn_json_equals(w->json, name, "extensions") &&
                   w->json->nodes[child].type == SN_JSON_OBJECT) {
            uint32_t extension = child + 1;
            for (uint32_t k = w->json->nodes[child].count; k > 0; k--) {
                visit_extension(w, extension);
                extension = w->json->nodes[extension + 1].next;
            }
        } else if (views && sn_json_equals(w->json, name, "bufferView")) {
            visit(w, SN_REFERENCE_VIEW, child, SN_NONE);
        } else {
            walk(w, child, views);
        }
    }
}

void sn_visit_references(const sn_gltf *gltf, sn_reference_visitor visit_one, void *user) {
    walker w = {gltf, &gltf->json, visit_one, user};
    visit_accessors(&w);
    visit_meshes(&w);
    visit_animations(&w);
    visit_elements(&w, SN_ROOT_SKINS, "inverseBindMatrices", SN_REFERENCE_ACCESSOR);
    visit_elements(&w, SN_ROOT_IMAGES, "bufferView", SN_REFERENCE_VIEW);
    walk(&w, 0, false);
}
