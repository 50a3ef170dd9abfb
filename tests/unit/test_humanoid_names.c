/* Human bones by name: the manners of naming that are about, and what must not be taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/humanoid.h"

enum { MOST = 128 };

/* A hierarchy written as "name>name>name, ..." : each list hangs its joints below each other; a
 * name that is there already is not made anew. */
typedef struct tree {
    char text[4096];
    const char *names[MOST];
    uint32_t parents[MOST];
    uint32_t count;
    sn_humanoid found;
} tree;

static uint32_t find(const tree *t, const char *name) {
    for (uint32_t i = 0; i < t->count; i++)
        if (strcmp(t->names[i], name) == 0)
            return i;
    return SN_NONE;
}

static void grow(tree *t, const char *text) {
    memset(t, 0, sizeof *t);
    assert_true(strlen(text) < sizeof t->text);
    strcpy(t->text, text);
    uint32_t above = SN_NONE;
    char *name = t->text;
    for (char *c = t->text;; c++) {
        char ends = *c;
        if (ends != '>' && ends != ',' && ends)
            continue;
        *c = 0;
        uint32_t joint = find(t, name);
        if (joint == SN_NONE) {
            joint = t->count++;
            assert_true(joint < MOST);
            t->names[joint] = name;
            t->parents[joint] = above;
        }
        above = ends == '>' ? joint : SN_NONE;
        if (!ends)
            break;
        while (c[1] == ' ')
            c++;
        name = c + 1;
    }
}

static void detect(tree *t) {
    const sn_joints joints = {.count = t->count, .parents = t->parents};
    assert_int_equal(sn_humanoid_from_names(&joints, t->names, NULL, &t->found, NULL), SN_OK);
    assert_true(t->found.facing > 0);
    for (uint32_t a = 0; a < SN_HUMAN_BONE_COUNT; a++)
        for (uint32_t b = 0; b < a; b++)
            if (t->found.joints[a] != SN_NONE)
                assert_int_not_equal(t->found.joints[a], t->found.joints[b]);
}

static void make(tree *t, const char *text) {
    grow(t, text);
    detect(t);
}

/* The bone is the joint so named; "" is none. */
static void expect(const tree *t, const char *bone, const char *name) {
    uint32_t joint = t->found.joints[sn_human_bone_find(bone)];
    const char *is = joint == SN_NONE ? "" : t->names[joint];
    if (strcmp(is, name) != 0)
        fail_msg("%s is \"%s\" instead of \"%s\"", bone, is, name);
}

static void test_vrm(void **state) {
    (void)state;
    /* Each bone of VRM 1.0 under its own name, hung as the table says. */
    tree t = {.count = SN_HUMAN_BONE_COUNT};
    for (uint32_t i = 0; i < SN_HUMAN_BONE_COUNT; i++) {
        t.names[i] = sn_human_bone_name((sn_human_bone)i);
        sn_human_bone parent = sn_human_bone_parent((sn_human_bone)i);
        t.parents[i] = parent == SN_HUMAN_NONE ? SN_NONE : (uint32_t)parent;
    }
    detect(&t);
    for (uint32_t i = 0; i < SN_HUMAN_BONE_COUNT; i++)
        assert_int_equal(t.found.joints[i], i);
    assert_int_equal(sn_humanoid_count(&t.found), SN_HUMAN_BONE_COUNT);
}

static void test_vroid(void **state) {
    (void)state;
    tree t;
    make(&t, "Root>J_Bip_C_Hips>J_Bip_C_Spine>J_Bip_C_Chest>J_Bip_C_UpperChest>J_Bip_C_Neck>"
             "J_Bip_C_Head>J_Adj_L_FaceEye, J_Bip_C_Head>J_Sec_Hair1_01, "
             "J_Bip_C_UpperChest>J_Sec_L_Bust1, "
             "J_Bip_C_UpperChest>J_Bip_L_Shoulder>J_Bip_L_UpperArm>J_Bip_L_LowerArm>J_Bip_L_Hand>"
             "J_Bip_L_Thumb1>J_Bip_L_Thumb2>J_Bip_L_Thumb3, "
             "J_Bip_L_Hand>J_Bip_L_Little1>J_Bip_L_Little2>J_Bip_L_Little3, "
             "J_Bip_C_Hips>J_Bip_L_UpperLeg>J_Bip_L_LowerLeg>J_Bip_L_Foot>J_Bip_L_ToeBase");
    expect(&t, "hips", "J_Bip_C_Hips");
    expect(&t, "upperChest", "J_Bip_C_UpperChest");
    expect(&t, "leftHand", "J_Bip_L_Hand");
    expect(&t, "leftThumbMetacarpal", "J_Bip_L_Thumb1");
    expect(&t, "leftThumbDistal", "J_Bip_L_Thumb3");
    expect(&t, "leftLittleIntermediate", "J_Bip_L_Little2");
    expect(&t, "leftToes", "J_Bip_L_ToeBase");
    expect(&t, "leftEye", "");
    expect(&t, "rightUpperArm", "");
}

