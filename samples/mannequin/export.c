#include "export.h"

#include "accent.h"
#include "eyes.h"
#include "text.h"
#include "vrm.h"

#include "sinew/gltf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_U8 = 5121, TYPE_U16 = 5123, TYPE_F32 = 5126, VERTICES = 34962, INDICES = 34963 };

/* Arrays of one primitive, in the T-pose. */
typedef struct {
    uint32_t vertex_count, index_count;
    float (*position)[3], (*normal)[3];
    uint8_t (*colour)[4], (*joints)[4];
    uint16_t (*weights)[4];
    uint16_t *indices;
} primitive;

static void primitive_alloc(primitive *p, int vertices, int triangles) {
    p->vertex_count = (uint32_t)vertices;
    p->index_count = (uint32_t)triangles * 3;
    p->position = mq_grow(NULL, p->vertex_count, sizeof *p->position);
    p->normal = mq_grow(NULL, p->vertex_count, sizeof *p->normal);
    p->colour = mq_grow(NULL, p->vertex_count, sizeof *p->colour);
    p->joints = mq_grow(NULL, p->vertex_count, sizeof *p->joints);
    p->weights = mq_grow(NULL, p->vertex_count, sizeof *p->weights);
    p->indices = mq_grow(NULL, p->index_count, sizeof *p->indices);
}

static void primitive_free(primitive *p) {
    free(p->position);
    free(p->normal);
    free(p->colour);
    free(p->joints);
    free(p->weights);
    free(p->indices);
}

static void store(float out[3], vec3 v) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/* Sixteen bits a weight, adding up to exactly one. */
static void store_weights(primitive *p, uint32_t v, influence *w) {
    int rest = 65535;
    for (int i = INFLUENCES - 1; i >= 0; i--) {
        int whole = i ? (int)lround(w->weight[i] * 65535.0) : rest;
        rest -= whole;
        p->weights[v][i] = (uint16_t)whole;
        p->joints[v][i] = (uint8_t)(whole ? w->joint[i] : 0);
        w->weight[i] = whole / 65535.0;
    }
}

/* How much of the light from around is kept from a point by the body itself: short range, so that
 * it stays true when the limbs move. */
static double openness(const body *b, vec3 p, vec3 normal) {
    static const double reach[] = {0.003, 0.007, 0.014, 0.024};
    double blocked = 0.0;
    for (int i = 0; i < 4; i++) {
        double d = body_distance(b, v3_add_scaled(p, normal, reach[i]));
        blocked += clamp(1.0 - d / reach[i], 0.0, 1.0) * 0.25;
    }
    return 1.0 - 0.75 * blocked;
}

/* The triangles with or without the second material, and their vertices alone. */
static void fill_body(const mannequin *m, bool accent, primitive *out) {
    const mesh *whole = m->mesh;
    int *place = mq_grow(NULL, (size_t)whole->vertex_count, sizeof *place);
    char *chosen = mq_grow(NULL, (size_t)whole->triangle_count, 1);
    int vertices = 0, triangles = 0;
    for (int v = 0; v < whole->vertex_count; v++)
        place[v] = -1;
    for (int t = 0; t < whole->triangle_count; t++) {
        const int *v = whole->triangles[t].v;
        vec3 middle = v3_add(whole->position[v[0]], whole->position[v[1]]);
        middle = v3_scale(v3_add(middle, whole->position[v[2]]), 1.0 / 3.0);
        chosen[t] = (accent_level(m->body, middle) > 0.0) == accent;
        triangles += chosen[t];
        for (int c = 0; c < 3 && chosen[t]; c++)
            place[v[c]] = 0;
    }
    for (int v = 0; v < whole->vertex_count; v++)
        vertices += place[v] == 0;
    primitive_alloc(out, vertices, triangles);
    uint32_t next = 0, index = 0;
    for (int source = 0; source < whole->vertex_count; source++) {
        if (place[source] < 0)
            continue;
        uint32_t v = next++;
        place[source] = (int)v;
        vec3 position = whole->position[source];
        double side = position.x < 0.0 ? -1.0 : 1.0;
        vec3 left = v3(fabs(position.x), position.y, position.z);
        vec3 normal = body_normal(m->body, left);
        double open = openness(m->body, left, normal);
        normal.x = position.x == 0.0 ? 0.0 : normal.x * side;
        normal = v3_normalize(normal);
        influence w = m->weights[source];
        store_weights(out, v, &w);
        weights_unpose(&w, m->body, &position, &normal);
        store(out->position[v], position);
        store(out->normal[v], normal);
        /* Light that gets into a hollow has been reflected by warm skin. */
        static const double tint[3] = {0.90, 1.05, 1.15};
        for (int c = 0; c < 3; c++)
            out->colour[v][c] = (uint8_t)lround(255.0 * pow(open, tint[c]));
        out->colour[v][3] = 255;
    }
    for (int t = 0; t < whole->triangle_count; t++)
        for (int c = 0; c < 3 && chosen[t]; c++)
            out->indices[index++] = (uint16_t)place[whole->triangles[t].v[c]];
    free(place);
    free(chosen);
}

