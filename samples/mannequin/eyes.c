#include "eyes.h"

/* Diameter of the iris is 11.7 mm on an eyeball of 24 mm (Forrester, "The Eye", 4th ed.): half
 * angles of 29 degrees; the pupil in room light takes a third of it. */

static const struct {
    double degrees; /* from the axis of sight */
    uint8_t colour[3];
} rings[EYE_RINGS] = {
    {0.0, {2, 2, 2}},        {5.0, {2, 2, 2}},         {9.5, {2, 2, 2}},
    {11.0, {30, 17, 10}},    {16.0, {34, 20, 12}},     {22.0, {28, 16, 10}},
    {26.5, {16, 9, 6}},      {29.0, {5, 4, 3}},        {31.0, {190, 182, 172}},
    {38.0, {205, 198, 188}}, {50.0, {205, 198, 188}},  {65.0, {200, 190, 180}},
    {80.0, {185, 172, 162}}, {100.0, {150, 130, 120}}, {125.0, {120, 100, 95}},
    {152.0, {120, 100, 95}}, {180.0, {120, 100, 95}},
};

void eye_make(eye *out, double radius) {
    out->triangle_count = 0;
    for (int r = 0; r < EYE_RINGS; r++)
        for (int s = 0; s <= EYE_SECTORS; s++) {
            int v = r * (EYE_SECTORS + 1) + s;
            double polar = radians(rings[r].degrees), turn = 2.0 * MQ_PI * s / EYE_SECTORS;
            vec3 n = v3(sin(polar) * cos(turn), sin(polar) * sin(turn), cos(polar));
            out->normal[v] = n;
            out->position[v] = v3_scale(n, radius);
            for (int c = 0; c < 3; c++)
                out->colour[v][c] = rings[r].colour[c];
            out->colour[v][3] = 255;
        }
    for (int r = 0; r < EYE_RINGS - 1; r++)
        for (int s = 0; s < EYE_SECTORS; s++) {
            int a = r * (EYE_SECTORS + 1) + s, d = a + EYE_SECTORS + 1;
            int quad[2][3] = {{a, d, d + 1}, {a, d + 1, a + 1}};
            for (int k = 0; k < 2; k++) {
                if ((r == 0 && k == 1) || (r == EYE_RINGS - 2 && k == 0))
                    continue;
                for (int c = 0; c < 3; c++)
                    out->triangle[out->triangle_count][c] = quad[k][c];
                out->triangle_count++;
            }
        }
}
