/* Drawing for rendered drives: layers (sprites and textures with transparency), textured planes, and finishing touches of a frame.
 *
 * Coordinates are continuous: a pixel covers [i, i+1), edges may lie between pixels and are antialiased. Colours are 0...255, alpha
 * is 0...1. Everything is a function of its arguments alone: random patterns come from a counter-based generator with the
 * caller's seed (SplitMix64), never from shared state, so equal calls give equal pixels.
 */
#pragma once
#include "vision_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A picture with transparency (blue, green, red, alpha; premultiplied, 8 bit). Smaller versions for drawing it from afar are made once,
 * when it is first drawn; painting on it afterwards drops them. */
typedef struct vision_layer vision_layer;
/* A road or a row of houses: a texture that repeats along the direction of travel, seen through a pinhole camera. */
typedef struct vision_plane vision_plane;

typedef struct vision_point {
    double x;
    double y;
} vision_point;

typedef struct vision_colour {
    float blue;
    float green;
    float red;
    float alpha;
} vision_colour;

/* A transparent layer. NULL when a size is not 1...32768 or memory is short. */
vision_layer *_Nullable vision_layer_create(int32_t width, int32_t height);
/* A layer from a PNG, JPEG or other picture file of at most 16 MiB and 4096 pixels a side, its transparency kept. */
vision_status vision_layer_read(const char *_Nonnull path, vision_layer *_Nullable *_Nonnull out, vision_error *_Nullable error);
void vision_layer_destroy(vision_layer *_Nullable layer);
int32_t vision_layer_width(const vision_layer *_Nonnull layer);
int32_t vision_layer_height(const vision_layer *_Nonnull layer);
/* Fills a polygon; the colour runs from `top` at its upper end to `bottom` at its lower end, its edge is softened by a Gaussian of
 * `softness` pixels. */
vision_status vision_layer_polygon(vision_layer *_Nonnull layer, const vision_point *_Nonnull points, int32_t count, vision_colour top,
                                   vision_colour bottom, double softness, vision_error *_Nullable error);
/* Writes ASCII text with round strokes, its middle at `x`, `y`, its capitals `height` pixels tall. */
vision_status vision_layer_text(vision_layer *_Nonnull layer, const char *_Nonnull text, double x, double y, double height, double stroke,
                                vision_colour colour, vision_error *_Nullable error);
/* Multiplies the colours by 1 + amplitude * n, n being smooth noise in -1...1 whose cells are `cell_x` by `cell_y` pixels. The pattern
 * repeats at the layer's edges without a seam. */
vision_status vision_layer_grain(vision_layer *_Nonnull layer, uint64_t seed, double cell_x, double cell_y, double amplitude,
                                 vision_error *_Nullable error);

/* Draws the whole layer into the four corners (top left, top right, bottom right, bottom left) of an image with three channels;
 * `haze.alpha` of its colour is replaced by the haze's. */
vision_status vision_canvas_draw(vision_image *_Nonnull image, vision_layer *_Nonnull layer, const vision_point *_Nonnull corners,
                                 vision_colour haze, vision_error *_Nullable error);
/* Fills a polygon of the image. */
vision_status vision_canvas_polygon(vision_image *_Nonnull image, const vision_point *_Nonnull points, int32_t count, vision_colour colour,
                                    vision_error *_Nullable error);
/* Softens the image by a Gaussian of `sigma` pixels. */
vision_status vision_canvas_blur(vision_image *_Nonnull image, double sigma, vision_error *_Nullable error);
/* Fills the image with normal noise about 128. */
vision_status vision_canvas_fill_noise(vision_image *_Nonnull image, uint64_t seed, double sigma, vision_error *_Nullable error);
/* Adds (sample - 128) of `noise`, read from `x`, `y` on; `noise` must reach that far. */
vision_status vision_canvas_add_noise(vision_image *_Nonnull image, const vision_image *_Nonnull noise, int32_t x, int32_t y,
                                      vision_error *_Nullable error);

typedef enum vision_plane_kind {
    VISION_PLANE_GROUND = 0, /* the road: rows of the texture run from `across_from` to `across_to`, m to the right */
    VISION_PLANE_WALL = 1    /* a wall along the road at `offset_m` to the right: rows run from `across_from` to `across_to`, m of height */
} vision_plane_kind;

typedef struct vision_plane_view {
    vision_plane_kind kind;
    int32_t width; /* of the image */
    int32_t height;
    double focal_px;
    double centre_x;
    double centre_y;
    double camera_height_m;
    double offset_m;
    double across_from;
    double across_to;
    double length_m;      /* of the texture along the road (its columns) */
    double haze_length_m; /* haze covers 1 - exp(-distance / haze_length) */
    double curvature_per_m; /* of the road, to the right positive; 0 for a straight one */
} vision_plane_view;

/* NULL when the view makes no sense or memory is short. The layer is copied. */
vision_plane *_Nullable vision_plane_create(const vision_layer *_Nonnull texture, const vision_plane_view *_Nonnull view);
void vision_plane_destroy(vision_plane *_Nullable plane);
/* Draws the plane as seen after `travelled_m` along the road. */
vision_status vision_plane_draw(vision_image *_Nonnull image, const vision_plane *_Nonnull plane, double travelled_m, vision_colour haze,
                                vision_error *_Nullable error);

#ifdef __cplusplus
}
#endif
