/* Reading and writing glTF 2.0 (.gltf, .glb, .vrm, .vrma), losslessly.
 *
 * A file is read whole: container, JSON, buffers; the model is made from it. What was not edited
 * is written back as it was read: the JSON text is spliced, not rebuilt. */
#ifndef SINEW_GLTF_H
#define SINEW_GLTF_H

#include "sinew/json.h"
#include "sinew/memory.h"
#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_gltf sn_gltf;

/* Fetches what a URI of the file names (already percent-decoded, relative to the file, without "."
 * and without ".." but at its start), once however often the file names it. Returns bytes made with
 * `allocator`, which the reader frees. A failure is io.read. */
typedef struct sn_resource_loader {
    sn_result (*load)(void *user, const char *path, const sn_allocator *allocator, uint8_t **bytes,
                      size_t *size, sn_error *error);
    void *user;
} sn_resource_loader;

/* Decodes one compressed buffer view (EXT_meshopt_compression, KHR_meshopt_compression) into
 * `count * stride` bytes, without its filter: the reader undoes that. mode: 0 ATTRIBUTES,
 * 1 TRIANGLES, 2 INDICES. */
typedef struct sn_view_decoder {
    bool (*decode)(void *user, uint32_t buffer_view, uint8_t *out, size_t count, size_t stride,
                   const uint8_t *source, size_t source_size, int mode);
    void *user;
} sn_view_decoder;

/* Natively the decoder of libmeshoptimizer; NULL where it is not built in. */
const sn_view_decoder *sn_view_decoder_meshopt(void);

typedef struct sn_gltf_options {
    const sn_allocator *allocator; /* default: the C library's */
    size_t memory_limit;       /* bytes in use; default: 64 MiB + 64 bytes for each byte of input:
                                  the file and what the loader brings */
    sn_resource_loader loader; /* default: external URIs are an error (io.read) */
    const sn_view_decoder *decoder; /* default: sn_view_decoder_meshopt() */
    bool skip_geometry;             /* leave vertices and indices undecoded */
    bool borrow;                    /* `bytes` outlive the result, so they are not copied */
    bool layout_only;               /* stop after buffers and buffer views: the model is empty */
} sn_gltf_options;

/* Reads a .gltf or .glb from memory (told apart by the GLB magic). `bytes` may be freed after,
 * unless `borrow` is set. Never crashes, hangs or exceeds the limit, whatever the bytes. */
sn_result sn_gltf_read(const void *bytes, size_t size, const sn_gltf_options *options,
                       sn_gltf **out, sn_error *error);

/* Reads a file and the files beside it; `path` "-" is standard input. Not in WebAssembly. */
sn_result sn_gltf_read_file(const char *path, const sn_gltf_options *options, sn_gltf **out,
                            sn_error *error);
void sn_gltf_free(sn_gltf *gltf);

const sn_model *sn_gltf_model(const sn_gltf *gltf);
const sn_json *sn_gltf_json(const sn_gltf *gltf);
bool sn_gltf_is_binary(const sn_gltf *gltf);

/* What the reader skipped or repaired. */
typedef struct sn_warning {
    sn_message_id id;
    char *pointer;
    char *text;
} sn_warning;
size_t sn_gltf_warnings(const sn_gltf *gltf, const sn_warning **out);

/* A buffer view that is compressed. For hosts that cannot decode on demand: read with layout_only,
 * decode each of these, then read again with a sn_view_decoder that looks the bytes up. */
typedef struct sn_compressed_view {
    uint32_t buffer;       /* that holds the compressed bytes */
    const uint8_t *source; /* lives as long as the sn_gltf; NULL where the buffer has no bytes */
    size_t source_size;
    size_t count, stride; /* decoded it has count * stride bytes */
    int mode;             /* as sn_view_decoder has it */
    int filter;           /* 0 NONE, 1 OCTAHEDRAL, 2 QUATERNION, 3 EXPONENTIAL, 4 COLOR */
} sn_compressed_view;

size_t sn_gltf_view_count(const sn_gltf *gltf);
bool sn_gltf_view_is_compressed(const sn_gltf *gltf, uint32_t buffer_view);
/* The view must be compressed. Errors: what the reader gives for it. */
sn_result sn_gltf_compressed_view(const sn_gltf *gltf, uint32_t buffer_view,
                                  sn_compressed_view *out, sn_error *error);

/* External URIs of a file, decoded, without reading them: for hosts that cannot load on demand.
 * Strings are in `arena`. */
sn_result sn_gltf_list_resources(const void *bytes, size_t size, sn_arena *arena,
                                 const char ***paths, size_t *count, sn_error *error);

/* ---- Writing ---- */

