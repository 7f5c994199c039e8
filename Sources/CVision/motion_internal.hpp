#pragma once
#include <cmath>
#include <opencv2/core.hpp>

#include "vision_internal.hpp"
#include "vision_motion.h"

struct vision_motion_meter {
    cv::Mat before, now; // grey, full size: for things
    cv::Mat fieldBefore; // grey, small: for the scene as a whole
};

inline bool isSane(const vision_rectangle &r) {
    return std::abs(r.x) < 1e5 && std::abs(r.y) < 1e5 && r.width > 0 && r.height > 0 && r.width < 1e5 && r.height < 1e5;
}

inline cv::Rect rounded(const vision_rectangle &r) {
    return cv::Rect(int(std::lround(r.x)), int(std::lround(r.y)), int(std::lround(r.width)), int(std::lround(r.height)));
}