static void fill_eyes(primitive *out) {
    eye *ball = mq_grow(NULL, 1, sizeof *ball);
    eye_make(ball, EYE_RADIUS);
    primitive_alloc(out, 2 * EYE_VERTICES, 2 * ball->triangle_count);
    for (int side = 0; side < 2; side++) {
        int joint = side ? JOINT_RIGHT_EYE : JOINT_LEFT_EYE;
        uint32_t first = (uint32_t)side * EYE_VERTICES;
        for (uint32_t v = 0; v < EYE_VERTICES; v++) {
            influence w = {{joint}, {1.0}};
            store(out->position[first + v], v3_add(ball->position[v], joint_rest(joint)));
            store(out->normal[first + v], ball->normal[v]);
            memcpy(out->colour[first + v], ball->colour[v], 4);
            store_weights(out, first + v, &w);
        }
        for (int t = 0; t < ball->triangle_count; t++)
            for (int c = 0; c < 3; c++)
                out->indices[(side * ball->triangle_count + t) * 3 + c] =
                    (uint16_t)((uint32_t)ball->triangle[t][c] + first);
    }
    free(ball);
}

static uint32_t add_array(sn_gltf_builder *b, const void *data, uint32_t count, uint32_t type,
                          uint32_t components, uint32_t target) {
    bool bounds = type == TYPE_F32 && target == VERTICES;
    bool normalized = type != TYPE_F32 && target == VERTICES;
    return sn_gltf_builder_accessor(
        b, &(sn_accessor_desc){data, count, type, components, normalized, bounds, target});
}

static uint32_t add_mesh(sn_gltf_builder *b, const char *name, const primitive *parts,
                         const uint32_t *materials, int count) {
    text json = {NULL, 0, 0};
    text_add(&json, "{\"name\":\"%s\",\"primitives\":[", name);
    for (int i = 0; i < count; i++) {
        const primitive *p = &parts[i];
        uint32_t n = p->vertex_count;
        sn_accessor_desc joints = {p->joints, n, TYPE_U8, 4, false, false, VERTICES};
        text_add(&json, "%s{\"attributes\":{\"POSITION\":%u,", i ? "," : "",
                 (unsigned)add_array(b, p->position, n, TYPE_F32, 3, VERTICES));
        text_add(&json, "\"NORMAL\":%u,",
                 (unsigned)add_array(b, p->normal, n, TYPE_F32, 3, VERTICES));
        text_add(&json, "\"COLOR_0\":%u,",
                 (unsigned)add_array(b, p->colour, n, TYPE_U8, 4, VERTICES));
        text_add(&json, "\"JOINTS_0\":%u,", (unsigned)sn_gltf_builder_accessor(b, &joints));
        text_add(&json, "\"WEIGHTS_0\":%u},",
                 (unsigned)add_array(b, p->weights, n, TYPE_U16, 4, VERTICES));
        text_add(&json, "\"indices\":%u,\"material\":%u}",
                 (unsigned)add_array(b, p->indices, p->index_count, TYPE_U16, 1, INDICES),
                 (unsigned)materials[i]);
    }
    text_add(&json, "]}");
    uint32_t index = sn_gltf_builder_append(b, "meshes", json.data);
    text_free(&json);
    return index;
}

