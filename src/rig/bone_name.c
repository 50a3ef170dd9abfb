#include "rig/bone_name.h"

#include <string.h>

enum { LONGEST = 40 };

typedef struct word {
    const char *text;
    sn_part part;
} word;

/* Whole names, once side, number and decoration are off. */
static const word names[] = {
    {"hips", SN_PART_HIPS},
    {"hip", SN_PART_HIPS},
    {"pelvis", SN_PART_HIPS},
    {"spine", SN_PART_SPINE},
    {"lowerback", SN_PART_SPINE},
    {"abdomen", SN_PART_SPINE},
    {"abdomenlower", SN_PART_SPINE},
    {"waist", SN_PART_SPINE},
    {"torso", SN_PART_SPINE},
    {"chest", SN_PART_CHEST},
    {"chestlower", SN_PART_CHEST},
    {"upperchest", SN_PART_UPPER_CHEST},
    {"chestupper", SN_PART_UPPER_CHEST},
    {"neck", SN_PART_NECK},
    {"necklower", SN_PART_NECK},
    {"head", SN_PART_HEAD},
    {"jaw", SN_PART_JAW},
    {"jawroot", SN_PART_JAW},
    {"lowerjaw", SN_PART_JAW},
    {"eye", SN_PART_EYE},
    {"eyeball", SN_PART_EYE},
    {"clavicle", SN_PART_CLAVICLE},
    {"collar", SN_PART_CLAVICLE},
    {"collarbone", SN_PART_CLAVICLE},
    {"scapula", SN_PART_CLAVICLE},
    {"shoulder", SN_PART_SHOULDER},
    {"upperarm", SN_PART_UPPER_ARM},
    {"uparm", SN_PART_UPPER_ARM},
    {"armupper", SN_PART_UPPER_ARM},
    {"shldr", SN_PART_UPPER_ARM},
    {"shldrbend", SN_PART_UPPER_ARM},
    {"arm", SN_PART_ARM},
    {"lowerarm", SN_PART_LOWER_ARM},
    {"lowarm", SN_PART_LOWER_ARM},
    {"armlower", SN_PART_LOWER_ARM},
    {"forearm", SN_PART_LOWER_ARM},
    {"forearmbend", SN_PART_LOWER_ARM},
    {"elbow", SN_PART_LOWER_ARM},
    {"hand", SN_PART_HAND},
    {"wrist", SN_PART_HAND},
    {"hipjoint", SN_PART_THIGH_JOINT},
    {"upperleg", SN_PART_UPPER_LEG},
    {"upleg", SN_PART_UPPER_LEG},
    {"legupper", SN_PART_UPPER_LEG},
    {"thigh", SN_PART_UPPER_LEG},
    {"thighbend", SN_PART_UPPER_LEG},
    {"leg", SN_PART_LEG},
    {"lowerleg", SN_PART_LOWER_LEG},
    {"lowleg", SN_PART_LOWER_LEG},
    {"leglower", SN_PART_LOWER_LEG},
    {"shin", SN_PART_LOWER_LEG},
    {"calf", SN_PART_LOWER_LEG},
    {"knee", SN_PART_LOWER_LEG},
    {"ankle", SN_PART_ANKLE},
    {"foot", SN_PART_FOOT},
    {"toes", SN_PART_TOES},
    {"toe", SN_PART_TOES},
    {"toebase", SN_PART_TOES},
    {"ball", SN_PART_TOES},
};

/* A finger's name is made of these; the longer before those that they begin with. */
static const word finger_words[] = {
    {"thumb", SN_PART_THUMB},       {"index", SN_PART_INDEX},   {"middle", SN_PART_MIDDLE},
    {"mid", SN_PART_MIDDLE},        {"ring", SN_PART_RING},     {"little", SN_PART_LITTLE},
    {"pinky", SN_PART_LITTLE},      {"pinkie", SN_PART_LITTLE}, {"hand", SN_PART_NONE},
    {"finger", SN_PART_NONE},       {"phalanx", SN_PART_NONE},  {"proximal", SN_PART_NONE},
    {"intermediate", SN_PART_NONE}, {"distal", SN_PART_NONE},
};

/* What manners of naming put before or after each name. */
static const char *const decorations[] = {
    "mixamorig", "bip", "biped", "valvebiped", "character", "cc",  "base", "armature", "skeleton",
    "skel",      "rig", "def",   "deform",     "joint",     "jnt", "jt",   "bone",     "bn",
    "bind",      "sk",  "f",     "j",          "b",         "c",   "m",
};

