/* Results, errors and the one list of messages.
 *
 * Three kinds of failure are kept apart:
 *  - a caller's mistake (null, wrong size) is an SN_ASSERT, checked in debug and sanitizer builds;
 *  - bad data is an sn_result with an sn_error that says what, where and what would be right;
 *  - "cannot be reached" is an output flag with a residual, never an error.
 */
#ifndef SINEW_RESULT_H
#define SINEW_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "No index": an absent parent, skin, mesh, … */
#define SN_NONE UINT32_MAX

typedef enum sn_result {
    SN_OK = 0,
    SN_ERROR_MEMORY,      /* the allocator or its byte limit said no */
    SN_ERROR_LIMIT,       /* the input asks for more than a stated bound */
    SN_ERROR_IO,          /* a file or resource could not be read or written */
    SN_ERROR_SYNTAX,      /* not JSON, not a GLB container, not UTF-8 */
    SN_ERROR_INVALID,     /* well-formed, but breaks the specification */
    SN_ERROR_UNSUPPORTED, /* a required extension that Sinew does not know */
    SN_ERROR_ARGUMENT     /* a command or option that cannot be carried out */
} sn_result;

typedef enum sn_severity { SN_SEVERITY_ERROR, SN_SEVERITY_WARNING, SN_SEVERITY_INFO } sn_severity;

/* Every message Sinew can give, with its stable name; tests assert the id. */
typedef enum sn_message_id {
    SN_MESSAGE_NONE = 0,
#define SN_MESSAGE(id, name, result) id,
#include "sinew/messages.h"
#undef SN_MESSAGE
    SN_MESSAGE_COUNT
} sn_message_id;

/* The stable name, such as "json.trailing"; static storage. "" for SN_MESSAGE_NONE. */
const char *sn_message_name(sn_message_id id);

/* The sn_result that a failure with this id returns. */
sn_result sn_message_result(sn_message_id id);

/* What went wrong. Filled by the function that fails, left alone by one that succeeds.
 * Every function that takes an sn_error accepts NULL. */
typedef struct sn_error {
    sn_message_id id;
    uint32_t line;     /* 1-based position in JSON text; 0 when a pointer says where */
    uint32_t column;   /* 1-based, in bytes */
    char pointer[256]; /* JSON pointer (RFC 6901) such as "/accessors/3/count"; "" when unknown */
    char text[512];    /* one sentence: what it is, and what would be right */
} sn_error;

#ifdef __cplusplus
}
#endif
#endif
