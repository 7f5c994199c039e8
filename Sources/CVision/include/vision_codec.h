/* Single pictures: files, JPEG in memory, and simple changes of size and colour. */
#pragma once
#include "vision_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vision_bytes vision_bytes;
const uint8_t *_Nullable vision_bytes_data(const vision_bytes *_Nonnull bytes);
size_t vision_bytes_count(const vision_bytes *_Nonnull bytes);
void vision_bytes_destroy(vision_bytes *_Nullable bytes);

/* Reads a PNG, JPEG or other picture file of at most 256 MiB and (PNG, JPEG) 100 million pixels as blue, green, red. Stored orientation is ignored, so that boxes refer to the stored pixels. */
vision_status vision_image_read(const char *_Nonnull path, vision_image *_Nullable *_Nonnull out, vision_error *_Nullable error);
/* The same from memory. */
vision_status vision_image_decode(const uint8_t *_Nonnull data, size_t count, vision_image *_Nullable *_Nonnull out,
                                  vision_error *_Nullable error);
/* Writes a picture; the file name's ending names the format. */
vision_status vision_image_write(const vision_image *_Nonnull image, const char *_Nonnull path, vision_error *_Nullable error);
/* JPEG in memory, quality 1...100. */
vision_status vision_image_encode_jpeg(const vision_image *_Nonnull image, int32_t quality, vision_bytes *_Nullable *_Nonnull out,
                                       vision_error *_Nullable error);

/* A new picture of another size (area averaging when it gets smaller, linear otherwise). */
vision_status vision_image_resize(const vision_image *_Nonnull image, int32_t width, int32_t height, vision_image *_Nullable *_Nonnull out,
                                  vision_error *_Nullable error);
/* A new picture with one channel. */
vision_status vision_image_grey(const vision_image *_Nonnull image, vision_image *_Nullable *_Nonnull out, vision_error *_Nullable error);
/* A new picture: the part at x, y of the given size, which must lie within the image. */
vision_status vision_image_crop(const vision_image *_Nonnull image, int32_t x, int32_t y, int32_t width, int32_t height,
                                vision_image *_Nullable *_Nonnull out, vision_error *_Nullable error);
/* Makes the part at x, y of the given size (cut to the image) unrecognisable, for good: averages it over tiles of a sixth of
 * its shorter side, at least 4 pixels. */
vision_status vision_image_obscure(vision_image *_Nonnull image, int32_t x, int32_t y, int32_t width, int32_t height,
                                   vision_error *_Nullable error);

#ifdef __cplusplus
}
#endif
