/* Markers of an animation in a file: extras.sinew.markers, an array of {"time": seconds,
 * "name": string}. */
#ifndef SN_GLTF_MARKERS_H
#define SN_GLTF_MARKERS_H

#include "gltf/internal.h"

/* Reads the markers of an animation (a JSON object) into the clip, whose origin it is, in order of
 * time. Extras may
 * hold anything: what is no marker is passed over with a warning. Errors: memory. */
sn_result sn_reader_markers(sn_reader *r, uint32_t animation, sn_clip *clip);

/* Appends the extras of an animation that is written with the markers of `clip`: those that its
 * origin has (`extras`, a JSON value or SN_NONE), with the markers replaced and all else as it is,
 * a marker that stays included. False: there are none, nothing was appended, and the member goes.
 */
bool sn_write_marker_extras(const sn_gltf *gltf, uint32_t extras, const sn_clip *clip,
                            sn_text *out);

#endif
