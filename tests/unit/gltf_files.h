/* Files for the tests of the glTF reader and writer: those of the corpus, and what was written. */
#ifndef SN_TESTS_GLTF_FILES_H
#define SN_TESTS_GLTF_FILES_H

#include "sinew/gltf.h"

typedef struct test_files {
    char **paths; /* sorted */
    size_t count;
} test_files;

/* Every .gltf, .glb, .vrm and .vrma below the corpus; none, with a message, where it is not. */
test_files test_corpus(void);
void test_files_free(test_files *files);
/* The path relative to the corpus. */
const char *test_corpus_name(const char *path);
/* A whole file, with room for one byte more behind it; NULL when it cannot be read. */
uint8_t *test_read_bytes(const char *path, size_t *size);

/* Reads what was written, the files beside the main one included. */
sn_result test_read_output(const sn_output *output, const sn_gltf_options *options, sn_gltf **out,
                           sn_error *error);
/* A GLB of JSON text and, unless NULL, a binary chunk; to be freed. */
uint8_t *test_make_glb(const char *json, const void *binary, size_t binary_size, size_t *size);
/* Reads JSON text or fails the test. */
sn_gltf *test_read_text(const char *text);

#endif
