#include "vrm.h"

#include "skeleton.h"

/* Fields and their meaning: VRMC_vrm-1.0 of the VRM Consortium, README, meta.md and lookAt.md. */

static void add_meta(text *out) {
    text_add(
        out,
        "\"meta\":{\"name\":\"Mannequin\",\"version\":\"1\",\"authors\":[\"The Sinew authors\"],");
    text_add(out, "\"copyrightInformation\":\"CC0 1.0, no rights reserved\",");
    text_add(out, "\"licenseUrl\":\"https://vrm.dev/licenses/1.0/\",");
    text_add(out, "\"otherLicenseUrl\":\"https://creativecommons.org/publicdomain/zero/1.0/\",");
    text_add(out, "\"avatarPermission\":\"everyone\",\"commercialUsage\":\"corporation\",");
    text_add(out, "\"creditNotation\":\"unnecessary\",\"allowRedistribution\":true,");
    text_add(out, "\"modification\":\"allowModificationRedistribution\"},");
}

/* Up to 90 degrees to the side the eyes take a third of the turn. */
static void add_range(text *out, const char *which, double degrees, const char *end) {
    text_add(out, "\"rangeMap%s\":{\"inputMaxValue\":90,\"outputScale\":%g}%s", which, degrees,
             end);
}

void vrm_extension(text *out) {
    vec3 eye = v3_sub(joint_rest(JOINT_LEFT_EYE), joint_rest(JOINT_HEAD));
    text_add(out, "{\"VRMC_vrm\":{\"specVersion\":\"1.0\",");
    add_meta(out);
    text_add(out, "\"humanoid\":{\"humanBones\":{");
    for (int j = JOINT_HIPS; j < JOINT_COUNT; j++)
        text_add(out, "%s\"%s\":{\"node\":%d}", j > JOINT_HIPS ? "," : "", joint_name(j), j);
    /* Readers take a missing list of expressions for a missing gaze. */
    text_add(out, "}},\"expressions\":{\"preset\":{}}");
    text_add(out, ",\"lookAt\":{\"type\":\"bone\",\"offsetFromHeadBone\":[0,%.9g,%.9g],",
             (double)(float)eye.y, (double)(float)eye.z);
    add_range(out, "HorizontalInner", 26.0, ",");
    add_range(out, "HorizontalOuter", 30.0, ",");
    add_range(out, "VerticalDown", 16.0, ",");
    add_range(out, "VerticalUp", 14.0, "}}}");
}