static void add_skeleton(sn_gltf_builder *b) {
    text json = {NULL, 0, 0};
    for (int j = 0; j < JOINT_COUNT; j++) {
        vec3 offset = joint_offset(j);
        int children = 0;
        json.size = 0;
        text_add(&json, "{\"name\":\"%s\"", joint_name(j));
        if (j != JOINT_ROOT)
            text_add(&json, ",\"translation\":[%.9g,%.9g,%.9g]", (double)(float)offset.x,
                     (double)(float)offset.y, (double)(float)offset.z);
        for (int c = 0; c < JOINT_COUNT; c++)
            if (joint_parent(c) == j)
                text_add(&json, "%s%d", children++ ? "," : ",\"children\":[", c);
        text_add(&json, "%s}", children ? "]" : "");
        sn_gltf_builder_append(b, "nodes", json.data);
    }
    float inverse[JOINT_COUNT][16] = {{0.0f}};
    json.size = 0;
    text_add(&json, "{\"name\":\"Mannequin\",\"skeleton\":0,\"joints\":[");
    for (int j = 0; j < JOINT_COUNT; j++) {
        vec3 rest = joint_rest(j);
        for (int i = 0; i < 4; i++)
            inverse[j][i * 5] = 1.0f;
        store(&inverse[j][12], v3_scale(rest, -1.0));
        text_add(&json, "%s%d", j ? "," : "", j);
    }
    text_add(&json, "],\"inverseBindMatrices\":%u}",
             (unsigned)add_array(b, inverse, JOINT_COUNT, TYPE_F32, 16, 0));
    sn_gltf_builder_append(b, "skins", json.data);
    text_free(&json);
}

/* Times shared by the tracks of one motion. */
typedef struct {
    text samplers, channels;
    int count;
    uint32_t times, start; /* accessors of all key times, and of the first alone */
} tracks;

static void add_track(tracks *t, uint32_t input, uint32_t output, int node, const char *path) {
    text_add(&t->samplers, "%s{\"input\":%u,\"output\":%u}", t->count ? "," : "", (unsigned)input,
             (unsigned)output);
    text_add(&t->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
             t->count ? "," : "", t->count, node, path);
    t->count++;
}

static void add_rotation(sn_gltf_builder *b, tracks *t, const motion *m, int joint) {
    float(*keys)[4] = mq_grow(NULL, (size_t)m->frame_count, sizeof *keys);
    quat previous = quat_identity();
    double turned = 0.0, moved = 0.0;
    for (int i = 0; i < m->frame_count; i++) {
        quat q = m->frames[i].rotation[joint], first = m->frames[0].rotation[joint];
        double d = q.x * previous.x + q.y * previous.y + q.z * previous.z + q.w * previous.w;
        if (d < 0.0)
            q = (quat){-q.x, -q.y, -q.z, -q.w};
        previous = q;
        turned = fmax(turned, 1.0 - fabs(q.w));
        moved =
            fmax(moved, 1.0 - fabs(q.x * first.x + q.y * first.y + q.z * first.z + q.w * first.w));
        keys[i][0] = (float)q.x;
        keys[i][1] = (float)q.y;
        keys[i][2] = (float)q.z;
        keys[i][3] = (float)q.w;
    }
    if (moved > 1e-9) {
        uint32_t count = (uint32_t)m->frame_count;
        add_track(t, t->times, add_array(b, keys, count, TYPE_F32, 4, 0), joint, "rotation");
    } else if (turned > 1e-9) {
        add_track(t, t->start, add_array(b, keys, 1, TYPE_F32, 4, 0), joint, "rotation");
    }
    free(keys);
}

static void add_motion(sn_gltf_builder *b, const motion *m) {
    uint32_t count = (uint32_t)m->frame_count;
    float *times = mq_grow(NULL, count, sizeof *times);
    float(*hips)[3] = mq_grow(NULL, count, sizeof *hips);
    for (uint32_t i = 0; i < count; i++) {
        times[i] = (float)i / MOTION_RATE;
        store(hips[i], m->frames[i].hips);
    }
    tracks t = {{NULL, 0, 0}, {NULL, 0, 0}, 0, 0, 0};
    t.times =
        sn_gltf_builder_accessor(b, &(sn_accessor_desc){times, count, TYPE_F32, 1, false, true, 0});
    t.start =
        sn_gltf_builder_accessor(b, &(sn_accessor_desc){times, 1, TYPE_F32, 1, false, true, 0});
    add_track(&t, t.times, add_array(b, hips, count, TYPE_F32, 3, 0), JOINT_HIPS, "translation");
    for (int j = 0; j < JOINT_COUNT; j++)
        add_rotation(b, &t, m, j);
    text json = {NULL, 0, 0};
    text_add(&json, "{\"name\":\"%s\",\"samplers\":[", m->name);
    text_bytes(&json, t.samplers.data, t.samplers.size);
    text_add(&json, "],\"channels\":[");
    text_bytes(&json, t.channels.data, t.channels.size);
    text_add(&json, "]}");
    sn_gltf_builder_append(b, "animations", json.data);
    text_free(&json);
    text_free(&t.samplers);
    text_free(&t.channels);
    free(times);
    free(hips);
}

