/* Markers in files: read from extras.sinew.markers, written back beside what else is there. */
#include "tests/unit/edit_check.h"

#include <stdio.h>

#include "anim/clip.h"
#include "gltf/markers.h"
#include "sinew/gltf.h"
#include "tests/unit/allocators.h"

/* Extras are written with apostrophes for quotation marks; NULL: none. */
static char *file_with(const char *extras) {
    char *text = malloc(4096);
    assert_non_null(text);
    snprintf(text, 4096,
             "{'asset':{'version':'2.0'},'animations':[{'channels':[],'samplers':[]%s%s}]}",
             extras ? ",'extras':" : "", extras ? extras : "");
    char *quoted = edit_quote(text);
    free(text);
    return quoted;
}

static sn_gltf *read(const char *extras) {
    char *text = file_with(extras);
    sn_gltf *gltf = NULL;
    sn_error error = {0};
    if (sn_gltf_read(text, strlen(text), NULL, &gltf, &error) != SN_OK)
        fail_msg("%s: %s", text, error.text);
    free(text);
    return gltf;
}

static void markers_are_read_in_order(void **state) {
    (void)state;
    sn_gltf *gltf = read("{'a':1,'sinew':{'markers':[{'time':0.1,'name':'\\u00e9'},"
                         "{'time':2,'name':'end','color':'red'},{'name':'middle','time':1}]}}");
    const sn_clip *clip = &sn_gltf_model(gltf)->clips[0];
    static const sn_marker expected[] = {{0.1f, "\xC3\xA9"}, {1, "middle"}, {2, "end"}};
    assert_int_equal(clip->marker_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(clip->markers[i].time == expected[i].time);
        assert_string_equal(clip->markers[i].name, expected[i].name);
    }
    const sn_warning *warnings;
    assert_int_equal(sn_gltf_warnings(gltf, &warnings), 0);
    sn_gltf_free(gltf);
}

