/* Keys over time of a modifier's fields. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "modifier/stack.h"

typedef struct keys {
    uint32_t times, values; /* JSON values */
    sn_interpolation interpolation;
} keys;

static const sn_modifier_field *find_field(const sn_modifier_shape *shape, const sn_json *json,
                                           uint32_t name) {
    for (uint32_t i = 0; i < shape->field_count; i++)
        if (shape->fields[i].keyed && sn_json_equals(json, name, shape->fields[i].name))
            return &shape->fields[i];
    return NULL;
}

/* Which fields may have keys, for a message. */
static void list_fields(const sn_modifier_shape *shape, char *out, size_t size) {
    for (uint32_t i = 0; i < shape->field_count; i++) {
        size_t length = strlen(out);
        if (shape->fields[i].keyed)
            sn_format(out + length, size - length, "%s\"%s\"", length ? ", " : "",
                      shape->fields[i].name);
    }
}

static sn_result not_keyed(const sn_modifier_site *site, uint32_t name,
                           const sn_modifier_type *type) {
    char fields[256] = "";
    list_fields(&sn_modifier_common_shape, fields, sizeof fields);
    list_fields(&type->shape, fields, sizeof fields);
    return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_FIELD, name + 1,
                               "this field cannot have keys; those of this type that can: %s",
                               fields);
}

static sn_result read_interpolation(const sn_modifier_site *site, uint32_t value,
                                    sn_interpolation *out) {
    if (sn_json_equals(site->json, value, "STEP"))
        *out = SN_STEP;
    else if (sn_json_equals(site->json, value, "LINEAR"))
        *out = SN_LINEAR;
    else
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_TYPE, value,
                                   "this must be one of \"LINEAR\", \"STEP\"");
    return SN_OK;
}

static sn_result read_members(const sn_modifier_site *site, uint32_t object, keys *out) {
    const sn_json *json = site->json;
    *out = (keys){SN_NONE, SN_NONE, SN_LINEAR};
    if (json->nodes[object].type != SN_JSON_OBJECT)
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_TYPE, object,
                                   "this must be an object with \"times\" and \"values\"");
    uint32_t name = sn_json_first(json, object);
    for (uint32_t n = json->nodes[object].count; n > 0; n--) {
        sn_result result = SN_OK;
        if (sn_json_equals(json, name, "times"))
            out->times = name + 1;
        else if (sn_json_equals(json, name, "values"))
            out->values = name + 1;
        else if (sn_json_equals(json, name, "interpolation"))
            result = read_interpolation(site, name + 1, &out->interpolation);
        else
            result =
                sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_FIELD, name + 1,
                                    "keys have \"times\", \"values\" and \"interpolation\" only");
        if (result)
            return result;
        name = json->nodes[name + 1].next;
    }
    if (out->times == SN_NONE || out->values == SN_NONE)
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_FIELD, object,
                                   "the field \"%s\" is missing",
                                   out->times == SN_NONE ? "times" : "values");
    return SN_OK;
}

/* Keys of a target or a pole are positions. */
static sn_modifier_field key_field(const sn_modifier_field *field) {
    if (field->kind == SN_KIND_TARGET || field->kind == SN_KIND_POLE)
        return (sn_modifier_field){.name = field->name, .kind = SN_KIND_VECTOR};
    return *field;
}

static sn_result read_times(const sn_modifier_site *site, uint32_t array, uint32_t count,
                            float *out) {
    static const sn_modifier_field time_field = {.kind = SN_KIND_NUMBER};
    uint32_t element = sn_json_first(site->json, array);
    for (uint32_t i = 0; i < count; i++, element = site->json->nodes[element].next) {
        sn_result result = sn_modifier_read_numbers(site, &time_field, element, &out[i]);
        if (result)
            return result;
        if (i && !(out[i] > out[i - 1]))
            return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_VALUE, element,
                                       "times must increase; as 32 bit numbers they do not");
    }
    return SN_OK;
}