static const char *const left_words[] = {"left", "l", "lft", "lt"};
static const char *const right_words[] = {"right", "r", "rgt", "rt"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool is_one_of(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

static bool is_letter(char c) {
    return is_upper(c) || is_lower(c) || (unsigned char)c >= 0x80;
}

/* What is found while going through the words of a name. */
typedef struct reading {
    char key[LONGEST]; /* the words that are neither side nor decoration, joined */
    size_t length;
    bool is_left, is_right, is_biped, is_too_long;
    bool is_after_decoration;
    char digits[4]; /* the last number, without one that belongs to a decoration */
} reading;

static void add_word(reading *r, const char *text) {
    size_t length = strlen(text);
    if (r->length + length >= LONGEST) {
        r->is_too_long = true;
        return;
    }
    memcpy(r->key + r->length, text, length + 1);
    r->length += length;
}

/* "lefthand", "handleft": a side that nothing sets apart. */
static bool take_joined_side(reading *r, char *text, const char *side, bool *found) {
    size_t length = strlen(text), side_length = strlen(side);
    if (length <= side_length)
        return false;
    if (strncmp(text, side, side_length) == 0) {
        *found = true;
        add_word(r, text + side_length);
        return true;
    }
    if (strcmp(text + length - side_length, side) == 0) {
        *found = true;
        text[length - side_length] = 0;
        add_word(r, text);
        return true;
    }
    return false;
}

static void take_word(reading *r, char *text) {
    r->is_after_decoration = false;
    if (is_one_of(text, left_words, COUNT(left_words))) {
        r->is_left = true;
    } else if (is_one_of(text, right_words, COUNT(right_words))) {
        r->is_right = true;
    } else if (is_one_of(text, decorations, COUNT(decorations))) {
        r->is_after_decoration = true;
        r->is_biped = r->is_biped || strcmp(text, "bip") == 0;
    } else if (!take_joined_side(r, text, "left", &r->is_left) &&
               !take_joined_side(r, text, "right", &r->is_right)) {
        add_word(r, text);
    }
}

/* Whether a word ends between `name[0]` and `name[1]`: "LeftUpLeg", "LHipJoint", "Spine1". */
static bool is_word_end(const char *name) {
    if (!is_letter(name[1]))
        return true;
    if (is_lower(name[0]))
        return is_upper(name[1]);
    return is_upper(name[0]) && is_upper(name[1]) && is_lower(name[2]);
}

static void take_words(reading *r, const char *name) {
    while (*name) {
        size_t length = 0;
        if (is_digit(*name)) {
            while (is_digit(name[length]))
                length++;
            size_t kept = length < sizeof r->digits ? length : sizeof r->digits - 1;
            if (!r->is_after_decoration) {
                memcpy(r->digits, name, kept);
                r->digits[kept] = 0;
            }
            r->is_after_decoration = false;
        } else if (is_letter(*name)) {
            char text[LONGEST];
            while (length + 1 < LONGEST && !is_word_end(name + length))
                length++;
            length++;
            if (length == LONGEST) {
                r->is_too_long = true;
                return;
            }
            for (size_t i = 0; i < length; i++)
                text[i] = (char)(is_upper(name[i]) ? name[i] - 'A' + 'a' : name[i]);
            text[length] = 0;
            take_word(r, text);
        } else {
            length = 1;
        }
        name += length;
    }
}

static sn_part read_finger(const reading *r) {
    sn_part part = SN_PART_NONE;
    bool has_metacarpal = false;
    for (const char *at = r->key; *at;) {
        size_t length = 0;
        for (size_t i = 0; i < COUNT(finger_words) && length == 0; i++) {
            size_t size = strlen(finger_words[i].text);
            if (strncmp(at, finger_words[i].text, size) == 0) {
                length = size;
                if (part == SN_PART_NONE)
                    part = finger_words[i].part;
            }
        }
        if (length == 0 && strncmp(at, "metacarpal", 10) == 0) {
            has_metacarpal = true;
            length = 10;
        }
        if (length == 0)
            return SN_PART_NONE;
        at += length;
    }
    /* Biped numbers the fingers: "Finger0" is the thumb, "Finger12" the last joint of the index. */
    if (part == SN_PART_NONE && r->is_biped && strcmp(r->key, "finger") == 0 &&
        r->digits[0] >= '0' && r->digits[0] <= '4')
        part = (sn_part)(SN_PART_THUMB + (r->digits[0] - '0'));
    /* The metacarpals of the fingers lie in the palm; that of the thumb moves. */
    return has_metacarpal && part != SN_PART_THUMB ? SN_PART_NONE : part;
}

static sn_part read_part(const reading *r) {
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i].text, r->key) == 0)
            return names[i].part;
    return read_finger(r);
}

sn_bone_name sn_bone_name_read(const char *name) {
    /* A namespace, or the path of the armature, says nothing of the joint. */
    for (const char *c = name; *c; c++)
        if (*c == ':' || *c == '|')
            name = c + 1;
    reading r = {0};
    take_words(&r, name);
    if (r.is_too_long || (r.is_left && r.is_right))
        return (sn_bone_name){0};
    sn_bone_name out = {.part = (uint8_t)read_part(&r)};
    out.side = r.is_left ? SN_SIDE_LEFT : r.is_right ? SN_SIDE_RIGHT : SN_SIDE_NONE;
    out.is_zero = r.digits[0] && strspn(r.digits, "0") == strlen(r.digits);
    if (out.part == SN_PART_HIPS && out.side != SN_SIDE_NONE)
        out.part = SN_PART_THIGH_JOINT;
    return out;
}
