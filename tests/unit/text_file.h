/* Files of the repository, for tests that hold them against the code. */
#ifndef SN_TESTS_TEXT_FILE_H
#define SN_TESTS_TEXT_FILE_H

/* The text of a file, named from the root of the repository; the caller frees it. Fails the test
 * when it cannot be read. */
char *test_source_text(const char *name);

#endif
