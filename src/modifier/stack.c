#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "modifier/stack.h"

/* Puts "/modifiers/N" before the pointer of a failure. */
static void place_error(sn_error *error, uint32_t modifier) {
    if (!error || error->id == SN_MESSAGE_MEMORY || error->line)
        return;
    char inner[sizeof error->pointer];
    memcpy(inner, error->pointer, sizeof inner);
    sn_format(error->pointer, sizeof error->pointer, "/modifiers/%u%s", modifier, inner);
}

static sn_result no_memory(sn_error *error) {
    return sn_fail(error, SN_MESSAGE_MEMORY, NULL, "not enough memory for the modifiers");
}

/* ---- Making ---- */

static bool copy_rest(sn_modifier_stack *stack, const sn_model *model) {
    uint32_t *parents = SN_ARENA_NEW(&stack->arena, uint32_t, model->node_count);
    sn_transform *rest = SN_ARENA_NEW(&stack->arena, sn_transform, model->node_count);
    if (!parents || !rest)
        return false;
    for (uint32_t i = 0; i < model->node_count; i++) {
        parents[i] = model->nodes[i].parent;
        rest[i] = model->nodes[i].rest;
    }
    stack->rest = (sn_joints){.count = model->node_count,
                              .parents = parents,
                              .rest = rest,
                              .local = rest,
                              .root = sn_affine_identity(),
                              .fixed_count = model->fixed_count,
                              .fixed_joints = model->fixed_nodes,
                              .fixed_matrices = model->fixed_matrices};
    return true;
}

/* Leaves white space out; valid JSON has it outside of strings only as these four bytes. */
static bool copy_text(sn_arena *arena, const sn_modifier_text *from, sn_modifier_text *to) {
    char *text = sn_arena_alloc(arena, from->length + 1, 1);
    if (!text)
        return false;
    size_t length = 0;
    bool in_string = false;
    for (size_t i = 0; i < from->length; i++) {
        char c = from->text[i];
        if (!in_string && (c == ' ' || c == '\t' || c == '\n' || c == '\r'))
            continue;
        text[length++] = c;
        if (in_string && c == '\\')
            text[length++] = from->text[++i];
        else if (c == '"')
            in_string = !in_string;
    }
    *to = (sn_modifier_text){text, length};
    return true;
}

static size_t aligned(size_t size) {
    return (size + 15) / 16 * 16;
}

static sn_result compile(sn_modifier_stack *stack, sn_modifier_site *site,
                         const sn_modifier_text *text, sn_modifier *out) {
    sn_arena scratch;
    sn_arena_init(&scratch, stack->arena.allocator);
    sn_json json;
    sn_result result = sn_json_parse(text->text, text->length, &scratch, &json, site->error);
    site->json = &json;
    if (!result)
        result = copy_text(&stack->arena, text, &out->text) ? sn_modifier_read(site, out)
                                                            : sn_modifier_no_memory(site);
    if (!result && out->type->resolve)
        result = out->type->resolve(site, out->parameters);
    sn_arena_free(&scratch);
    out->state_offset = stack->states_size;
    out->parameters_offset = stack->parameters_size;
    out->first_input = stack->input_count;
    if (!result) {
        stack->states_size += aligned(out->type->state_size);
        stack->parameters_size += aligned(out->type->shape.size);
        out->input_count = sn_modifier_keyed_field_count(out->type);
        stack->input_count += out->input_count;
    }
    return result;
}

static sn_result compile_all(sn_modifier_stack *stack, const sn_modifier_stack_desc *desc,
                             sn_error *error) {
    sn_humanoid nobody = sn_humanoid_none();
    sn_modifier_site site = {.model = desc->model,
                             .joints = &stack->rest,
                             .humanoid = desc->humanoid ? desc->humanoid : &nobody,
                             .arena = &stack->arena,
                             .error = error};
    for (uint32_t i = 0; i < desc->modifier_count; i++) {
        sn_result result = compile(stack, &site, &desc->modifiers[i], &stack->modifiers[i]);
        if (result) {
            place_error(error, i);
            return result;
        }
        stack->count = i + 1;
    }
    stack->scratch_size = aligned(site.scratch_size);
    return SN_OK;
}

sn_result sn_modifier_stack_create(const sn_modifier_stack_desc *desc,
                                   const sn_allocator *allocator, sn_modifier_stack **out,
                                   sn_error *error) {
    if (!allocator)
        allocator = sn_allocator_default();
    sn_modifier_stack *stack = allocator->resize(allocator->user, NULL, 0, sizeof *stack);
    if (!stack)
        return no_memory(error);
    *stack = (sn_modifier_stack){.allocator = *allocator};
    sn_budget_init(&stack->budget, &stack->allocator, SIZE_MAX);
    sn_arena_init(&stack->arena, &stack->budget.allocator);
    stack->modifiers = SN_ARENA_NEW(&stack->arena, sn_modifier, desc->modifier_count);
    bool has_memory = stack->modifiers && (!desc->modifier_count || copy_rest(stack, desc->model));
    sn_result result = has_memory ? compile_all(stack, desc, error) : no_memory(error);
    if (result)
        sn_modifier_stack_free(stack);
    else
        *out = stack;
    return result;
}

