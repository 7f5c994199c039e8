#include "sign_planes.hpp"

#include <algorithm>
#include <cmath>

void SignPlanes::measure(const cv::Mat &picture) {
    cv::split(picture, channels_);
    const cv::Mat &red = channels_[2];
    cv::max(channels_[0], channels_[1], paleness);
    cv::subtract(red, paleness, redness);
    cv::subtract(paleness, red, less_);
    cv::add(redness, cv::Scalar(64), redness);
    cv::subtract(redness, less_, redness);
}

float sample(const cv::Mat &plane, float x, float y) {
    const float cx = std::clamp(x, 0.0f, float(plane.cols - 1)), cy = std::clamp(y, 0.0f, float(plane.rows - 1));
    // Truncation is the floor of what is not negative, and a call less.
    const int ix = std::min(int(cx), plane.cols - 2), iy = std::min(int(cy), plane.rows - 2);
    const float fx = cx - float(ix), fy = cy - float(iy);
    const uint8_t *p = plane.ptr<uint8_t>(iy) + ix, *q = p + plane.step1();
    return (p[0] * (1 - fx) + p[1] * fx) * (1 - fy) + (q[0] * (1 - fx) + q[1] * fx) * fy;
}
