/* Video files, streams and cameras, read and written through OpenCV's videoio. */
#pragma once
#include "vision_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vision_reader vision_reader;
typedef struct vision_writer vision_writer;

typedef enum vision_source_kind {
    VISION_SOURCE_STREAM = 0, /* file or URL, through FFmpeg */
    VISION_SOURCE_CAMERA = 1  /* V4L2 device path */
} vision_source_kind;

typedef struct vision_video_info {
    int32_t width;
    int32_t height;
    double frames_per_second; /* 0 when unknown */
    int64_t frame_count;      /* as the container states it; 0 when unknown */
} vision_video_info;

/* Makes OpenCV and FFmpeg write nothing to standard error. Called once, before anything else of this library is used. */
void vision_silence(void);

/* Opens `location`. Wanted size and rate are for cameras; 0 leaves the choice to the device. open/read limits are in ms for streams, 0 for none.
 * VISION_NOT_FOUND or VISION_UNREADABLE when it does not open. */
vision_status vision_reader_open(const char *_Nonnull location, vision_source_kind kind, int32_t width, int32_t height,
                                 double frames_per_second, int32_t timeout_ms, vision_reader *_Nullable *_Nonnull out,
                                 vision_error *_Nullable error);
void vision_reader_destroy(vision_reader *_Nullable reader);
vision_video_info vision_reader_info(const vision_reader *_Nonnull reader);
/* The next frame as blue, green, red, and its presentation time in s. VISION_END after the last one. Blocks. */
vision_status vision_reader_next(vision_reader *_Nonnull reader, vision_image *_Nullable *_Nonnull image, double *_Nonnull time_s,
                                 vision_error *_Nullable error);

/* Writes an MP4: H.264 where the build has an encoder, MPEG-4 part 2 otherwise. */
vision_status vision_writer_open(const char *_Nonnull path, int32_t width, int32_t height, double frames_per_second,
                                 vision_writer *_Nullable *_Nonnull out, vision_error *_Nullable error);
/* The image must be of the writer's size with three channels. */
vision_status vision_writer_write(vision_writer *_Nonnull writer, const vision_image *_Nonnull image, vision_error *_Nullable error);
/* Writes the end of the file. */
void vision_writer_destroy(vision_writer *_Nullable writer);

#ifdef __cplusplus
}
#endif
