/* What the native benches and the instruction counts run on: a humanoid of 68 joints with fingers,
 * face and hair, whose every joint turns, moves and scales, in clips of 30 keys a second. */
#ifndef SN_BENCH_SCENARIO_H
#define SN_BENCH_SCENARIO_H

#include "sinew/pose.h"
#include "sinew/skin.h"
#include "sinew/two_bone.h"
#include "sinew/two_bone_batch.h"

enum { SCENARIO_JOINTS = 68, SCENARIO_VERTICES = 10000 };

typedef enum scenario_times {
    SCENARIO_SHARED_TIMES, /* one array of times for all tracks */
    SCENARIO_PRIVATE_TIMES /* each track keeps about half of the keys, its own half */
} scenario_times;

/* The skeleton's nodes: parents first, depth-first, as exporters write them. */
extern const uint32_t scenario_parents[SCENARIO_JOINTS];
void scenario_rest(sn_transform rest[SCENARIO_JOINTS]);
sn_skeleton *scenario_skeleton(sn_kernel kernel);

/* translation, rotation and scale of every joint; key_count keys, 30 a second. Freed by
 * scenario_free_clip. Ends the program when there is no memory, as everything here does. */
sn_clip *scenario_clip(uint32_t key_count, scenario_times times);
void scenario_free_clip(sn_clip *clip);

/* Vertices with `influence_count` joints each (at most 4), normals and tangents. */
typedef struct scenario_mesh {
    sn_geometry geometry;
    sn_affine joint_matrices[SCENARIO_JOINTS];
} scenario_mesh;

scenario_mesh *scenario_make_mesh(uint32_t influence_count);
void scenario_free_mesh(scenario_mesh *mesh);

/* Arms that are bent, of any length, and targets that most of them reach: for the solver in lanes,
 * and the first of them for the solver of one chain. */
enum { SCENARIO_LIMBS = 64 };
typedef struct scenario_limbs {
    float numbers[21][SCENARIO_LIMBS];
    sn_two_bone_batch batch; /* of these numbers */
    sn_transform joints[3];
    sn_two_bone_options options;
    sn_two_bone_job job;
} scenario_limbs;

scenario_limbs *scenario_make_limbs(void); /* freed by free */

/* `count` times in 0 … duration: running on at 60 frames a second (wrapping), the same backward, or
 * in no order. */
typedef enum scenario_order { SCENARIO_FORWARD, SCENARIO_BACKWARD, SCENARIO_RANDOM } scenario_order;
void scenario_fill_times(scenario_order order, float duration, float *times, uint32_t count);

void *scenario_alloc(size_t bytes); /* zeroed, aligned to 64 */

#endif
