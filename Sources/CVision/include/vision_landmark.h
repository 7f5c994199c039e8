/* Finds given pictures in frames by normalised cross-correlation over place, scale and angle, in grey, from coarse to fine. */
#pragma once
#include "vision_base.h"
#include "vision_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vision_landmark vision_landmark;

typedef struct vision_landmark_range {
    double smallest;  /* size in the frame over size of the template; 0.05...20 */
    double largest;
    double angle_deg; /* turned by at most so much either way; 0...45 */
} vision_landmark_range;

/* Prepares a template. VISION_BAD_ARGUMENT when it is smaller than 16 pixels, shows nothing, or the range makes no sense. */
vision_status vision_landmark_create(const vision_image *_Nonnull picture, vision_landmark_range range,
                                     vision_landmark *_Nullable *_Nonnull out, vision_error *_Nullable error);
void vision_landmark_destroy(vision_landmark *_Nullable landmark);

/* Frames in grey, each half the size of the one before; made once for all templates. */
typedef struct vision_pyramid vision_pyramid;
vision_status vision_pyramid_create(const vision_image *_Nonnull image, vision_pyramid *_Nullable *_Nonnull out,
                                    vision_error *_Nullable error);
void vision_pyramid_destroy(vision_pyramid *_Nullable pyramid);

typedef struct vision_sighting {
    double score; /* normalised correlation, -1...1 */
    vision_rectangle box;
    double scale;
    double angle_deg;
} vision_sighting;

/* The best place of the template; VISION_NOT_FOUND when nothing comes near `least_score`. Looks where it was found last, and at a third of
 * the sizes and angles, another third at every call; at all of them when `thorough` is not 0. The pyramid makes frames at most 360 pixels
 * wide for the search, and what is smaller than 8 pixels there is not found. */
vision_status vision_landmark_find(vision_landmark *_Nonnull landmark, const vision_pyramid *_Nonnull pyramid, double least_score,
                                   int32_t thorough, vision_sighting *_Nonnull out, vision_error *_Nullable error);

#ifdef __cplusplus
}
#endif
