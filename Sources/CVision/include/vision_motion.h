/* How the picture of one thing grows and moves from one frame to the next, from the picture itself.
 *
 * The meter keeps the last frame in grey. Corners inside a box of that frame are followed into the new one (pyramidal
 * Lucas-Kanade, Bouguet 2001), followed back again, and dropped where they do not return (forward-backward check, Kalal et al.
 * 2010); scale and shift are fitted to the rest: median of the ratios of pair distances as the start, then reweighted least
 * squares. Sub-pixel, and indifferent to how well a detector's box sits.
 */
#pragma once
#include "vision_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vision_motion_meter vision_motion_meter;

/* What was measured inside one box. */
typedef struct vision_motion {
    double log_scale;    /* ln(size now / size before) */
    double log_scale_sd; /* its standard deviation, from the scatter of the corners about the fit */
    double shift_x;      /* how far the box's centre moved, in pixels */
    double shift_y;
    int32_t followed;    /* corners that passed the forward-backward check */
    int32_t inliers;     /* of these, how many agree with the fit */
} vision_motion;

/* NULL when memory is short. */
vision_motion_meter *_Nullable vision_motion_create(void);
void vision_motion_destroy(vision_motion_meter *_Nullable meter);

/* Offers the next frame: it becomes "now". A frame that repeats the last one (a 25 Hz film in a 30 Hz file) is not taken and
 * *repeated is set to 1: "now" stays what it was. */
vision_status vision_motion_offer(vision_motion_meter *_Nonnull meter, const vision_image *_Nonnull frame,
                                  int32_t *_Nonnull repeated, vision_error *_Nullable error);

/* A part of a frame, pixels. */
typedef struct vision_rectangle {
    double x, y, width, height;
} vision_rectangle;

/* Measures from the frame before to the frame now inside a box of the frame before. Corners inside the `count` rectangles at
 * `covers` are left out: something nearer covers the thing there, and moves otherwise. VISION_NOT_FOUND when there is no frame
 * before, its size differs, or too few corners can be followed: an expected condition, `error` stays untouched. */
vision_status vision_motion_measure(vision_motion_meter *_Nonnull meter, vision_rectangle box,
                                    const vision_rectangle *_Nullable covers, size_t count, vision_motion *_Nonnull motion,
                                    vision_error *_Nullable error);

/* How one point of the scene moved in the picture, pixels. */
typedef struct vision_flow {
    double x, y;   /* where it was */
    double dx, dy; /* how far it moved, right and down */
} vision_flow;

/* Follows corners all over the frame from the frame of the last call to the frame now; the first call, and one after a change of
 * size, finds none. Corners inside the `count` rectangles at `covers` are left out: what moves by itself says nothing about the
 * camera. Writes at most `capacity` flows to `flows` and their number to *found. */
vision_status vision_motion_field(vision_motion_meter *_Nonnull meter, const vision_rectangle *_Nullable covers, size_t count,
                                  vision_flow *_Nonnull flows, size_t capacity, size_t *_Nonnull found,
                                  vision_error *_Nullable error);

#ifdef __cplusplus
}
#endif