/* With a namespace, with a number in it, and as three.js leaves it. */
static void test_mixamo(void **state) {
    (void)state;
    static const char *const prefixes[] = {
        "mixamorig:", "mixamorig9:",         "mixamorig",  "mixamorig1",
        "",           "Armature|mixamorig:", "Character1_"};
    static const char *const part =
        "@Hips>@Spine>@Spine1>@Spine2>@Neck>@Head>@HeadTop_End, @Head>@LeftEye, @Head>@RightEye, "
        "@Spine2>@LeftShoulder>@LeftArm>@LeftForeArm>@LeftHand>@LeftHandThumb1>@LeftHandThumb2>"
        "@LeftHandThumb3>@LeftHandThumb4, "
        "@LeftHand>@LeftHandPinky1>@LeftHandPinky2>@LeftHandPinky3>@LeftHandPinky4, "
        "@Spine2>@RightShoulder>@RightArm>@RightForeArm>@RightHand>@RightHandIndex1, "
        "@Hips>@RightUpLeg>@RightLeg>@RightFoot>@RightToeBase>@RightToe_End";
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
        char text[4096];
        size_t length = 0;
        for (const char *c = part; *c; c++) {
            size_t size = *c == '@' ? strlen(prefixes[p]) : 1;
            memcpy(text + length, *c == '@' ? prefixes[p] : c, size);
            length += size;
        }
        text[length] = 0;
        tree t;
        make(&t, text);
        static const char *const wanted[][2] = {{"hips", "Hips"},
                                                {"spine", "Spine"},
                                                {"chest", "Spine1"},
                                                {"upperChest", "Spine2"},
                                                {"neck", "Neck"},
                                                {"head", "Head"},
                                                {"rightEye", "RightEye"},
                                                {"leftShoulder", "LeftShoulder"},
                                                {"leftUpperArm", "LeftArm"},
                                                {"leftLowerArm", "LeftForeArm"},
                                                {"leftHand", "LeftHand"},
                                                {"leftThumbMetacarpal", "LeftHandThumb1"},
                                                {"leftThumbDistal", "LeftHandThumb3"},
                                                {"leftLittleProximal", "LeftHandPinky1"},
                                                {"leftLittleDistal", "LeftHandPinky3"},
                                                {"rightIndexProximal", "RightHandIndex1"},
                                                {"rightUpperLeg", "RightUpLeg"},
                                                {"rightLowerLeg", "RightLeg"},
                                                {"rightFoot", "RightFoot"},
                                                {"rightToes", "RightToeBase"}};
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            char name[64];
            strcpy(name, prefixes[p]);
            strcat(name, wanted[i][1]);
            expect(&t, wanted[i][0], name);
        }
        assert_int_equal(sn_humanoid_count(&t.found), 27);
    }
}

static void test_unreal(void **state) {
    (void)state;
    tree t;
    make(&t,
         "root>pelvis>spine_01>spine_02>spine_03>spine_04>spine_05>neck_01>neck_02>head, "
         "spine_05>clavicle_l>upperarm_l>lowerarm_l>hand_l>index_metacarpal_l>index_01_l>"
         "index_02_l>index_03_l, upperarm_l>upperarm_twist_01_l, lowerarm_l>lowerarm_twist_01_l, "
         "hand_l>thumb_01_l>thumb_02_l>thumb_03_l, "
         "pelvis>thigh_r>calf_r>foot_r>ball_r, root>ik_hand_root>ik_hand_gun>ik_hand_l, "
         "root>ik_foot_root>ik_foot_r, root>ik_hand_r");
    expect(&t, "hips", "pelvis");
    expect(&t, "spine", "spine_01");
    expect(&t, "chest", "spine_03");
    expect(&t, "upperChest", "spine_05");
    expect(&t, "neck", "neck_01");
    expect(&t, "head", "head");
    expect(&t, "leftShoulder", "clavicle_l");
    expect(&t, "leftHand", "hand_l");
    expect(&t, "leftIndexProximal", "index_01_l");
    expect(&t, "leftIndexDistal", "index_03_l");
    expect(&t, "leftThumbMetacarpal", "thumb_01_l");
    expect(&t, "rightLowerLeg", "calf_r");
    expect(&t, "rightFoot", "foot_r");
    expect(&t, "rightToes", "ball_r");
    expect(&t, "rightHand", "");
}

