#include <string.h>

#include "base/error.h"
#include "base/names.h"

/* ---- Lists of names, as text ---- */

typedef struct list {
    char *out;
    size_t size; /* without the room kept for list_more */
    size_t length;
    uint32_t count;
} list;

static const char more[] = ", …";

static list list_start(char *out, size_t size) {
    out[0] = '\0';
    return (list){out, size - sizeof more, 0, 0};
}

static bool list_append(list *l, const char *text) {
    size_t length = strlen(text);
    if (length >= l->size - l->length)
        return false;
    memcpy(l->out + l->length, text, length + 1);
    l->length += length;
    return true;
}

static bool list_append_unsigned(list *l, uint32_t value) {
    char digits[11];
    size_t n = sizeof digits - 1;
    digits[n] = '\0';
    do
        digits[--n] = (char)('0' + value % 10);
    while (value /= 10);
    return list_append(l, digits + n);
}

#define SHOWN 64 /* bytes of a name; of a longer one the beginning is shown */

/* The name as messages have it, in `out` when it has to be cut. */
static const char *shown(const char *name, char out[SHOWN + sizeof "…"]) {
    if (strlen(name) <= SHOWN)
        return name;
    sn_format(out, SHOWN + 1, "%s", name); /* cuts between characters */
    strcat(out, "…");
    return out;
}

/* False when the entry does not fit whole: it is left out, and the list says that there is more. */
static bool list_add(list *l, const sn_names *names, uint32_t i) {
    size_t before = l->length;
    char cut[SHOWN + sizeof "…"];
    bool fits = list_append(l, l->count ? ", \"" : "\"") &&
                list_append(l, shown(names->name(names->owner, i), cut)) && list_append(l, "\"") &&
                (!names->indexed ||
                 (list_append(l, " (") && list_append_unsigned(l, i) && list_append(l, ")")));
    l->count++;
    if (!fits)
        memcpy(l->out + before, more, sizeof more);
    return fits;
}

/* ---- Resemblance ---- */

#define LONGEST 48         /* longer names are compared by their beginning */
#define LONGEST_AROUND 256 /* and not looked for in others, which takes the product of lengths */

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool contains(const char *text, const char *part) {
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && lower(text[i]) == lower(part[i]))
            i++;
        if (!part[i])
            return true;
    }
    return false;
}

/* Letters to add, drop or change (Levenshtein), case aside. One that contains the other
 * ("LeftArm", "mixamorig:LeftArm") is as near as one wrong letter. */
static uint32_t distance(const char *a, const char *b) {
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);
    if (a_length > 2 && b_length > 2 && a_length <= LONGEST_AROUND && b_length <= LONGEST_AROUND &&
        (contains(a, b) || contains(b, a)))
        return 1;
    a_length = a_length < LONGEST ? a_length : LONGEST;
    b_length = b_length < LONGEST ? b_length : LONGEST;
    uint32_t row[LONGEST + 1];
    for (uint32_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            uint32_t change = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            uint32_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < shorter ? change : shorter;
        }
    }
    return row[b_length];
}

#define CLOSE_NAMES 3
#define FIRST_NAMES 8

void sn_names_suggest(const sn_names *names, const char *wanted, char *out, size_t size) {
    list l = list_start(out, size);
    size_t wanted_length = strlen(wanted);
    uint32_t limit = 1 + (uint32_t)(wanted_length < LONGEST ? wanted_length : LONGEST) / 4;
    uint32_t best[CLOSE_NAMES];
    uint32_t how_far[CLOSE_NAMES];
    uint32_t found = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = names->name(names->owner, i);
        uint32_t d = name[0] ? distance(wanted, name) : UINT32_MAX;
        uint32_t place = found;
        while (place > 0 && how_far[place - 1] > d)
            place--;
        if (d > limit || place == CLOSE_NAMES)
            continue;
        found += found < CLOSE_NAMES ? 1 : 0;
        for (uint32_t k = found - 1; k > place; k--) {
            best[k] = best[k - 1];
            how_far[k] = how_far[k - 1];
        }
        best[place] = i;
        how_far[place] = d;
    }
    if (found) {
        list_append(&l, "; close: ");
        for (uint32_t k = 0; k < found && list_add(&l, names, best[k]); k++)
            continue;
        return;
    }
    list_append(&l, names->count == 1 ? "; there is " : "; there are ");
    list_append_unsigned(&l, names->count);
    for (uint32_t i = 0; i < names->count; i++) {
        if (!names->name(names->owner, i)[0])
            continue;
        if (l.count == FIRST_NAMES) {
            memcpy(l.out + l.length, more, sizeof more);
            return;
        }
        if (l.count == 0)
            list_append(&l, ": ");
        if (!list_add(&l, names, i))
            return;
    }
}

/* ---- Resolving ---- */

static sn_result resolve_index(const sn_names *names, const sn_json *json, uint32_t value,
                               uint32_t *out, sn_error *error) {
    uint64_t index;
    if (!sn_json_unsigned(json, value, &index) || index >= names->count)
        return sn_fail(error, names->messages->name, sn_json_place_of(json, value).text,
                       "no %s has this index; there are %u", names->what, names->count);
    *out = (uint32_t)index;
    return SN_OK;
}

static sn_result resolve_name(const sn_names *names, const sn_json *json, uint32_t value,
                              sn_arena *arena, uint32_t *out, sn_error *error) {
    size_t length;
    const char *wanted = sn_json_string(json, value, arena, &length);
    if (!wanted)
        return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "not enough memory for a name");
    char text[320], cut[SHOWN + sizeof "…"];
    if (strlen(wanted) != length)
        return sn_fail(error, names->messages->name, sn_json_place_of(json, value).text,
                       "no %s is named \"%s\", a NUL and more: names are read up to a NUL",
                       names->what, shown(wanted, cut));
    list candidates = list_start(text, sizeof text);
    bool fits = true;
    uint32_t found = 0;
    for (uint32_t i = 0; i < names->count && length; i++) {
        const char *name = names->name(names->owner, i);
        if (strlen(name) != length || memcmp(name, wanted, length) != 0)
            continue;
        *out = i;
        found++;
        fits = fits && list_add(&candidates, names, i);
    }
    if (found == 1)
        return SN_OK;
    if (found > 1)
        return sn_fail(error, names->messages->ambiguous, sn_json_place_of(json, value).text,
                       "%u %ss have this name, give the index of one: %s", found, names->what,
                       text);
    sn_names_suggest(names, wanted, text, sizeof text);
    return sn_fail(error, names->messages->name, sn_json_place_of(json, value).text,
                   "no %s is named \"%s\"%s", names->what, shown(wanted, cut), text);
}

sn_result sn_names_resolve(const sn_names *names, const sn_json *json, uint32_t value,
                           sn_arena *arena, uint32_t *out, sn_error *error) {
    switch (json->nodes[value].type) {
    case SN_JSON_NUMBER:
        return resolve_index(names, json, value, out, error);
    case SN_JSON_STRING:
        return resolve_name(names, json, value, arena, out, error);
    default:
        return sn_fail(error, names->messages->type, sn_json_place_of(json, value).text,
                       "a %s is given by its name or its index", names->what);
    }
}
