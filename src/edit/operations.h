/* The operations: one row each in one table, from which commands are read and against which
 * documentation and schema are tested. */
#ifndef SN_EDIT_OPERATIONS_H
#define SN_EDIT_OPERATIONS_H

#include "edit/arguments.h"
#include "base/names.h"

/* One command being carried out: change the draft, or fail; a failed draft is dropped. */
typedef struct sn_call {
    sn_draft *draft;
    const sn_json *json;
    const sn_arguments *arguments;
} sn_call;

typedef struct sn_operation {
    const char *name;
    sn_object_shape shape;
    sn_result (*run)(const sn_call *call);
} sn_operation;

/* In the order of docs/commands.md. */
extern const sn_operation sn_operations[];
extern const uint32_t sn_operation_count;

/* Where a failure points to: a field of the command, or of one of its keys. */
sn_json_place sn_call_place(const sn_call *call, const sn_arguments *arguments, sn_field field);

/* Carries out the command that is this JSON value. */
sn_result sn_run_command(sn_draft *draft, const sn_json *json, uint32_t command);

sn_result sn_run_key_set(const sn_call *call);
sn_result sn_run_key_remove(const sn_call *call);
sn_result sn_run_key_move(const sn_call *call);
sn_result sn_run_keys_move(const sn_call *call);
sn_result sn_run_keys_scale(const sn_call *call);
sn_result sn_run_keys_remove(const sn_call *call);
sn_result sn_run_keys_paste(const sn_call *call);
sn_result sn_run_pose_key(const sn_call *call);
sn_result sn_run_track_interpolation(const sn_call *call);
sn_result sn_run_track_remove(const sn_call *call);
sn_result sn_run_clip_add(const sn_call *call);
sn_result sn_run_clip_remove(const sn_call *call);
sn_result sn_run_clip_rename(const sn_call *call);
sn_result sn_run_clip_copy(const sn_call *call);
sn_result sn_run_marker_set(const sn_call *call);
sn_result sn_run_modifier_add(const sn_call *call);
sn_result sn_run_modifier_set(const sn_call *call);
sn_result sn_run_modifier_remove(const sn_call *call);
sn_result sn_run_modifier_move(const sn_call *call);

#endif