/* The spine of Rigify goes on into the head; limbs have twist joints of the same name. */
static void test_rigify(void **state) {
    (void)state;
    tree t;
    make(&t,
         "DEF-spine>DEF-spine.001>DEF-spine.002>DEF-spine.003>DEF-spine.004>DEF-spine.005>"
         "DEF-spine.006, DEF-spine>DEF-pelvis.L, "
         "DEF-spine.003>DEF-shoulder.L>DEF-upper_arm.L>DEF-upper_arm.L.001>DEF-forearm.L>"
         "DEF-forearm.L.001>DEF-hand.L>DEF-f_index.01.L>DEF-f_index.02.L>DEF-f_index.03.L, "
         "DEF-spine.003>DEF-shoulder.R>DEF-upper_arm.R>DEF-forearm.R>DEF-hand.R>"
         "DEF-palm.01.R>DEF-thumb.01.R>DEF-thumb.02.R>DEF-thumb.03.R, "
         "DEF-spine>DEF-thigh.L>DEF-thigh.L.001>DEF-shin.L>DEF-shin.L.001>DEF-foot.L>DEF-toe.L, "
         "DEF-spine>DEF-thigh.R>DEF-shin.R>DEF-foot.R");
    expect(&t, "hips", "DEF-spine");
    expect(&t, "spine", "DEF-spine.001");
    expect(&t, "chest", "DEF-spine.002");
    expect(&t, "upperChest", "DEF-spine.003");
    expect(&t, "neck", "DEF-spine.004");
    expect(&t, "head", "DEF-spine.006");
    expect(&t, "leftUpperArm", "DEF-upper_arm.L");
    expect(&t, "leftLowerArm", "DEF-forearm.L");
    expect(&t, "leftIndexDistal", "DEF-f_index.03.L");
    expect(&t, "rightThumbMetacarpal", "DEF-thumb.01.R");
    expect(&t, "leftLowerLeg", "DEF-shin.L");
    expect(&t, "leftToes", "DEF-toe.L");
    expect(&t, "rightToes", "");
}

static void test_biped(void **state) {
    (void)state;
    tree t;
    make(&t, "Bip01>Bip01 Pelvis>Bip01 Spine>Bip01 Spine1>Bip01 Neck>Bip01 Head, "
             "Bip01 Neck>Bip01 L Clavicle>Bip01 L UpperArm>Bip01 L Forearm>Bip01 L Hand>"
             "Bip01 L Finger0>Bip01 L Finger01>Bip01 L Finger02, "
             "Bip01 L Hand>Bip01 L Finger1>Bip01 L Finger11, "
             "Bip01 L Hand>Bip01 L Finger4>Bip01 L Finger41>Bip01 L Finger42, "
             "Bip01 Spine>Bip01 L Thigh>Bip01 L Calf>Bip01 L Foot>Bip01 L Toe0");
    expect(&t, "hips", "Bip01 Pelvis");
    expect(&t, "spine", "Bip01 Spine");
    expect(&t, "chest", "Bip01 Spine1");
    expect(&t, "neck", "Bip01 Neck");
    expect(&t, "leftShoulder", "Bip01 L Clavicle");
    expect(&t, "leftThumbMetacarpal", "Bip01 L Finger0");
    expect(&t, "leftThumbDistal", "Bip01 L Finger02");
    expect(&t, "leftIndexIntermediate", "Bip01 L Finger11");
    expect(&t, "leftIndexDistal", "");
    expect(&t, "leftLittleDistal", "Bip01 L Finger42");
    expect(&t, "leftToes", "Bip01 L Toe0");
}

