#include "keys.h"

/* Rows of a key: in-tangent, value and out-tangent of a spline, else the value alone. */
enum row { IN_TANGENT, VALUE, OUT_TANGENT };

static const float *row_of(const sn_track *track, uint32_t key, enum row row) {
    size_t index = track->interpolation == SN_CUBICSPLINE ? (size_t)key * 3 + row : key;
    return track->values + index * track->width;
}

static void write_rows(cli_writer *w, const char *name, const sn_track *track, enum row row) {
    cli_key(w, name);
    cli_begin_array(w);
    for (uint32_t key = 0; key < track->key_count; key++)
        cli_floats(w, row_of(track, key, row), track->width);
    cli_end_array(w);
}

void cli_write_keys(cli_writer *w, const sn_track *track) {
    cli_key(w, "times");
    cli_floats(w, track->times, track->key_count);
    write_rows(w, "values", track, VALUE);
    if (track->interpolation != SN_CUBICSPLINE)
        return;
    write_rows(w, "inTangents", track, IN_TANGENT);
    write_rows(w, "outTangents", track, OUT_TANGENT);
}

static void append_row(sn_text *text, const char *title, const sn_track *track, uint32_t key,
                       enum row row) {
    sn_text_append(text, title);
    const float *values = row_of(track, key, row);
    for (uint32_t i = 0; i < track->width; i++) {
        sn_text_append(text, " ");
        sn_text_append_float(text, values[i]);
    }
}

void cli_append_keys(sn_text *text, const sn_track *track) {
    for (uint32_t key = 0; key < track->key_count; key++) {
        sn_text_append(text, "  ");
        sn_text_append_float(text, track->times[key]);
        append_row(text, " s:", track, key, VALUE);
        if (track->interpolation == SN_CUBICSPLINE) {
            append_row(text, ", in", track, key, IN_TANGENT);
            append_row(text, ", out", track, key, OUT_TANGENT);
        }
        sn_text_append(text, "\n");
    }
}