/* Extras belong to anyone: nothing in them is an error, and what is no marker is named. */
static void what_is_no_marker_is_passed_over(void **state) {
    (void)state;
    static const struct {
        const char *extras, *pointer;
    } cases[] = {
        {NULL, NULL},
        {"7", NULL},
        {"[]", NULL},
        {"{'sinew':null}", NULL},
        {"{'sinew':{}}", NULL},
        {"{'sinew':{'markers':[]}}", NULL},
        {"{'sinew':{'markers':{}}}", ""},
        {"{'sinew':{'markers':[1]}}", "/0"},
        {"{'sinew':{'markers':[{}]}}", "/0"},
        {"{'sinew':{'markers':[{'time':'0','name':'a'}]}}", "/0"},
        {"{'sinew':{'markers':[{'time':0,'name':0}]}}", "/0"},
        {"{'sinew':{'markers':[{'time':-1,'name':'a'}]}}", "/0"},
        {"{'sinew':{'markers':[{'time':1e39,'name':'a'}]}}", "/0"},
        {"{'sinew':{'markers':[{'time':0,'name':''}]}}", "/0"},
        {"{'sinew':{'markers':[{'time':0,'name':'a\\u0000b'}]}}", "/0"},
        {"{'sinew':{'markers':[{'time':0.5,'name':'a'},{'time':0.5,'name':'b'}]}}", "/1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sn_gltf *gltf = read(cases[i].extras);
        const sn_warning *warnings;
        size_t count = sn_gltf_warnings(gltf, &warnings);
        assert_int_equal(count, cases[i].pointer ? 1 : 0);
        if (count) {
            char pointer[100];
            snprintf(pointer, sizeof pointer, "/animations/0/extras/sinew/markers%s",
                     cases[i].pointer);
            assert_int_equal(warnings[0].id, SN_MESSAGE_ANIMATION_MARKERS);
            assert_string_equal(warnings[0].pointer, pointer);
        }
        bool one = cases[i].pointer && strcmp(cases[i].pointer, "/1") == 0;
        assert_int_equal(sn_gltf_model(gltf)->clips[0].marker_count, one ? 1 : 0);
        sn_gltf_free(gltf);
    }
}

static void other_extras_are_kept(void **state) {
    (void)state;
    static const sn_marker two[] = {{0.5f, "a\"b"}, {1, "end"}};
    static const struct {
        const char *extras;
        uint32_t count; /* markers to write */
        const char *written;
    } cases[] = {
        {NULL, 2, "{'sinew':{'markers':[{'time':0.5,'name':'a\\\"b'},{'time':1,'name':'end'}]}}"},
        {"{}", 1, "{'sinew':{'markers':[{'time':0.5,'name':'a\\\"b'}]}}"},
        {"{'x': 1.50,'y':[ ]}", 1,
         "{'x':1.50,'y':[ ],'sinew':{'markers':[{'time':0.5,'name':'a\\\"b'}]}}"},
        {"{'x':1,'sinew':{'v':2,'markers':[],'w':3},'y':4}", 1,
         "{'x':1,'sinew':{'v':2,'markers':[{'time':0.5,'name':'a\\\"b'}],'w':3},'y':4}"},
        /* a marker that stays is copied, with what else it says */
        {"{'sinew':{'markers':[{'name':'end', 'time':1.0, 'color':'red'},{'time':3,'name':'x'}]}}",
         2,
         "{'sinew':{'markers':[{'time':0.5,'name':'a\\\"b'},{'name':'end', 'time':1.0, "
         "'color':'red'}]}}"},
        {"7", 1, "{'sinew':{'markers':[{'time':0.5,'name':'a\\\"b'}],'extras':7}}"},
        {"{'sinew':5}", 1, "{'sinew':{'markers':[{'time':0.5,'name':'a\\\"b'}]}}"},
        /* no marker any more */
        {"{'sinew':{'markers':[{'time':1,'name':'end'}]}}", 0, NULL},
        {"{'x':1,'sinew':{'markers':[{'time':1,'name':'end'}]}}", 0, "{'x':1}"},
        {"{'sinew':{'markers':[{'time':1,'name':'end'}],'v':1}}", 0, "{'sinew':{'v':1}}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sn_gltf *gltf = read(cases[i].extras);
        const sn_json *json = sn_gltf_json(gltf);
        uint32_t animation = sn_json_first(json, sn_json_member(json, 0, "animations"));
        sn_clip clip = {.marker_count = cases[i].count, .markers = two};
        sn_text text;
        sn_text_init(&text, NULL);
        bool any =
            sn_write_marker_extras(gltf, sn_json_member(json, animation, "extras"), &clip, &text);
        assert_int_equal(any, cases[i].written != NULL);
        if (any) {
            char *expected = edit_quote(cases[i].written);
            assert_string_equal(text.data, expected);
            free(expected);
            /* and reading it gives the markers */
            sn_gltf *again = read(text.data);
            assert_true(sn_clip_same_markers(&clip, &sn_gltf_model(again)->clips[0]));
            sn_gltf_free(again);
        }
        sn_text_free(&text);
        sn_gltf_free(gltf);
    }
}

static void same_markers_are_the_same(void **state) {
    (void)state;
    static const sn_marker a[] = {{0.5f, "a"}, {1, "b"}};
    static const sn_marker same[] = {{0.5f, "a"}, {1, "b"}};
    static const sn_marker named[] = {{0.5f, "a"}, {1, "c"}};
    static const sn_marker later[] = {{0.5f, "a"}, {2, "b"}};
    sn_clip clip = {.marker_count = 2, .markers = a};
    sn_clip other = {.marker_count = 2, .markers = same};
    assert_true(sn_clip_same_markers(&clip, &other));
    other.markers = named;
    assert_false(sn_clip_same_markers(&clip, &other));
    other.markers = later;
    assert_false(sn_clip_same_markers(&clip, &other));
    other.markers = a;
    other.marker_count = 1;
    assert_false(sn_clip_same_markers(&clip, &other));
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char *text = file_with("{'sinew':{'markers':[{'time':1,'name':'a'},{'time':0,'name':'b'}]}}");
    for (size_t n = 1;; n++) {
        test_allocator failing;
        test_allocator_init(&failing, n);
        sn_gltf *gltf = NULL;
        sn_gltf_options options = {.allocator = &failing.allocator};
        sn_result result = sn_gltf_read(text, strlen(text), &options, &gltf, NULL);
        if (result == SN_OK) {
            sn_gltf_free(gltf);
            assert_int_equal(failing.in_use, 0);
            break;
        }
        assert_int_equal(result, SN_ERROR_MEMORY);
        assert_int_equal(failing.in_use, 0);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markers_are_read_in_order),
        cmocka_unit_test(what_is_no_marker_is_passed_over),
        cmocka_unit_test(other_extras_are_kept),
        cmocka_unit_test(same_markers_are_the_same),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("markers", tests, NULL, NULL);
}