/* Named after the joints, not the bones: the shoulder is where the upper arm begins. */
static void test_joint_names(void **state) {
    (void)state;
    tree t;
    make(&t, "Pelvis>Spine1>Spine2>Spine3>Neck>Head>Jaw, "
             "Spine3>L_Collar>L_Shoulder>L_Elbow>L_Wrist>L_Hand, "
             "Pelvis>L_Hip>L_Knee>L_Ankle>L_Foot");
    expect(&t, "jaw", "Jaw");
    expect(&t, "leftShoulder", "L_Collar");
    expect(&t, "leftUpperArm", "L_Shoulder");
    expect(&t, "leftLowerArm", "L_Elbow");
    expect(&t, "leftHand", "L_Wrist");
    expect(&t, "leftUpperLeg", "L_Hip");
    expect(&t, "leftLowerLeg", "L_Knee");
    expect(&t, "leftFoot", "L_Ankle");
    expect(&t, "leftToes", "L_Foot");
    expect(&t, "hips", "Pelvis");
}

/* The names of CesiumMan: numbers only, and they run backwards along the left arm. */
static void test_numbered(void **state) {
    (void)state;
    tree t;
    make(&t,
         "Skeleton_torso_joint_1>leg_joint_L_1>leg_joint_L_2>leg_joint_L_3>leg_joint_L_5, "
         "Skeleton_torso_joint_1>leg_joint_R_1>leg_joint_R_2>leg_joint_R_3>leg_joint_R_5, "
         "Skeleton_torso_joint_1>Skeleton_torso_joint_2>torso_joint_3>"
         "Skeleton_arm_joint_L__4_>Skeleton_arm_joint_L__3_>Skeleton_arm_joint_L__2_, "
         "torso_joint_3>Skeleton_arm_joint_R>Skeleton_arm_joint_R__2_>Skeleton_arm_joint_R__3_, "
         "torso_joint_3>Skeleton_neck_joint_1>Skeleton_neck_joint_2");
    expect(&t, "hips", "Skeleton_torso_joint_1");
    expect(&t, "spine", "Skeleton_torso_joint_2");
    expect(&t, "chest", "torso_joint_3");
    expect(&t, "neck", "Skeleton_neck_joint_1");
    expect(&t, "head", "Skeleton_neck_joint_2");
    expect(&t, "leftUpperArm", "Skeleton_arm_joint_L__4_");
    expect(&t, "leftLowerArm", "Skeleton_arm_joint_L__3_");
    expect(&t, "leftHand", "Skeleton_arm_joint_L__2_");
    expect(&t, "rightUpperArm", "Skeleton_arm_joint_R");
    expect(&t, "rightUpperLeg", "leg_joint_R_1");
    expect(&t, "rightToes", "leg_joint_R_5");
}

/* Sides before, after and inside; a mesh that has a joint's name beside the skeleton. */
static void test_sides(void **state) {
    (void)state;
    tree t;
    make(&t,
         "hips>spine>arm_upper_left>arm_lower_left>hand_left>indexfinger01_left, "
         "spine>lShldrBend>lShldrTwist>lForearmBend>lForearmTwist, "
         "spine>rightupperarm>rightlowerarm>righthand>righthandthumb1, "
         "spine>neck>head, Head, Right, LeftRightHand, hips>RThigh>RShin, hips>L.leg>L.leg.001");
    expect(&t, "leftUpperArm", "arm_upper_left");
    expect(&t, "leftIndexProximal", "indexfinger01_left");
    expect(&t, "rightHand", "righthand");
    expect(&t, "rightThumbMetacarpal", "righthandthumb1");
    expect(&t, "rightLowerLeg", "RShin");
    expect(&t, "leftLowerLeg", "L.leg.001");
    expect(&t, "head", "head");
}

/* Hands whose fingers name no side; and what the exporters of Character Creator and of avatars for
 * VRChat make of names. */
