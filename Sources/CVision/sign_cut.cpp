#include "sign_cut.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

cv::Mat cutPaleness(const cv::Mat &picture, const cv::Rect2f &area, float scale, bool isTurned) {
    const cv::Rect around(int(std::floor(area.x)) - 1, int(std::floor(area.y)) - 1, int(std::ceil(area.width)) + 3, int(std::ceil(area.height)) + 3);
    const cv::Rect inside = around & cv::Rect(0, 0, picture.cols, picture.rows);
    const cv::Size size(int(std::lround(area.width * scale)), int(std::lround(area.height * scale)));
    if (inside.area() <= 0 || size.area() <= 0) return {};
    cv::Mat source = picture(inside);
    float shrink = 1;
    if (scale < 0.7f) {
        // Averaged over the area first: single pixels of a large sign are noise.
        shrink = scale;
        // Less than a pixel of it is left at the picture's rim.
        if (cvRound(float(source.cols) * shrink) < 1 || cvRound(float(source.rows) * shrink) < 1) return {};
        cv::resize(source, source, cv::Size(), shrink, shrink, cv::INTER_AREA);
    }
    const float step = shrink / scale, y = isTurned ? area.y + area.height : area.y;
    const cv::Matx23f map(step, 0, (area.x - float(inside.x)) * shrink, 0, isTurned ? -step : step, (y - float(inside.y)) * shrink);
    cv::Mat part, pale;
    cv::warpAffine(source, part, map, size, cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    measurePaleness(part, pale);
    return pale;
}

void measurePaleness(const cv::Mat &picture, cv::Mat &pale) { cv::transform(picture, pale, cv::Matx13f(0, 0.5f, 0.5f)); }

std::vector<uint8_t> samplesOf(const cv::Mat &plane, const cv::Rect &area) {
    const cv::Rect inside = area & cv::Rect(0, 0, plane.cols, plane.rows);
    std::vector<uint8_t> samples;
    for (int y = inside.y; y < inside.y + inside.height; ++y) samples.insert(samples.end(), plane.ptr<uint8_t>(y) + inside.x, plane.ptr<uint8_t>(y) + inside.x + inside.width);
    return samples;
}

float quantile(std::vector<uint8_t> &samples, float at) {
    const auto place = samples.begin() + long(at * float(samples.size() - 1));
    std::nth_element(samples.begin(), place, samples.end());
    return *place;
}

cv::Rect middleOf(const cv::Rect2f &sign) {
    return cv::Rect(int(sign.x + 0.2f * sign.width), int(sign.y + 0.2f * sign.height), int(0.6f * sign.width), int(0.6f * sign.height));
}

std::optional<FaceContrast> contrastOf(const cv::Mat &pale, const cv::Rect &part) {
    std::vector<uint8_t> samples = samplesOf(pale, part);
    if (samples.size() < 16) return std::nullopt;
    return FaceContrast{quantile(samples, 0.85f), quantile(samples, 0.08f)};
}
