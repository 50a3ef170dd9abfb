#include <string.h>

#include "anim/skeleton.h"

size_t sn_pose_size(const sn_skeleton *skeleton) {
    return sn_pose_floats(skeleton) * sizeof(float);
}

void sn_pose_rest(const sn_skeleton *skeleton, sn_pose pose) {
    memcpy(pose.data, skeleton->rest, sn_pose_size(skeleton));
}

void sn_pose_copy(const sn_skeleton *skeleton, sn_pose to, sn_pose from) {
    memmove(to.data, from.data, sn_pose_size(skeleton));
}

static void get(const float *from, uint32_t lanes, float *to, uint32_t width) {
    for (uint32_t i = 0; i < width; i++)
        to[i] = from[(size_t)i * lanes];
}

static void set(float *to, uint32_t lanes, const float *from, uint32_t width) {
    for (uint32_t i = 0; i < width; i++)
        to[(size_t)i * lanes] = from[i];
}

void sn_pose_get(const sn_skeleton *skeleton, sn_pose pose, uint32_t joint, sn_transform *out) {
    uint32_t lanes = skeleton->kernels->lanes;
    const float *first = pose.data + sn_pose_index(skeleton, joint, 0);
    get(first + SN_POSE_ROTATION * lanes, lanes, out->rotation, 4);
    get(first + SN_POSE_TRANSLATION * lanes, lanes, out->translation, 3);
    get(first + SN_POSE_SCALE * lanes, lanes, out->scale, 3);
}

void sn_pose_set(const sn_skeleton *skeleton, sn_pose pose, uint32_t joint,
                 const sn_transform *value) {
    uint32_t lanes = skeleton->kernels->lanes;
    float *first = pose.data + sn_pose_index(skeleton, joint, 0);
    set(first + SN_POSE_ROTATION * lanes, lanes, value->rotation, 4);
    set(first + SN_POSE_TRANSLATION * lanes, lanes, value->translation, 3);
    set(first + SN_POSE_SCALE * lanes, lanes, value->scale, 3);
}

void sn_clip_sample(const sn_skeleton *skeleton, const sn_clip *clip, float time, sn_pose out) {
    uint32_t lanes = skeleton->kernels->lanes;
    sn_pose_rest(skeleton, out);
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const sn_track *track = clip->tracks[i];
        if (track->path == SN_PATH_WEIGHTS || track->node >= skeleton->joint_count)
            continue;
        float value[4];
        sn_track_evaluate(track, time, value);
        uint32_t joint = skeleton->joint_of_node[track->node], part = sn_part_of(track->path);
        float *first = out.data + sn_pose_index(skeleton, joint, sn_part_vector(part));
        set(first, lanes, value, sn_part_width(part));
    }
}

void sn_hierarchy_update(const sn_skeleton *skeleton, sn_pose pose, const sn_affine *root,
                         sn_affine *world) {
    sn_affine identity = sn_affine_identity();
    skeleton->kernels->hierarchy(skeleton, pose.data, root ? root : &identity, world);
}
