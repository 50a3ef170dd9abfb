#include <math.h>

#include "sinew/filter.h"

double sn_damp(double value, double target, double rate, double seconds) {
    return sn_damp_moving(value, target, target, rate, seconds);
}

/* With k = rate * seconds, the solution is the distance to `from` decayed, and of the way to `to`
 * the part that the lag leaves: 1 - (1 - exp(-k)) / k. */
double sn_damp_moving(double value, double from, double to, double rate, double seconds) {
    double k = rate * seconds;
    if (!(rate > 0 && seconds > 0 && k > 0))
        return value;
    double share = -expm1(-k);
    double followed = k > 1e-4 ? 1 - share / k : k / 2 - k * k / 6;
    return value + (from - value) * share + (to - from) * followed;
}

static double or_default(double value, double otherwise) {
    return value > 0 ? value : otherwise;
}

double sn_one_euro_filter(sn_one_euro *filter, const sn_one_euro_options *options, double sample,
                          double seconds) {
    static const sn_one_euro_options defaults;
    const double turn = 6.28318530717958647692; /* a cutoff of 1 Hz is a rate of 2 pi */
    if (!options)
        options = &defaults;
    if (!isfinite(sample))
        return filter->value;
    if (!filter->is_started) {
        *filter = (sn_one_euro){.is_started = true, .sample = sample, .value = sample};
        return sample;
    }
    if (!(seconds > 0) || !isfinite(seconds))
        return filter->value;
    double before = filter->speed, speed = (sample - filter->sample) / seconds;
    filter->speed =
        sn_damp(before, speed, turn * or_default(options->derivative_cutoff, 1), seconds);
    /* The speed in the middle of the frame: that at its end would depend on its length. */
    double cutoff = or_default(options->min_cutoff, 1) +
                    or_default(options->beta, 0) * fabs(before + filter->speed) / 2;
    filter->value = sn_damp_moving(filter->value, filter->sample, sample, turn * cutoff, seconds);
    filter->sample = sample;
    return filter->value;
}
