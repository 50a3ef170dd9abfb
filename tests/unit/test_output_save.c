/* Saving several files: all are replaced or none, and nothing else is left in the folder, with
 * hard links and without, wherever renaming fails. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sinew/gltf.h"
#include "tests/unit/gltf_files.h"

/* The C library's, in their place: one that can be missing, one that can fail. */
static bool has_links;
static int rename_calls, failing_rename;

int link(const char *from, const char *to) {
    if (has_links)
        return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = EPERM; /* as FAT says it */
    return -1;
}

int rename(const char *from, const char *to) {
    if (++rename_calls != failing_rename)
        return renameat(AT_FDCWD, from, AT_FDCWD, to);
    errno = EIO;
    return -1;
}

static char folder[64];

static const char *in_folder(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int entries(void) {
    DIR *all = opendir(folder);
    assert_non_null(all);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(all));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(all);
    return count;
}

static void assert_holds(const char *name, const char *text) {
    size_t size;
    uint8_t *bytes = test_read_bytes(in_folder(name), &size);
    assert_non_null(bytes);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(bytes, text, size);
    free(bytes);
}

static sn_result save(char *main_text, char *buffer_text, sn_error *error) {
    sn_output_file files[] = {
        {(char[]){""}, (uint8_t *)main_text, strlen(main_text)},
        {(char[]){"a.bin"}, (uint8_t *)buffer_text, strlen(buffer_text)},
    };
    sn_output output = {.files = files, .file_count = 2, .file_capacity = 2};
    rename_calls = 0;
    return sn_output_save(&output, in_folder("m.gltf"), error);
}

static void remove_files(void) {
    unlink(in_folder("m.gltf"));
    unlink(in_folder("a.bin"));
}

static void all_files_are_replaced_or_none(void **state) {
    (void)state;
    char one[] = "{1}", two[] = "{22}", first[] = "x", second[] = "yy";
    sn_error error;
    for (int links = 0; links < 2; links++) {
        has_links = links;
        int fail_at = 1;
        for (;; fail_at++) { /* onto files that are there */
            failing_rename = 0;
            assert_int_equal(save(one, first, &error), SN_OK);
            assert_int_equal(entries(), 2);
            failing_rename = fail_at;
            sn_result result = save(two, second, &error);
            assert_int_equal(entries(), 2);
            assert_holds("m.gltf", result ? one : two);
            assert_holds("a.bin", result ? first : second);
            if (!result)
                break;
            assert_int_equal(error.id, SN_MESSAGE_IO_WRITE);
        }
        assert_true(fail_at > 2);
        for (fail_at = 1;; fail_at++) { /* where nothing is */
            remove_files();
            failing_rename = fail_at;
            sn_result result = save(two, second, &error);
            assert_int_equal(entries(), result ? 0 : 2);
            if (!result)
                break;
        }
        assert_true(fail_at > 2);
        remove_files();
    }
}

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/sinew-save-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    remove_files();
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_files_are_replaced_or_none),
    };
    return cmocka_run_group_tests_name("saving", tests, make_folder, remove_folder);
}