void sn_modifier_stack_free(sn_modifier_stack *stack) {
    if (!stack)
        return;
    sn_arena_free(&stack->arena);
    sn_allocator allocator = stack->allocator;
    allocator.resize(allocator.user, stack, sizeof *stack, 0);
}

size_t sn_modifier_stack_bytes(const sn_modifier_stack *stack) {
    return sizeof *stack + stack->budget.used;
}

uint32_t sn_modifier_stack_count(const sn_modifier_stack *stack) {
    return stack->count;
}

sn_modifier_text sn_modifier_stack_text(const sn_modifier_stack *stack, uint32_t modifier) {
    return stack->modifiers[modifier].text;
}

float sn_modifier_stack_duration(const sn_modifier_stack *stack) {
    float last = 0;
    for (uint32_t i = 0; i < stack->count; i++)
        for (uint32_t k = 0; k < stack->modifiers[i].curve_count; k++) {
            const sn_track *track = &stack->modifiers[i].curves[k].track;
            last = fmaxf(last, track->times[track->key_count - 1]);
        }
    return last;
}

void sn_modifier_stack_write(const sn_modifier_stack *stack, sn_text *out) {
    sn_text_append(out, "{\"modifiers\":[");
    for (uint32_t i = 0; i < stack->count; i++) {
        sn_text_append(out, i ? "," : "");
        sn_text_append_bytes(out, stack->modifiers[i].text.text, stack->modifiers[i].text.length);
    }
    sn_text_append(out, "]}");
}

const char *sn_modifier_stack_name(const sn_modifier_stack *stack, uint32_t modifier) {
    const char *name = stack->modifiers[modifier].common.name;
    return name ? name : "";
}

uint32_t sn_modifier_stack_find(const sn_modifier_stack *stack, const char *name) {
    for (uint32_t i = 0; i < stack->count; i++)
        if (strcmp(sn_modifier_stack_name(stack, i), name) == 0)
            return i;
    return SN_NONE;
}

/* ---- Applying ---- */

struct sn_modifier_state {
    sn_allocator allocator;
    size_t bytes;
    const sn_modifier_stack *stack;
    sn_transform *local;
    char *states, *next_states; /* of the frame before; of this one, until it has succeeded */
    char *parameters;           /* with the values of the instant, where they are not constant */
    sn_modifier_input *inputs;
    void *scratch;
    sn_modifier_report *reports;
};

sn_result sn_modifier_state_create(const sn_modifier_stack *stack, const sn_allocator *allocator,
                                   sn_modifier_state **out, sn_error *error) {
    if (!allocator)
        allocator = sn_allocator_default();
    size_t head = aligned(sizeof(sn_modifier_state));
    size_t local = aligned(stack->rest.count * sizeof(sn_transform));
    size_t reports = aligned(stack->count * sizeof(sn_modifier_report));
    size_t inputs = stack->input_count * sizeof(sn_modifier_input);
    size_t bytes = head + local + 2 * stack->states_size + stack->parameters_size +
                   stack->scratch_size + reports + inputs;
    char *block = allocator->resize(allocator->user, NULL, 0, bytes);
    if (!block)
        return no_memory(error);
    sn_modifier_state *state = (sn_modifier_state *)block;
    *state = (sn_modifier_state){.allocator = *allocator, .bytes = bytes, .stack = stack};
    char *next = block + head;
    state->local = (sn_transform *)next;
    state->states = next += local;
    state->next_states = next += stack->states_size;
    state->parameters = next += stack->states_size;
    state->scratch = next += stack->parameters_size;
    state->reports = (sn_modifier_report *)(next += stack->scratch_size);
    state->inputs = (sn_modifier_input *)(next + reports);
    memset(state->inputs, 0, inputs);
    sn_modifier_state_reset(state);
    *out = state;
    return SN_OK;
}

void sn_modifier_state_free(sn_modifier_state *state) {
    if (!state)
        return;
    sn_allocator allocator = state->allocator;
    allocator.resize(allocator.user, state, state->bytes, 0);
}

void sn_modifier_state_reset(sn_modifier_state *state) {
    if (state->stack->states_size)
        memset(state->states, 0, state->stack->states_size);
}

static sn_modifier_input *find_input(sn_modifier_state *state, uint32_t modifier, const char *name,
                                     const sn_modifier_field **field) {
    const sn_modifier *m = &state->stack->modifiers[modifier];
    bool is_common;
    for (uint32_t i = 0; (*field = sn_modifier_keyed_field(m->type, i, &is_common)) != NULL; i++)
        if (strcmp((*field)->name, name) == 0)
            return &state->inputs[m->first_input + i];
    return NULL;
}

