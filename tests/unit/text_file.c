#include "tests/unit/text_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/gltf_files.h"

#ifndef SINEW_SOURCE_DIR
#error "SINEW_SOURCE_DIR names the root of the repository"
#endif

char *test_source_text(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", SINEW_SOURCE_DIR, name);
    size_t size;
    char *text = (char *)test_read_bytes(path, &size); /* which leaves room for the end */
    if (!text)
        fail_msg("%s cannot be read", path);
    text[size] = '\0';
    return text;
}
