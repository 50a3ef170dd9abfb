/* Makes DIR/mannequin.glb, a jointed figure with three motions, and the same as a VRM 1.0 avatar,
 * DIR/mannequin.vrm, all of it from the rules in this folder. CC0: do with the files what you like.
 */

#include "accent.h"
#include "export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRID 0.0025 /* metres; fingers are six cells thick */

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    body *b = mq_grow(NULL, 1, sizeof *b);
    body_prepare(b);
    mesh m = {0};
    mesh_extract(&m, b, GRID);
    mesh_refine(&m, b);
    mesh_cut(&m, b, accent_near_edge);
    mesh_cut(&m, b, accent_far_edge);
    mesh_mirror(&m);
    influence *weights = weights_compute(&m, b);
    motion motions[3];
    motion_idle(&motions[0]);
    motion_walk(&motions[1]);
    motion_wave(&motions[2]);

    static const char *const names[2] = {"mannequin.glb", "mannequin.vrm"};
    mannequin whole = {b, &m, weights, motions, 3};
    size_t length = strlen(argv[1]) + strlen(names[0]) + 2;
    char *path = mq_grow(NULL, length, 1);
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        snprintf(path, length, "%s/%s", argv[1], names[i]);
        good = mannequin_export(&whole, i == 1, path);
        if (good)
            printf("%s: %d joints, %d triangles\n", path, JOINT_COUNT, m.triangle_count);
    }
    for (int i = 0; i < 3; i++)
        motion_free(&motions[i]);
    free(path);
    free(weights);
    mesh_free(&m);
    free(b);
    return good ? 0 : 2;
}