sn_result sn_modifier_state_set(sn_modifier_state *state, uint32_t modifier, const char *name,
                                const float *values, sn_error *error) {
    const sn_modifier_field *field;
    sn_modifier_input *input =
        modifier < state->stack->count ? find_input(state, modifier, name, &field) : NULL;
    if (!input)
        return sn_fail(error, SN_MESSAGE_MODIFIER_FIELD, NULL,
                       "modifier %u has no field \"%s\" that may have keys, which are those that "
                       "can be set",
                       modifier, name);
    sn_result result = SN_OK;
    if (values)
        result = sn_modifier_input_set(input, field, values, error);
    else
        *input = (sn_modifier_input){0};
    if (result)
        place_error(error, modifier);
    return result;
}

static bool has_inputs(const sn_modifier *modifier, const sn_modifier_state *state) {
    for (uint32_t i = 0; i < modifier->input_count; i++)
        if (state->inputs[modifier->first_input + i].is_set)
            return true;
    return false;
}

/* Keys, then inputs, into copies of what the JSON says. */
static void fill_in(const sn_modifier *modifier, const sn_modifier_state *state, float time,
                    sn_modifier_common *common, void *parameters) {
    for (uint32_t i = 0; i < modifier->curve_count; i++) {
        const sn_modifier_curve *curve = &modifier->curves[i];
        sn_modifier_curve_apply(curve, time, curve->is_common ? (void *)common : parameters);
    }
    const sn_modifier_field *field;
    bool is_common;
    for (uint32_t i = 0; (field = sn_modifier_keyed_field(modifier->type, i, &is_common)); i++) {
        const sn_modifier_input *input = &state->inputs[modifier->first_input + i];
        if (input->is_set)
            sn_modifier_field_store(field, input->value, is_common ? (void *)common : parameters);
    }
}

/* One modifier's part of a frame. */
static sn_result apply(const sn_modifier *modifier, sn_modifier_state *state, sn_joints *joints,
                       const sn_modifier_frame *frame, sn_modifier_report *report,
                       sn_error *error) {
    const sn_modifier_type *type = modifier->type;
    sn_modifier_common common = modifier->common;
    const void *parameters = modifier->parameters;
    if (modifier->curve_count || has_inputs(modifier, state)) {
        void *own = state->parameters + modifier->parameters_offset;
        memcpy(own, parameters, type->shape.size);
        fill_in(modifier, state, frame->time, &common, own);
        parameters = own;
    }
    char *own_state = state->next_states + modifier->state_offset;
    *report = (sn_modifier_report){.type = type->name,
                                   .flag_names = type->flag_names,
                                   .residual_unit = type->residual_is_angle ? "rad" : "m"};
    if (!common.is_enabled || !(common.weight > 0)) {
        memset(own_state, 0, type->state_size);
        return SN_OK;
    }
    report->is_applied = true;
    report->weight = common.weight;
    sn_modifier_call call = {.parameters = parameters,
                             .state = own_state,
                             .joints = joints,
                             .weight = common.weight,
                             .time = frame->time,
                             .seconds = frame->seconds,
                             .scratch = state->scratch};
    sn_result result = type->apply(&call, report, error);
    report->residual = fminf(report->residual, FLT_MAX); /* of targets at the end of the floats */
    return result;
}

sn_result sn_modifier_stack_apply(const sn_modifier_stack *stack, sn_modifier_state *state,
                                  const sn_skeleton *skeleton, sn_pose pose,
                                  const sn_modifier_frame *frame, sn_modifier_report *reports,
                                  sn_error *error) {
    if (!isfinite(frame->time) || !(frame->seconds >= 0) || !isfinite(frame->seconds))
        return sn_fail(error, SN_MESSAGE_ARGUMENT, NULL,
                       "a frame's time must be finite, and its seconds 0 or more");
    sn_joints joints = stack->rest;
    joints.local = state->local;
    if (frame->root)
        joints.root = *frame->root;
    for (uint32_t i = 0; i < joints.count; i++)
        sn_pose_get(skeleton, pose, sn_skeleton_joint_of_node(skeleton, i), &joints.local[i]);
    if (frame->seconds > 0)
        memcpy(state->next_states, state->states, stack->states_size);
    else
        memset(state->next_states, 0, stack->states_size);
    memset(state->reports, 0, stack->count * sizeof *state->reports);
    bool stops = frame->stage_count && frame->stage_count < stack->count;
    uint32_t count = stops ? frame->stage_count : stack->count;
    for (uint32_t i = 0; i < count; i++) {
        sn_result result =
            apply(&stack->modifiers[i], state, &joints, frame, &state->reports[i], error);
        if (result) {
            place_error(error, i);
            return result;
        }
    }
    for (uint32_t i = 0; i < joints.count; i++)
        sn_pose_set(skeleton, pose, sn_skeleton_joint_of_node(skeleton, i), &joints.local[i]);
    memcpy(state->states, state->next_states, stack->states_size);
    if (reports && stack->count)
        memcpy(reports, state->reports, stack->count * sizeof *reports);
    return SN_OK;
}
