/* Shared ground of the C ABI over OpenCV: status codes, the error text, and the image handle.
 *
 * Every function catches every C++ exception; none crosses this border. Functions that can fail return a vision_status and,
 * where `error` is not NULL, write one line of explanation into it. Handles are created and destroyed in pairs by the caller and
 * are not safe for use from two threads at once.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifndef __clang__ /* nullability is a clang extension; it is what makes these functions read well in Swift */
#define _Nonnull
#define _Nullable
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vision_status {
    VISION_OK = 0,
    VISION_END = 1,            /* no further frame */
    VISION_NOT_FOUND = 2,      /* file, device or runtime is not there */
    VISION_UNREADABLE = 3,     /* there, but not what it should be */
    VISION_BAD_ARGUMENT = 4,
    VISION_OUT_OF_MEMORY = 5,
    VISION_FAILED = 6          /* everything else; see the error text */
} vision_status;

/* One line, NUL-terminated, cut to fit. */
typedef struct vision_error {
    char message[512];
} vision_error;

/* A picture of 8-bit samples: 1 channel (grey) or 3 (blue, green, red). */
typedef struct vision_image vision_image;

/* A new black picture. NULL when a size is not 1...32768, channels is not 1 or 3, or memory is short. */
vision_image *_Nullable vision_image_create(int32_t width, int32_t height, int32_t channels);
vision_image *_Nullable vision_image_copy(const vision_image *_Nonnull image);
void vision_image_destroy(vision_image *_Nullable image);
int32_t vision_image_width(const vision_image *_Nonnull image);
int32_t vision_image_height(const vision_image *_Nonnull image);
int32_t vision_image_channels(const vision_image *_Nonnull image);
/* First sample of the first row; rows are vision_image_stride bytes apart. Valid until the image is destroyed or written to. */
uint8_t *_Nonnull vision_image_data(vision_image *_Nonnull image);
size_t vision_image_stride(const vision_image *_Nonnull image);

#ifdef __cplusplus
}
#endif
