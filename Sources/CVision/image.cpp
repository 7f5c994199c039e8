#include "vision_internal.hpp"

vision_image *vision_image_create(int32_t width, int32_t height, int32_t channels) {
    if (width < 1 || height < 1 || width > 32768 || height > 32768 || (channels != 1 && channels != 3)) return nullptr;
    vision_image *image = nullptr;
    vision_guard(nullptr, [&] {
        image = new vision_image{cv::Mat::zeros(height, width, channels == 1 ? CV_8UC1 : CV_8UC3)};
        return VISION_OK;
    });
    return image;
}

vision_image *vision_image_copy(const vision_image *image) {
    vision_image *copy = nullptr;
    vision_guard(nullptr, [&] {
        copy = new vision_image{image->mat.clone()};
        return VISION_OK;
    });
    return copy;
}

void vision_image_destroy(vision_image *image) { delete image; }
int32_t vision_image_width(const vision_image *image) { return image->mat.cols; }
int32_t vision_image_height(const vision_image *image) { return image->mat.rows; }
int32_t vision_image_channels(const vision_image *image) { return image->mat.channels(); }
uint8_t *vision_image_data(vision_image *image) { return image->mat.data; }
size_t vision_image_stride(const vision_image *image) { return image->mat.step[0]; }
