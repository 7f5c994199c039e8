/* Looks at a picture as a whole: whether it is the same as another, shows anything, is sharp, and which way the camera drives; and where
 * number plates may be in it. */
#pragma once
#include "vision_base.h"
#include "vision_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number that equal pictures share and others hardly ever (64 bits over every fourth row). */
uint64_t vision_inspect_digest(const vision_image *_Nonnull image);

typedef struct vision_look {
    double mean;       /* grey level, 0...255 */
    double flat_share; /* share of 16 x 9 tiles without structure, 0...1 */
    double sharpness;  /* gradient energy at fine over that at a quarter of the size, per real length: 1 is all smooth */
} vision_look;

vision_status vision_inspect(const vision_image *_Nonnull image, vision_look *_Nonnull look, vision_error *_Nullable error);

/* How the whole picture moved from one to the next. */
typedef struct vision_drift {
    int32_t moving;    /* corners that were followed and moved */
    double expanding;  /* share of these that move away from the focus */
    double focus_x;    /* the focus of expansion, relative to the frame (0...1 is inside) */
    double focus_y;
} vision_drift;

/* VISION_NOT_FOUND when too little can be followed, or moves. Both pictures have one size. The same pictures give the same answer. */
vision_status vision_inspect_drift(const vision_image *_Nonnull before, const vision_image *_Nonnull now, vision_drift *_Nonnull drift,
                                   vision_error *_Nullable error);

/* Upright parts of the picture that may be number plates: rows of strokes of high contrast, two to seven times as wide as high. Writes at
 * most `capacity` and returns how many in *count. */
vision_status vision_find_plates(const vision_image *_Nonnull image, vision_rectangle *_Nonnull out, size_t capacity, size_t *_Nonnull count,
                                 vision_error *_Nullable error);

#ifdef __cplusplus
}
#endif
