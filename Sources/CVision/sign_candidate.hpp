// A place in a picture where a sign may be. Not visible to Swift.
#pragma once
#include <opencv2/core.hpp>
#include <vector>

struct SignCandidate {
    cv::Rect2f box;
    /// Log odds of a limit sign, by shape and colour alone.
    float score = 0;
    bool isPlate = false;
};

/// How much of the union of two boxes is common, 0...1.
inline float overlap(const cv::Rect2f &a, const cv::Rect2f &b) {
    const float common = (a & b).area();
    return common / (a.area() + b.area() - common);
}

/// The best `most` candidates, best first, of those that overlap only the better one.
std::vector<SignCandidate> best(std::vector<SignCandidate> candidates, size_t most);
