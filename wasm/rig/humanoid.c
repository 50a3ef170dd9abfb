/* Which joints are the bones of a human. */
#include "export.h"
#include "sinew/humanoid.h"

EXPORT(humanoid_size) size_t export_humanoid_size(void) {
    return sizeof(sn_humanoid);
}

EXPORT(human_bone_count) uint32_t export_human_bone_count(void) {
    return SN_HUMAN_BONE_COUNT;
}

EXPORT(human_bone_name) const char *export_human_bone_name(uint32_t bone) {
    return sn_human_bone_name((sn_human_bone)bone);
}

/* By the joints' names, NUL-terminated; 0 for one that is not to be looked at. */
EXPORT(humanoid_from_names)
sn_result export_humanoid_from_names(const sn_joints *joints, const char *const *names,
                                     sn_humanoid *out, sn_error *error) {
    return sn_humanoid_from_names(joints, names, NULL, out, error);
}