static bool save(sn_gltf_builder *b, const char *path) {
    sn_gltf *file = NULL;
    sn_output output = {0};
    sn_error error = {0};
    sn_result result = sn_gltf_builder_finish(b, &file, &error);
    if (result == SN_OK)
        result = sn_gltf_write(file, &(sn_gltf_write_options){.container = SN_CONTAINER_GLB},
                               &output, &error);
    if (result == SN_OK)
        result = sn_output_save(&output, path, &error);
    if (result != SN_OK)
        fprintf(stderr, "mannequin: %s: %s\n", path, error.text);
    sn_output_free(&output);
    sn_gltf_free(file);
    return result == SN_OK;
}

bool mannequin_export(const mannequin *m, bool vrm, const char *path) {
    sn_gltf_builder *b = sn_gltf_builder_create(NULL);
    if (!b)
        return false;
    sn_gltf_builder_set(
        b, "asset",
        "{\"version\":\"2.0\",\"generator\":\"Sinew samples/mannequin\",\"copyright\":\"CC0 "
        "1.0, no rights reserved\"}");
    sn_gltf_builder_set(b, "scene", "0");
    if (vrm) {
        text extension = {NULL, 0, 0};
        vrm_extension(&extension);
        sn_gltf_builder_set(b, "extensionsUsed", "[\"VRMC_vrm\"]");
        sn_gltf_builder_set(b, "extensions", extension.data);
        text_free(&extension);
    }
    uint32_t skin = sn_gltf_builder_append(
        b, "materials",
        "{\"name\":\"Body\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.76,0.69,0.60,1],"
        "\"metallicFactor\":0,\"roughnessFactor\":0.52}}");
    uint32_t gloss =
        sn_gltf_builder_append(b, "materials",
                               "{\"name\":\"Eyes\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,"
                               "\"roughnessFactor\":0.16}}");
    uint32_t seams = sn_gltf_builder_append(
        b, "materials",
        "{\"name\":\"Seams\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.17,0.10,0.062,1],"
        "\"metallicFactor\":0,\"roughnessFactor\":0.42}}");
    add_skeleton(b);
    primitive parts[2];
    fill_body(m, false, &parts[0]);
    fill_body(m, true, &parts[1]);
    uint32_t body_mesh = add_mesh(b, "Body", parts, (uint32_t[]){skin, seams}, 2);
    primitive_free(&parts[0]);
    primitive_free(&parts[1]);
    fill_eyes(&parts[0]);
    uint32_t eye_mesh = add_mesh(b, "Eyes", parts, &gloss, 1);
    primitive_free(&parts[0]);

    text json = {NULL, 0, 0};
    text_add(&json, "{\"name\":\"Body\",\"mesh\":%u,\"skin\":0}", (unsigned)body_mesh);
    uint32_t body_node = sn_gltf_builder_append(b, "nodes", json.data);
    json.size = 0;
    text_add(&json, "{\"name\":\"Eyes\",\"mesh\":%u,\"skin\":0}", (unsigned)eye_mesh);
    uint32_t eye_node = sn_gltf_builder_append(b, "nodes", json.data);
    json.size = 0;
    text_add(&json, "{\"name\":\"Mannequin\",\"nodes\":[0,%u,%u]}", (unsigned)body_node,
             (unsigned)eye_node);
    sn_gltf_builder_append(b, "scenes", json.data);
    text_free(&json);
    for (int i = 0; i < m->motion_count; i++)
        add_motion(b, &m->motions[i]);
    return save(b, path);
}