typedef enum sn_container { SN_CONTAINER_GLB, SN_CONTAINER_GLTF } sn_container;

/* One file that writing produced: the main file first, then buffers beside it. */
typedef struct sn_output_file {
    char *path; /* relative to the main file; "" for the main file itself */
    uint8_t *bytes;
    size_t size;
} sn_output_file;

typedef struct sn_output {
    const sn_allocator *allocator;
    sn_output_file *files;
    size_t file_count;
    size_t file_capacity;
    /* Accessors and buffer views that the edit left without a user, but that had to stay, since an
     * extension that Sinew does not know may refer to others by number. */
    uint32_t orphan_count;
    uint32_t empty_clip_count; /* clips that are left out, since they have no tracks */
    /* Bytes of a GLB that a .gltf has no place for: chunks of unknown types with their headers, and
     * what follows the last chunk. */
    size_t dropped_size;
} sn_output;
void sn_output_free(sn_output *output);

typedef struct sn_gltf_write_options {
    bool replace_clips; /* write `clips` in place of the file's own; default: as it was read */
    const sn_clip *clips;
    size_t clip_count;
    /* Write the extension SINEW_modifiers with this JSON text as its value, or without it where the
     * text is NULL; default: as it was read. */
    bool replace_modifiers;
    const char *modifiers;
    sn_container container;
    /* A file's name for a GLB's binary chunk that becomes a file of its own; default
     * "buffer.bin". */
    const char *buffer_name;
    const sn_allocator *allocator; /* of the output; default: the C library's */
} sn_gltf_write_options;

/* Writes the file, unedited or with other clips and modifiers. In the container that it was read
 * from, an unedited file comes back byte by byte.
 *
 * A track that is the very track of the model (same pointer as in sn_gltf_model()->clips) is
 * written back as it was read; its clip's `origin` says which animation it replaces. For a track
 * that is not: its sampler's and accessors' places are reused when nobody else uses them, its
 * bytes overwritten where they fit, else appended; accessors and views that nobody uses any more
 * are removed. Exact times and interpolation are kept; min and max are written. A clip without
 * tracks has no form in glTF and is left out.
 *
 * Buffers: into GLB, the first becomes the binary chunk, files beside it become data: URIs. Out of
 * GLB, the binary chunk becomes a file. Else each stays in the form it has. A buffer in a file
 * whose path leaves the folder (../) is read but not written: io.write. */
sn_result sn_gltf_write(const sn_gltf *gltf, const sn_gltf_write_options *options, sn_output *out,
                        sn_error *error);

/* URIs of images that are files beside this one, decoded: what must be copied with it. */
size_t sn_gltf_image_paths(const sn_gltf *gltf, const char *const **out);

/* Writes all files beside their places, flushes, then renames: all or none is replaced. `path`
 * "-" is standard output (one file only). */
sn_result sn_output_save(const sn_output *output, const char *path, sn_error *error);

/* ---- Making a file from nothing (samples, converters) ---- */

/* Collects arrays into one buffer; the JSON of nodes, meshes and so on is the caller's. A failure
 * on the way (memory) is reported at the end. */
typedef struct sn_gltf_builder sn_gltf_builder;
typedef struct sn_accessor_desc {
    const void *data; /* tight, in the machine's byte order */
    uint32_t count;
    uint32_t component_type;  /* 5120 i8, 5121 u8, 5122 i16, 5123 u16, 5125 u32, 5126 float */
    uint32_t component_count; /* 1, 2, 3, 4; 16 is MAT4 */
    bool normalized;
    bool write_bounds; /* min and max */
    uint32_t target;   /* 34962 vertices, 34963 indices, 0 none */
} sn_accessor_desc;
/* NULL when out of memory. */
sn_gltf_builder *sn_gltf_builder_create(const sn_allocator *allocator);
/* The accessor's index. */
uint32_t sn_gltf_builder_accessor(sn_gltf_builder *builder, const sn_accessor_desc *desc);
/* Appends one element (its JSON text) to a top-level array such as "nodes" and returns its index.
 */
uint32_t sn_gltf_builder_append(sn_gltf_builder *builder, const char *array, const char *json);
/* Sets a top-level member such as "asset". "accessors", "bufferViews" and "buffers" are the
 * builder's. */
void sn_gltf_builder_set(sn_gltf_builder *builder, const char *member, const char *json);
/* Reads the result back through sn_gltf_read, so that a builder cannot make what the reader
 * would refuse. Frees the builder. */
sn_result sn_gltf_builder_finish(sn_gltf_builder *builder, sn_gltf **out, sn_error *error);

#ifdef __cplusplus
}
#endif
#endif
