/* What the parts of the glTF reader and writer share. Private to the folder. */
#ifndef SN_GLTF_INTERNAL_H
#define SN_GLTF_INTERNAL_H

#include "sinew/gltf.h"

#define SN_MODIFIERS_EXTENSION "SINEW_modifiers"

/* Members of the top-level object, in the order of sn_gltf_root_members. */
typedef enum sn_root_member {
    SN_ROOT_ASSET,
    SN_ROOT_SCENE,
    SN_ROOT_SCENES,
    SN_ROOT_NODES,
    SN_ROOT_MESHES,
    SN_ROOT_SKINS,
    SN_ROOT_ANIMATIONS,
    SN_ROOT_ACCESSORS,
    SN_ROOT_BUFFER_VIEWS,
    SN_ROOT_BUFFERS,
    SN_ROOT_MATERIALS,
    SN_ROOT_CAMERAS,
    SN_ROOT_IMAGES,
    SN_ROOT_TEXTURES,
    SN_ROOT_SAMPLERS,
    SN_ROOT_EXTENSIONS_USED,
    SN_ROOT_EXTENSIONS_REQUIRED,
    SN_ROOT_EXTENSIONS,
    SN_ROOT_COUNT
} sn_root_member;

typedef enum sn_buffer_kind {
    SN_BUFFER_NONE,     /* no bytes: a fallback for compressed views, or one the host fills */
    SN_BUFFER_BINARY,   /* the GLB's binary chunk */
    SN_BUFFER_EMBEDDED, /* a data: URI */
    SN_BUFFER_EXTERNAL
} sn_buffer_kind;

typedef struct sn_gltf_buffer {
    uint32_t value; /* the JSON object */
    sn_buffer_kind kind;
    size_t length;    /* byteLength: what views may reach */
    size_t available; /* bytes there are, at least `length` unless there are none */
    const uint8_t *bytes;
    const char *path; /* external: decoded */
    bool loaded;      /* `bytes` came from the loader, for this buffer first */
} sn_gltf_buffer;

typedef struct sn_gltf_view {
    uint32_t value;
    uint32_t buffer;
    size_t offset, length;
    uint32_t stride;        /* 0: elements are tight */
    uint32_t compression;   /* JSON value of the extension object that compresses it, or SN_NONE */
    const uint8_t *decoded; /* compressed: its bytes once somebody asked */
    bool warned;            /* that its buffer has no bytes */
} sn_gltf_view;

typedef struct sn_gltf_accessor {
    uint32_t value;
    uint32_t view; /* or SN_NONE: zeros */
    size_t offset; /* in the view */
    uint32_t count;
    uint32_t component_type; /* 5120 … 5126 */
    uint8_t rows, columns;   /* a vector has one column */
    bool normalized;
    uint32_t sparse;     /* JSON object or SN_NONE */
    const float *floats; /* once somebody asked */
    const uint32_t *integers;
    const uint16_t *joints;
    bool missing; /* its buffer turned out to have no bytes */
    bool times_checked;
    uint32_t index_limit; /* as indices: one beyond the largest; 0: not looked at yet */
} sn_gltf_accessor;

/* JSON values of a node that are needed after all nodes are read, or SN_NONE. */
typedef struct sn_node_values {
    uint32_t children, weights;
} sn_node_values;

typedef struct sn_gltf_chunk {
    uint32_t type;
    size_t offset, length; /* of its data in the file */
} sn_gltf_chunk;

/* A chunk to be written. */
typedef struct sn_glb_chunk {
    uint32_t type;
    const void *bytes;
    size_t size;
    bool verbatim; /* as it was, whatever its length; else padded to a multiple of 4 */
} sn_glb_chunk;

/* Bytes of a GLB of these chunks, and writing them: a total up to 4 GiB - 1. */
uint64_t sn_glb_size(const sn_glb_chunk *chunks, uint32_t count);
void sn_glb_write(const sn_glb_chunk *chunks, uint32_t count, uint8_t *out);

#define SN_GLB_MAGIC 0x46546C67u
#define SN_GLB_JSON 0x4E4F534Au
#define SN_GLB_BIN 0x004E4942u

struct sn_gltf {
    sn_budget budget;
    sn_allocator resources; /* of the loader: raises the limit by what it brings */
    bool fixed_limit;       /* the caller's, never raised */
    sn_arena arena;

    const uint8_t *bytes; /* the file */
    size_t size;
    size_t owned_size; /* of `bytes` where they are our copy, else 0 */
    bool binary;
    size_t declared; /* GLB: the length in its header; what follows is kept, not read */
    sn_gltf_chunk *chunks;
    uint32_t chunk_count;

