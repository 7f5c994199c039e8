/* Neural networks: one input picture in, float tensors out, over two engines.
 *
 * OpenVINO is loaded at run time through its C API (nothing of it is needed to build); OpenCV's dnn module is linked.
 */
#pragma once
#include "vision_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vision_network vision_network;

typedef enum vision_engine { VISION_ENGINE_OPENCV = 1, VISION_ENGINE_OPENVINO = 2 } vision_engine;

typedef enum vision_fit {
    VISION_FIT_TOP_LEFT = 0, /* keep the aspect, picture at the top left, rest padded */
    VISION_FIT_CENTRE = 1,   /* keep the aspect, picture in the middle */
    VISION_FIT_STRETCH = 2   /* fill, aspect given up */
} vision_fit;

/* How a picture becomes the input tensor 1 x 3 x height x width: (sample - mean) * scale, channel by channel in the tensor's order. */
typedef struct vision_input {
    int32_t width;
    int32_t height;
    vision_fit fit;
    int32_t red_first; /* 0: blue, green, red */
    float mean[3];
    float scale[3];
    float padding; /* sample value of the padded part, before normalisation */
} vision_input;

typedef struct vision_tensor {
    const float *_Nullable data; /* valid until the next run */
    int64_t count;
    int32_t rank;
    int64_t dims[8];
} vision_tensor;

/* Whether libopenvino_c can be loaded from `folder` (NULL: the loader's standard path). VISION_NOT_FOUND with the reason otherwise. */
vision_status vision_openvino_probe(const char *_Nullable folder, vision_error *_Nullable error);

/* Loads `path` (.onnx, or .xml with its .bin beside it for OpenVINO). `openvino_folder` as in the probe; ignored by OpenCV. */
vision_status vision_network_open(vision_engine engine, const char *_Nullable openvino_folder, const char *_Nonnull path,
                                  const vision_input *_Nonnull input, int32_t threads, vision_network *_Nullable *_Nonnull out,
                                  vision_error *_Nullable error);
void vision_network_destroy(vision_network *_Nullable network);
/* Threads that OpenCV may use in this process: the most that any of its networks was opened with. */
int32_t vision_opencv_threads(void);
/* Fits `image` (three channels) into the input tensor. */
vision_status vision_network_prepare(vision_network *_Nonnull network, const vision_image *_Nonnull image, vision_error *_Nullable error);
/* Runs the network on the input tensor as it was prepared. */
vision_status vision_network_infer(vision_network *_Nonnull network, vision_error *_Nullable error);
int32_t vision_network_output_count(const vision_network *_Nonnull network);
/* Output number `index` of the last run. */
vision_status vision_network_output(const vision_network *_Nonnull network, int32_t index, vision_tensor *_Nonnull out,
                                    vision_error *_Nullable error);

#ifdef __cplusplus
}
#endif