static void test_exporters(void **state) {
    (void)state;
    tree t;
    make(&t, "Root>Hips>Spine_01>Spine_02>Spine_03>Neck>Head>Eyes, "
             "Spine_03>Clavicle_L>Shoulder_L>Elbow_L>Hand_L>Thumb_01>Thumb_02, "
             "Hand_L>IndexFinger_01>IndexFinger_02, "
             "Spine_03>Clavicle_R>Shoulder_R>Elbow_R>Hand_R>IndexFinger_01 1>IndexFinger_02 1, "
             "Hips>UpperLeg_L>LowerLeg_L>Ankle_L>Ball_L>Toes_L");
    expect(&t, "leftShoulder", "Clavicle_L");
    expect(&t, "leftUpperArm", "Shoulder_L");
    expect(&t, "leftLowerArm", "Elbow_L");
    expect(&t, "leftThumbProximal", "Thumb_02");
    expect(&t, "leftIndexProximal", "IndexFinger_01");
    expect(&t, "rightIndexIntermediate", "IndexFinger_02 1");
    expect(&t, "leftFoot", "Ankle_L");
    expect(&t, "leftToes", "Ball_L");
    make(&t, "CC_Base_Hip>CC_Base_Waist>CC_Base_Spine01>CC_Base_Spine02>CC_Base_NeckTwist01>"
             "CC_Base_NeckTwist02>CC_Base_Head>CC_Base_JawRoot, CC_Base_Head>CC_Base_L_Eye, "
             "CC_Base_Hip>CC_Base_Pelvis>CC_Base_L_Thigh>CC_Base_L_Calf>CC_Base_L_Foot>"
             "CC_Base_L_ToeBase, CC_Base_L_Thigh>CC_Base_L_ThighTwist01, "
             "CC_Base_Spine02>CC_Base_L_Clavicle>CC_Base_L_Upperarm>CC_Base_L_Forearm>"
             "CC_Base_L_Hand>CC_Base_L_Mid1>CC_Base_L_Mid2, "
             "CC_Base_Spine02>CC_Base_R_Clavicle>CC_Base_R_Upperarm");
    expect(&t, "hips", "CC_Base_Hip");
    expect(&t, "spine", "CC_Base_Waist");
    expect(&t, "upperChest", "CC_Base_Spine02");
    expect(&t, "neck", "CC_Base_NeckTwist01");
    expect(&t, "jaw", "CC_Base_JawRoot");
    expect(&t, "leftEye", "CC_Base_L_Eye");
    expect(&t, "leftLowerLeg", "CC_Base_L_Calf");
    expect(&t, "leftMiddleIntermediate", "CC_Base_L_Mid2");
    make(&t, "Hips>Spine>Chest>Neck>Head>Eye_L, "
             "Chest>Left shoulder>Left arm>Left elbow>Left wrist>Thumb0_L>Thumb1_L>Thumb2_L, "
             "Left wrist>LittleFinger1_L>LittleFinger2_L>LittleFinger3_L, "
             "Hips>Left leg>Left knee>Left ankle>Left toe");
    expect(&t, "chest", "Chest");
    expect(&t, "leftUpperArm", "Left arm");
    expect(&t, "leftHand", "Left wrist");
    expect(&t, "leftThumbMetacarpal", "Thumb0_L");
    expect(&t, "leftLittleDistal", "LittleFinger3_L");
    expect(&t, "leftUpperLeg", "Left leg");
    expect(&t, "leftFoot", "Left ankle");
    expect(&t, "leftToes", "Left toe");
    make(&t, "hip>pelvis>lThighBend>lThighTwist>lShin>lFoot>lMetatarsals>lToe, "
             "hip>abdomenLower>abdomenUpper>chestLower>chestUpper>neckLower>neckUpper>head, "
             "chestUpper>lCollar>lShldrBend>lShldrTwist>lForearmBend>lForearmTwist>lHand>lThumb1, "
             "lHand>lCarpal1>lIndex1, chestUpper>rCollar>rShldrBend>rShldrTwist>rForearmBend");
    expect(&t, "hips", "hip");
    expect(&t, "spine", "abdomenLower");
    expect(&t, "chest", "chestLower");
    expect(&t, "upperChest", "chestUpper");
    expect(&t, "neck", "neckLower");
    expect(&t, "leftUpperArm", "lShldrBend");
    expect(&t, "leftLowerArm", "lForearmBend");
    expect(&t, "leftIndexProximal", "lIndex1");
    expect(&t, "leftLowerLeg", "lShin");
    expect(&t, "leftToes", "lToe");
}

