/* Random but repeatable commands that mostly can be carried out on a document. */
#ifndef SN_TESTS_EDIT_RANDOM_H
#define SN_TESTS_EDIT_RANDOM_H

#include "sinew/document.h"
#include "tests/unit/motion.h"

/* Writes a command of a random kind over `out`. It names clips, tracks and keys that are there,
 * now and then one that is not; keys meet other keys on purpose. */
void test_random_command(test_random *random, const sn_document *document, sn_text *out);

#endif
