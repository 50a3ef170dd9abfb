/* What a server offers of a folder: models, and the files that they name. Nothing else in the
 * folder can be had. */
#ifndef SN_SERVER_OFFER_H
#define SN_SERVER_OFFER_H

#include <sys/stat.h>

#include "sinew/json.h"

typedef struct offer offer;

/* `path` is a model file, or a folder whose models (those directly in it) are offered as they come
 * and go. Errors: io.read, memory. */
sn_result offer_create(const char *path, offer **out, sn_error *error);
void offer_free(offer *o);

/* The one model that is offered, or NULL when it is a folder. */
const char *offer_only(const offer *o);

/* Appends a JSON array of {name, size, url}, sorted by name; url_prefix needs no escape. */
void offer_list(offer *o, const char *url_prefix, sn_text *json);

/* Opens an offered file by its path; -1 when there is none. */
int offer_open(offer *o, const char *path, struct stat *status);

/* Opens any file below a folder, but none that a link leads to outside it; -1 when there is none.
 * `root` is a real path. */
int open_below(const char *root, const char *path, struct stat *status);

#endif
