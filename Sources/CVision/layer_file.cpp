#include <cerrno>
#include <cstring>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "canvas.hpp"
#include "picture_header.hpp"

namespace {
constexpr size_t most_bytes = 16u << 20;
constexpr int longest_side = 4096;
}  // namespace

vision_status vision_layer_read(const char *path, vision_layer **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path, "rbe"), [](FILE *f) { return std::fclose(f); });
        if (!file) return vision_tell(error, errno == ENOENT ? VISION_NOT_FOUND : VISION_UNREADABLE, strerror(errno));
        std::vector<uint8_t> bytes(most_bytes + 1);
        bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
        if (bytes.size() > most_bytes) return vision_tell(error, VISION_UNREADABLE, "is larger than 16 MiB");
        if (bytes.empty()) return vision_tell(error, VISION_UNREADABLE, "is empty");
        if (const char *problem = picture_problem(bytes.data(), bytes.size())) return vision_tell(error, VISION_UNREADABLE, problem);
        cv::Mat picture = cv::imdecode(bytes, cv::IMREAD_UNCHANGED);
        if (picture.empty()) return vision_tell(error, VISION_UNREADABLE, "is no picture that can be read");
        if (picture.cols > longest_side || picture.rows > longest_side) return vision_tell(error, VISION_UNREADABLE, "is larger than 4096 pixels");
        if (picture.depth() == CV_16U) picture.convertTo(picture, CV_8U, 1.0 / 257);
        if (picture.depth() != CV_8U) return vision_tell(error, VISION_UNREADABLE, "has samples of a kind that is not read");
        if (picture.channels() == 1) cv::cvtColor(picture, picture, cv::COLOR_GRAY2BGRA);
        else if (picture.channels() == 3) cv::cvtColor(picture, picture, cv::COLOR_BGR2BGRA);
        else if (picture.channels() != 4) return vision_tell(error, VISION_UNREADABLE, "has neither one, three nor four channels");
        for (int y = 0; y < picture.rows; ++y) {
            uint8_t *pixel = picture.ptr<uint8_t>(y);
            for (int x = 0; x < picture.cols; ++x, pixel += 4)
                for (int c = 0; c < 3; ++c) pixel[c] = uint8_t(canvas::div255(pixel[c] * pixel[3]));
        }
        *out = new vision_layer{picture, {}};
        return VISION_OK;
    });
}

int32_t vision_layer_width(const vision_layer *layer) { return layer->mat.cols; }
int32_t vision_layer_height(const vision_layer *layer) { return layer->mat.rows; }