    sn_json json;
    uint32_t root[SN_ROOT_COUNT];  /* JSON values, SN_NONE where absent */
    uint32_t count[SN_ROOT_COUNT]; /* elements of those that are arrays */
    sn_gltf_buffer *buffers;
    sn_gltf_view *views;
    sn_gltf_accessor *accessors;
    sn_node_values *node_values;

    const char **image_paths; /* of images that are files beside this one */
    size_t image_path_count;

    sn_model model;
    const float **mesh_weights;     /* a mesh: its weights at rest */
    const uint32_t **marker_values; /* an animation: the JSON values of its markers */
    sn_warning *warnings;
    size_t warning_count;
};

/* The state of one reading. */
typedef struct sn_reader {
    sn_gltf *gltf;
    const sn_json *json;
    sn_arena *arena;
    const sn_gltf_options *options;
    sn_error *error;
    sn_gltf_buffer **files; /* those in files beside this one, by a hash of their paths */
    char *name_at;          /* room for short strings */
    size_t name_left;
    /* The influences that were put together last, for the next primitive with the same ones. */
    const uint32_t *last_sets;
    uint32_t last_set_count;
    sn_geometry last_influences;
} sn_reader;

/* ---- Failing and warning (reader.c) ---- */

/* `value` is the JSON value that is to blame, SN_NONE for none. */
sn_result sn_reader_fail(sn_reader *r, sn_message_id id, uint32_t value, const char *format, ...);
sn_result sn_reader_no_memory(sn_reader *r);
/* At most a few hundred are kept, so that a broken file costs no more than a whole one. */
void sn_reader_warn(sn_reader *r, sn_message_id id, uint32_t value, const char *format, ...);

/* ---- JSON by schema (schema.c) ---- */

#define SN_IS(type) (1u << SN_JSON_##type)
#define SN_IS_ANY 0x7Fu
#define SN_IS_BOOL (SN_IS(TRUE) | SN_IS(FALSE))
#define SN_REQUIRED 0x80u

/* The name is in the table itself and padded, so that it can be compared eight bytes at a time. */
#define SN_MEMBER_ROOM 24
typedef struct sn_member {
    char name[SN_MEMBER_ROOM];
    uint32_t length; /* of the name */
    uint32_t types;  /* SN_IS(…), SN_REQUIRED */
} sn_member;
#define SN_MEMBER(name, types) {name, sizeof(name) - 1, types}

/* The values of the named members, SN_NONE for those absent; members of other names are passed
 * over. Errors: json.type, member.missing. */
sn_result sn_reader_members(sn_reader *r, uint32_t object, const sn_member *members, uint32_t count,
                            uint32_t *values);

/* An index below `limit`; SN_NONE stays SN_NONE. Errors: json.type, reference. */
sn_result sn_reader_index(sn_reader *r, uint32_t value, uint32_t limit, const char *what,
                          uint32_t *out);
/* An integer in 0 … most; `out` is left alone when value is SN_NONE. */
sn_result sn_reader_size(sn_reader *r, uint32_t value, uint64_t most, uint64_t *out);
/* Exactly `count` finite numbers; `out` is left alone when value is SN_NONE. */
sn_result sn_reader_floats(sn_reader *r, uint32_t value, uint32_t count, float *out);
/* An array of indices below `limit`, in the arena; none when value is SN_NONE. */
sn_result sn_reader_indices(sn_reader *r, uint32_t value, uint32_t limit, const char *what,
                            const uint32_t **out, uint32_t *count);
/* A decoded string in the arena, "" when value is SN_NONE; NULL when out of memory. */
const char *sn_reader_string(sn_reader *r, uint32_t value);
/* A string's decoded bytes, where they are if it has no escapes; NULL when out of memory. */
const char *sn_reader_text(sn_reader *r, uint32_t value, size_t *length);
/* extensions.NAME of an object, or SN_NONE. */
uint32_t sn_extension_of(const sn_json *json, uint32_t extensions, const char *name);

extern const sn_member sn_gltf_root_members[SN_ROOT_COUNT];

/* Where a file's bytes come from: copied, lent for the life of the result, or given: made with the
 * options' allocator and freed by the reader, even when it fails. */
typedef enum sn_bytes_from { SN_BYTES_COPIED, SN_BYTES_LENT, SN_BYTES_GIVEN } sn_bytes_from;
sn_result sn_gltf_read_from(const void *bytes, size_t size, sn_bytes_from from,
                            const sn_gltf_options *options, sn_gltf **out, sn_error *error);

/* ---- The parts, in the order of reading ---- */

