#include "vision_codec.h"

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <unistd.h>
#include <vector>

#include "vision_internal.hpp"

struct vision_bytes {
    std::vector<uint8_t> data;
};

const uint8_t *vision_bytes_data(const vision_bytes *bytes) { return bytes->data.data(); }
size_t vision_bytes_count(const vision_bytes *bytes) { return bytes->data.size(); }
void vision_bytes_destroy(vision_bytes *bytes) { delete bytes; }

namespace {
constexpr int colour = cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION;

vision_status adopt(cv::Mat mat, vision_image **out) {
    if (mat.empty()) return VISION_UNREADABLE;
    *out = new vision_image{std::move(mat)};
    return VISION_OK;
}
}  // namespace

vision_status vision_image_read(const char *path, vision_image **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        if (access(path, R_OK) != 0) return VISION_NOT_FOUND;
        return adopt(cv::imread(path, colour), out);
    });
}

vision_status vision_image_decode(const uint8_t *data, size_t count, vision_image **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        if (count == 0 || count > (1u << 30)) return VISION_BAD_ARGUMENT;
        cv::Mat wrapped(1, static_cast<int>(count), CV_8UC1, const_cast<uint8_t *>(data));
        return adopt(cv::imdecode(wrapped, colour), out);
    });
}

vision_status vision_image_write(const vision_image *image, const char *path, vision_error *error) {
    return vision_guard(error, [&] { return cv::imwrite(path, image->mat) ? VISION_OK : VISION_FAILED; });
}

vision_status vision_image_encode_jpeg(const vision_image *image, int32_t quality, vision_bytes **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        auto bytes = std::make_unique<vision_bytes>();
        if (!cv::imencode(".jpg", image->mat, bytes->data, {cv::IMWRITE_JPEG_QUALITY, quality})) return VISION_FAILED;
        *out = bytes.release();
        return VISION_OK;
    });
}

vision_status vision_image_resize(const vision_image *image, int32_t width, int32_t height, vision_image **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        if (width < 1 || height < 1 || width > 32768 || height > 32768) return VISION_BAD_ARGUMENT;
        cv::Mat resized;
        cv::resize(image->mat, resized, cv::Size(width, height), 0, 0, width < image->mat.cols ? cv::INTER_AREA : cv::INTER_LINEAR);
        return adopt(std::move(resized), out);
    });
}

vision_status vision_image_grey(const vision_image *image, vision_image **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        cv::Mat grey;
        if (image->mat.channels() == 1)
            grey = image->mat.clone();
        else
            cv::cvtColor(image->mat, grey, cv::COLOR_BGR2GRAY);
        return adopt(std::move(grey), out);
    });
}

vision_status vision_image_crop(const vision_image *image, int32_t x, int32_t y, int32_t width, int32_t height, vision_image **out,
                                vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        cv::Rect part(x, y, width, height);
        if (width < 1 || height < 1 || (part & cv::Rect(0, 0, image->mat.cols, image->mat.rows)) != part) return VISION_BAD_ARGUMENT;
        return adopt(image->mat(part).clone(), out);
    });
}
