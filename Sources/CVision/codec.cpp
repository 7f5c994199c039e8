#include "vision_codec.h"

#include <cerrno>
#include <cstring>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <sys/stat.h>
#include <vector>

#include "picture_header.hpp"
#include "vision_internal.hpp"

struct vision_bytes {
    std::vector<uint8_t> data;
};

const uint8_t *vision_bytes_data(const vision_bytes *bytes) { return bytes->data.data(); }
size_t vision_bytes_count(const vision_bytes *bytes) { return bytes->data.size(); }
void vision_bytes_destroy(vision_bytes *bytes) { delete bytes; }

namespace {
constexpr int colour = cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION;

constexpr int longest_side = 32768;
constexpr size_t most_bytes = 256u << 20;


vision_status adopt(cv::Mat mat, vision_image **out, vision_error *error) {
    if (mat.empty()) return vision_tell(error, VISION_UNREADABLE, "is no picture that can be read");
    if (mat.cols > longest_side || mat.rows > longest_side) return vision_tell(error, VISION_UNREADABLE, "is too large");
    *out = new vision_image{std::move(mat)};
    return VISION_OK;
}

vision_status decode(const uint8_t *data, size_t count, vision_image **out, vision_error *error) {
    if (count == 0) return vision_tell(error, VISION_UNREADABLE, "is empty");
    if (count > most_bytes) return vision_tell(error, VISION_UNREADABLE, "is larger than 256 MiB");
    if (const char *problem = picture_problem(data, count)) return vision_tell(error, VISION_UNREADABLE, problem);
    cv::Mat wrapped(1, static_cast<int>(count), CV_8UC1, const_cast<uint8_t *>(data));
    return adopt(cv::imdecode(wrapped, colour), out, error);
}

vision_status read_file(const char *path, std::vector<uint8_t> &bytes, vision_error *error) {
    std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path, "rbe"), std::fclose);
    struct stat about = {};
    if (!file || fstat(fileno(file.get()), &about) != 0)
        return vision_tell(error, errno == ENOENT || errno == ENOTDIR ? VISION_NOT_FOUND : VISION_UNREADABLE, strerror(errno));
    if (!S_ISREG(about.st_mode)) return vision_tell(error, VISION_UNREADABLE, "is no file");
    if (static_cast<uint64_t>(about.st_size) > most_bytes) return vision_tell(error, VISION_UNREADABLE, "is larger than 256 MiB");
    bytes.resize(static_cast<size_t>(about.st_size));
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    return std::ferror(file.get()) ? vision_tell(error, VISION_FAILED, strerror(errno)) : VISION_OK;
}
}  // namespace

vision_status vision_image_read(const char *path, vision_image **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        std::vector<uint8_t> bytes;
        if (vision_status status = read_file(path, bytes, error)) return status;
        return decode(bytes.data(), bytes.size(), out, error);
    });
}

vision_status vision_image_decode(const uint8_t *data, size_t count, vision_image **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] { return decode(data, count, out, error); });
}

vision_status vision_image_write(const vision_image *image, const char *path, vision_error *error) {
    return vision_guard(error, [&] {
        return cv::imwrite(path, image->mat) ? VISION_OK : vision_tell(error, VISION_FAILED, "folder missing, disk full, or not allowed");
    });
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
        return adopt(std::move(resized), out, error);
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
        return adopt(std::move(grey), out, error);
    });
}

vision_status vision_image_crop(const vision_image *image, int32_t x, int32_t y, int32_t width, int32_t height, vision_image **out,
                                vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        cv::Rect part(x, y, width, height);
        if (width < 1 || height < 1 || (part & cv::Rect(0, 0, image->mat.cols, image->mat.rows)) != part) return VISION_BAD_ARGUMENT;
        return adopt(image->mat(part).clone(), out, error);
    });
}

vision_status vision_image_obscure(vision_image *image, int32_t x, int32_t y, int32_t width, int32_t height, vision_error *error) {
    return vision_guard(error, [&] {
        cv::Rect part = cv::Rect(x, y, width, height) & cv::Rect(0, 0, image->mat.cols, image->mat.rows);
        if (part.empty()) return VISION_OK;
        // What is averaged away cannot be computed back, which a blur alone does not grant.
        cv::Mat inside = image->mat(part), tiles;
        const int tile = std::max(4, std::min(part.width, part.height) / 6);
        const cv::Size count(std::max(1, part.width / tile), std::max(1, part.height / tile));
        cv::resize(inside, tiles, count, 0, 0, cv::INTER_AREA);
        cv::resize(tiles, inside, inside.size(), 0, 0, cv::INTER_LINEAR);
        return VISION_OK;
    });
}
