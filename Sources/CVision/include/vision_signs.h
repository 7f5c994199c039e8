/* Where in a picture a speed sign may be, by colour and shape: red rings, pale discs, pale plates. What it is, a reader tells.
 *
 * A finder keeps its buffers, so that no frame allocates; one thread at a time.
 */
#pragma once
#include "vision_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vision_sign_finder vision_sign_finder;

/* One place, pixels of the picture. */
typedef struct vision_sign_candidate {
    double x, y, width, height;
    double score;     /* log odds of a speed sign; only the order among one shape's candidates counts */
    int32_t is_plate; /* 0: round */
} vision_sign_candidate;

/* How to look. */
typedef struct vision_sign_search {
    int32_t rounds;       /* most round candidates; 0: do not look for them */
    int32_t plates;       /* most plates; 0: do not look for them */
    double least_height;  /* of a sign, pixels of the picture */
    double rows;          /* share of the picture's rows that is searched, from the top, 0...1 */
} vision_sign_search;

/* NULL when memory is short. */
vision_sign_finder *_Nullable vision_sign_finder_create(void);
void vision_sign_finder_destroy(vision_sign_finder *_Nullable finder);

/* The most promising places in `image` (three channels), round ones first, each shape best first. `candidates` has room for
 * search.rounds + search.plates. */
vision_status vision_sign_finder_search(vision_sign_finder *_Nonnull finder, const vision_image *_Nonnull image, vision_sign_search search,
                                        vision_sign_candidate *_Nonnull candidates, int32_t *_Nonnull count, vision_error *_Nullable error);

/* Replaces the box of a plate in `image` (three channels), as the search gives it, by its outline; leaves it where no sides are seen. */
vision_status vision_plate_outline(const vision_image *_Nonnull image, double *_Nonnull x, double *_Nonnull y, double *_Nonnull width, double *_Nonnull height,
                                   vision_error *_Nullable error);

/* Whether a plate (lorries, when wet, hours, SCHOOL) is right under the sign at x, y, width, height of `image` (three channels), or right over it with
 * `is_above`; `is_plate` says that the sign is a plate itself. */
vision_status vision_sign_finder_annex(vision_sign_finder *_Nonnull finder, const vision_image *_Nonnull image, double x, double y, double width,
                                       double height, int32_t is_plate, int32_t is_above, int32_t *_Nonnull is_seen, vision_error *_Nullable error);

#ifdef __cplusplus
}
#endif