static sn_result read_track(const sn_modifier_site *site, uint32_t object,
                            const sn_modifier_field *field, sn_track *out) {
    const sn_json *json = site->json;
    keys k;
    sn_result result = read_members(site, object, &k);
    if (result)
        return result;
    if (json->nodes[k.times].type != SN_JSON_ARRAY || !json->nodes[k.times].count)
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_TYPE, k.times,
                                   "this must be an array of at least one time in seconds");
    uint32_t count = json->nodes[k.times].count;
    if (json->nodes[k.values].type != SN_JSON_ARRAY || json->nodes[k.values].count != count)
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_TYPE, k.values,
                                   "this must be an array of %u values, one for each time", count);
    sn_modifier_field value_field = key_field(field);
    uint32_t width = sn_modifier_field_width(&value_field);
    float *times = SN_ARENA_NEW(site->arena, float, count);
    float *values = SN_ARENA_NEW(site->arena, float, (size_t)count *width);
    if (!times || !values)
        return sn_modifier_no_memory(site);
    result = read_times(site, k.times, count, times);
    uint32_t element = sn_json_first(json, k.values);
    for (uint32_t i = 0; i < count && !result; i++, element = json->nodes[element].next)
        result = sn_modifier_read_numbers(site, &value_field, element, values + (size_t)i * width);
    *out =
        (sn_track){.path = field->kind == SN_KIND_ROTATION ? SN_PATH_ROTATION : SN_PATH_TRANSLATION,
                   .interpolation = k.interpolation,
                   .width = width,
                   .key_count = count,
                   .times = times,
                   .values = values,
                   .origin = SN_NONE};
    return result;
}

sn_result sn_modifier_read_curves(const sn_modifier_site *site, uint32_t object, sn_modifier *out) {
    const sn_json *json = site->json;
    if (json->nodes[object].type != SN_JSON_OBJECT)
        return sn_modifier_fail_at(site, SN_MESSAGE_MODIFIER_TYPE, object,
                                   "this must be an object of fields with their keys");
    uint32_t count = json->nodes[object].count;
    out->curves = SN_ARENA_NEW(site->arena, sn_modifier_curve, count);
    if (!out->curves)
        return sn_modifier_no_memory(site);
    uint32_t name = sn_json_first(json, object);
    for (uint32_t i = 0; i < count; i++) {
        sn_modifier_curve *curve = &out->curves[i];
        curve->field = find_field(&sn_modifier_common_shape, json, name);
        curve->is_common = curve->field != NULL;
        if (!curve->field)
            curve->field = find_field(&out->type->shape, json, name);
        sn_result result = curve->field ? read_track(site, name + 1, curve->field, &curve->track)
                                        : not_keyed(site, name, out->type);
        if (result)
            return result;
        out->curve_count = i + 1;
        name = json->nodes[name + 1].next;
    }
    return SN_OK;
}

/* Half way between opposite directions there is none: the key before holds. */
static void keep_direction(const sn_track *track, float time, float value[3]) {
    if (fabsf(value[0]) > 0 || fabsf(value[1]) > 0 || fabsf(value[2]) > 0)
        return;
    sn_track steps = *track;
    steps.interpolation = SN_STEP;
    sn_track_evaluate(&steps, time, value);
}

void sn_modifier_field_store(const sn_modifier_field *field, const float value[4], void *out) {
    void *to = (char *)out + field->offset;
    if (field->given)
        *(bool *)((char *)out + field->given) = true;
    if (field->kind == SN_KIND_TARGET || field->kind == SN_KIND_POLE) {
        sn_modifier_target target = {SN_NONE, {value[0], value[1], value[2]}};
        if (field->kind == SN_KIND_TARGET)
            *(sn_modifier_target *)to = target;
        else
            *(sn_modifier_pole *)to = (sn_modifier_pole){.kind = SN_POLE_TARGET, .target = target};
        return;
    }
    memcpy(to, value, sn_modifier_field_width(field) * sizeof(float));
}

void sn_modifier_curve_apply(const sn_modifier_curve *curve, float time, void *out) {
    float value[4];
    sn_track_evaluate(&curve->track, time, value);
    if (curve->field->kind == SN_KIND_DIRECTION)
        keep_direction(&curve->track, time, value);
    sn_modifier_field_store(curve->field, value, out);
}