sn_result sn_reader_container(sn_reader *r, const char **text, size_t *length);
sn_result sn_reader_asset(sn_reader *r);   /* version, required extensions */
sn_result sn_reader_buffers(sn_reader *r); /* objects and bytes */
sn_result sn_reader_views(sn_reader *r);
sn_result sn_reader_accessors(sn_reader *r);
sn_result sn_reader_nodes(sn_reader *r);
sn_result sn_reader_scenes(sn_reader *r);
sn_result sn_reader_meshes(sn_reader *r);
sn_result sn_reader_node_weights(sn_reader *r); /* after nodes and meshes */
sn_result sn_reader_skins(sn_reader *r);
sn_result sn_reader_animations(sn_reader *r);
sn_result sn_reader_images(sn_reader *r); /* paths of those that are files */

/* ---- Accessors (accessor.c, decode.c) ---- */

/* glTF's byte order: then bytes of a file are numbers of the machine. */
static inline bool sn_is_little_endian(void) {
    const union {
        uint16_t number;
        uint8_t bytes[2];
    } one = {1};
    return one.bytes[0];
}

uint32_t sn_component_size(uint32_t component_type); /* 0 for what is no component type */
/* Bytes from column to column: those of matrices start at multiples of 4 (glTF 2.0, 3.6.2.4). */
size_t sn_column_stride(const sn_gltf_accessor *accessor);
/* Bytes of one element, padding included. */
size_t sn_element_size(const sn_gltf_accessor *accessor);

/* From element to element, in bytes. */
size_t sn_accessor_stride(const sn_gltf *gltf, const sn_gltf_accessor *accessor);
/* Whether it lies within its view; its offset may be beyond what size_t holds. */
sn_result sn_reader_accessor_place(sn_reader *r, const sn_gltf_accessor *accessor, uint64_t offset);

/* All elements as floats (columns without padding), normalised integers scaled; made once and
 * shared. Zeros, with a warning, where the buffer has no bytes. */
sn_result sn_reader_decode_floats(sn_reader *r, uint32_t accessor, const float **out);
/* The same for unsigned integers of one row and column. */
sn_result sn_reader_decode_integers(sn_reader *r, uint32_t accessor, const uint32_t **out);
/* The same for joints: four an element. */
sn_result sn_reader_decode_joints(sn_reader *r, uint32_t accessor, const uint16_t **out);
/* A view's bytes, decompressed where needed; NULL, with a warning, when its buffer has none. */
sn_result sn_reader_view_bytes(sn_reader *r, uint32_t view, const uint8_t **out);

/* ---- Compressed views (buffer.c, filter.c) ---- */

typedef enum sn_meshopt_filter {
    SN_FILTER_NONE,
    SN_FILTER_OCTAHEDRAL,
    SN_FILTER_QUATERNION,
    SN_FILTER_EXPONENTIAL,
    SN_FILTER_COLOR
} sn_meshopt_filter;

/* In place. The stride goes with the filter: 4 or 8 for octahedra and colours, 8 for quaternions, a
 * multiple of 4 for exponents. */
void sn_meshopt_unfilter(uint8_t *bytes, size_t count, size_t stride, sn_meshopt_filter filter);

/* ---- URIs (uri.c) ---- */

bool sn_uri_is_data(const char *uri, size_t length);
/* Decodes the payload of a data: URI; returns NULL and sets *reason when it is broken, or out of
 * memory (*reason NULL). */
uint8_t *sn_uri_decode_data(const char *uri, size_t length, sn_arena *arena, size_t *size,
                            const char **reason);
/* Decodes a relative URI into a path without "." and without "..", but for those that lead out of
 * the folder; NULL and *reason as above. */
char *sn_uri_decode_path(const char *uri, size_t length, sn_arena *arena, const char **reason);
/* Whether a decoded path leads out of the folder it starts in. */
bool sn_path_leaves_folder(const char *path);
/* Appends a data: URI with base64. */
void sn_uri_append_data(sn_text *out, const char *head, size_t head_length, const uint8_t *bytes,
                        size_t size);

/* ---- Extensions (extension.c) ---- */

/* Where an extension refers to accessors and buffer views. */
typedef enum sn_extension_references {
    SN_REFERS_TO_NOTHING,
    SN_REFERS_VIEWS,      /* members named bufferView, at any depth */
    SN_REFERS_ATTRIBUTES, /* members of `attributes` are accessors */
    SN_REFERS_INDICES,    /* `indices` is an accessor */
    SN_REFERS_PROPERTIES, /* values, arrayOffsets, stringOffsets of property tables are views */
    SN_REFERS_UNSURE      /* as for an extension that Sinew does not know */
} sn_extension_references;

typedef struct sn_extension {
    const char *name;
    sn_extension_references references;
} sn_extension;

/* An extension that Sinew reads, or that it can leave alone although a file requires it: one about
 * appearance, physics or metadata, which changes no pose. NULL for any other. */
const sn_extension *sn_extension_find(const char *name, size_t length);

#endif
