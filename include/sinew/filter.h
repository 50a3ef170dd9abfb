/* Filters over time: exponential damping and the One Euro filter. Runtime: plain functions on the
 * caller's state.
 *
 * Both are solutions of a differential equation over the frame, not a share a frame, so that what
 * comes out does not depend on the frame rate. */
#ifndef SINEW_FILTER_H
#define SINEW_FILTER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is left to go shrinks by e in 1 / `rate` seconds: dy/dt = rate * (target - y). Rates and
 * times that are not above 0 leave the value where it is. */
double sn_damp(double value, double target, double rate, double seconds);

/* The same towards a target that moves evenly from `from` to `to` meanwhile. */
double sn_damp_moving(double value, double from, double to, double rate, double seconds);

/* Casiez, Roussel and Vogel, "1 Euro Filter", CHI 2012: a low-pass filter whose cutoff rises with
 * the speed of the input, so that a quiet input is quiet and a fast one does not lag. Two things
 * differ from the paper's code, for the sake of the frame rate: the input is taken to move evenly
 * between samples, and its speed is that of the samples, not from the filtered value to the sample.
 *
 * Zeros are the defaults. */
typedef struct sn_one_euro_options {
    double min_cutoff;        /* Hz, of a quiet input; lower is smoother; default 1 */
    double beta;              /* Hz more for each unit a second; default 0 */
    double derivative_cutoff; /* Hz, of the speed's own filter; default 1 */
} sn_one_euro_options;

/* Zeros: nothing seen yet, and the first sample passes as it is. */
typedef struct sn_one_euro {
    bool is_started;
    double sample, speed, value;
} sn_one_euro;

/* `seconds` since the last sample. A sample that is not finite, or comes after no time, changes
 * nothing: the last value is returned. `options` may be NULL: the defaults. */
double sn_one_euro_filter(sn_one_euro *filter, const sn_one_euro_options *options, double sample,
                          double seconds);

#ifdef __cplusplus
}
#endif
#endif