static void test_unsure(void **state) {
    (void)state;
    tree t;
    /* An elbow that hangs on no upper arm of its side, a hand that hangs nowhere near. */
    make(&t, "Hips>Spine>Head, Spine>LeftLowerArm, Spine>RightUpperArm>LeftHand, "
             "Hips>LeftUpperLeg>RightLowerLeg>LeftFoot");
    assert_int_equal(sn_humanoid_count(&t.found), 5);
    expect(&t, "rightUpperArm", "RightUpperArm");
    expect(&t, "leftUpperLeg", "LeftUpperLeg");
    make(&t, "Hips>Spine>Neck>Head, Spine>LeftHand, Spine>RightElbow>RightHand, LeftFoot");
    assert_int_equal(sn_humanoid_count(&t.found), 6);
    expect(&t, "leftHand", "LeftHand");
    expect(&t, "rightHand", "RightHand");
    /* Things that have a head, or a hand, and are no human. */
    make(&t, "Lamp>Head, Lamp>Foot");
    assert_int_equal(sn_humanoid_count(&t.found), 0);
    make(&t, "Clock>LeftHand, Clock>RightHand, Clock>Ring");
    assert_int_equal(sn_humanoid_count(&t.found), 0);
    make(&t, "Bone>Bone.001>Bone.002, Bone>Bone.003");
    assert_int_equal(sn_humanoid_count(&t.found), 0);
    /* No twist joints, tips, targets. */
    make(&t, "Hips>LeftUpLeg>LeftUpLegTwist>LeftLeg>LeftFootIK, Hips>LeftFootTarget>LeftFootRoll");
    expect(&t, "leftFoot", "");
    expect(&t, "leftLowerLeg", "LeftLeg");
}

static void test_not_looked_at(void **state) {
    (void)state;
    tree t;
    grow(&t, "Hips>LeftUpLeg>LeftLeg>LeftFoot, Hips>RightUpLeg>RightLeg>RightFoot");
    t.names[find(&t, "RightUpLeg")] = NULL;
    detect(&t);
    assert_int_equal(t.found.joints[SN_HUMAN_RIGHT_UPPER_LEG], SN_NONE);
    expect(&t, "leftFoot", "LeftFoot");
}

static void test_facing(void **state) {
    (void)state;
    tree t;
    make(&t, "Hips>LeftUpLeg>LeftLeg, Hips>RightUpLeg>RightLeg");
    sn_transform rest[MOST];
    for (uint32_t i = 0; i < t.count; i++)
        rest[i] = sn_transform_identity();
    rest[find(&t, "LeftUpLeg")].translation[0] = 0.1f;
    rest[find(&t, "RightUpLeg")].translation[0] = -0.1f;
    const sn_joints joints = {.count = t.count, .parents = t.parents, .rest = rest};
    sn_humanoid found;
    assert_int_equal(sn_humanoid_from_names(&joints, t.names, NULL, &found, NULL), SN_OK);
    assert_true(found.facing > 0);
    /* Turned half about the upright axis above the hips. */
    rest[find(&t, "Hips")].rotation[1] = 1;
    rest[find(&t, "Hips")].rotation[3] = 0;
    assert_int_equal(sn_humanoid_from_names(&joints, t.names, NULL, &found, NULL), SN_OK);
    assert_true(found.facing < 0);
}

/* As deep and as wide as a file likes, in linear time; the order of the joints is anything. */
static void test_deep(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    uint32_t *parents = malloc(COUNT * sizeof *parents);
    const char **names = malloc(COUNT * sizeof *names);
    assert_non_null(parents);
    assert_non_null(names);
    static const char *const words[] = {"Arm_L", "Hips", "Leg_R", "Head", "Eye_L", "Thumb_L"};
    for (uint32_t i = 0; i < COUNT; i++) {
        parents[i] = i + 1 < COUNT ? i + 1 : SN_NONE;
        names[i] = words[i % 6];
    }
    const sn_joints joints = {.count = COUNT, .parents = parents};
    sn_humanoid found;
    assert_int_equal(sn_humanoid_from_names(&joints, names, NULL, &found, NULL), SN_OK);
    free(parents);
    free(names);
}

static void test_no_memory(void **state) {
    (void)state;
    tree t;
    grow(&t, "Hips>LeftUpLeg>LeftLeg");
    const sn_joints joints = {.count = t.count, .parents = t.parents};
    sn_humanoid found = {.facing = 7};
    sn_budget budget;
    sn_error error = {0};
    sn_budget_init(&budget, NULL, 64);
    assert_int_equal(sn_humanoid_from_names(&joints, t.names, &budget.allocator, &found, &error),
                     SN_ERROR_MEMORY);
    assert_int_equal(error.id, SN_MESSAGE_MEMORY);
    assert_true(found.facing > 6);
    assert_int_equal(budget.used, 0);
}

static bool is_above(const tree *t, uint32_t ancestor, uint32_t joint) {
    while (joint != SN_NONE && joint != ancestor)
        joint = t->parents[joint];
    return joint == ancestor;
}

/* Names dealt out at random: whatever is found hangs together as in a body. */
static void test_shuffled(void **state) {
    (void)state;
    static const sn_human_bone chains[][6] = {
        {SN_HUMAN_LEFT_SHOULDER, SN_HUMAN_LEFT_UPPER_ARM, SN_HUMAN_LEFT_LOWER_ARM,
         SN_HUMAN_LEFT_HAND, SN_HUMAN_LEFT_INDEX_PROXIMAL, SN_HUMAN_LEFT_INDEX_DISTAL},
        {SN_HUMAN_RIGHT_SHOULDER, SN_HUMAN_RIGHT_UPPER_ARM, SN_HUMAN_RIGHT_LOWER_ARM,
         SN_HUMAN_RIGHT_HAND, SN_HUMAN_RIGHT_THUMB_METACARPAL, SN_HUMAN_RIGHT_THUMB_DISTAL},
        {SN_HUMAN_HIPS, SN_HUMAN_LEFT_UPPER_LEG, SN_HUMAN_LEFT_LOWER_LEG, SN_HUMAN_LEFT_FOOT,
         SN_HUMAN_LEFT_TOES, SN_HUMAN_NONE},
        {SN_HUMAN_HIPS, SN_HUMAN_RIGHT_UPPER_LEG, SN_HUMAN_RIGHT_LOWER_LEG, SN_HUMAN_RIGHT_FOOT,
         SN_HUMAN_RIGHT_TOES, SN_HUMAN_NONE},
        {SN_HUMAN_HIPS, SN_HUMAN_SPINE, SN_HUMAN_CHEST, SN_HUMAN_UPPER_CHEST, SN_HUMAN_NECK,
         SN_HUMAN_HEAD},
    };
    uint32_t random = 1, found = 0;
    for (int round = 0; round < 2000; round++) {
        tree t = {.count = SN_HUMAN_BONE_COUNT};
        for (uint32_t i = 0; i < t.count; i++) {
            sn_human_bone parent = sn_human_bone_parent((sn_human_bone)i);
            t.parents[i] = parent == SN_HUMAN_NONE ? SN_NONE : (uint32_t)parent;
            random = random * 1664525 + 1013904223; /* Numerical Recipes */
            uint32_t to = (random >> 16) % (i + 1);
            t.names[i] = t.names[to];
            t.names[to] = sn_human_bone_name((sn_human_bone)i);
        }
        detect(&t);
        found += sn_humanoid_count(&t.found) > 0;
        for (size_t c = 0; c < sizeof chains / sizeof *chains; c++) {
            uint32_t above = SN_NONE;
            for (int i = 0; i < 6 && chains[c][i] != SN_HUMAN_NONE; i++) {
                uint32_t joint = t.found.joints[chains[c][i]];
                if (joint == SN_NONE)
                    continue;
                if (above != SN_NONE && !is_above(&t, above, joint))
                    fail_msg("%s, round %d, does not hang as in a body",
                             sn_human_bone_name(chains[c][i]), round);
                above = joint;
            }
        }
    }
    assert_true(found > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shuffled),      cmocka_unit_test(test_vrm),
        cmocka_unit_test(test_vroid),         cmocka_unit_test(test_mixamo),
        cmocka_unit_test(test_unreal),        cmocka_unit_test(test_rigify),
        cmocka_unit_test(test_biped),         cmocka_unit_test(test_joint_names),
        cmocka_unit_test(test_numbered),      cmocka_unit_test(test_sides),
        cmocka_unit_test(test_exporters),     cmocka_unit_test(test_unsure),
        cmocka_unit_test(test_not_looked_at), cmocka_unit_test(test_facing),
        cmocka_unit_test(test_deep),          cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
