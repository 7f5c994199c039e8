// A part of a picture at a chosen scale, and the spread of its samples. Not visible to Swift.
#pragma once
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

/// The paleness of `area` of `picture` (three channels), `scale` times as large; upside down where `isTurned`. Beyond the
/// picture its border goes on. Empty where nothing of the area lies in the picture, or less than a pixel.
cv::Mat cutPaleness(const cv::Mat &picture, const cv::Rect2f &area, float scale, bool isTurned);

/// Mean of red and green: white and yellow are pale, blue is not. `picture` has three channels.
void measurePaleness(const cv::Mat &picture, cv::Mat &pale);

/// The samples of a part of a plane of bytes that lie in it.
std::vector<uint8_t> samplesOf(const cv::Mat &plane, const cv::Rect &area);

/// The value that the share `at` of the samples, of which there is one at least, does not exceed. Puts them in another order.
float quantile(std::vector<uint8_t> &samples, float at);

/// How pale the ground and how dark the ink of a sign is.
struct FaceContrast {
    float white, black;
};

/// The part of a sign's box that its face fills.
cv::Rect middleOf(const cv::Rect2f &sign);

/// The contrast in a part of a plane of paleness; nothing where fewer than 16 samples lie in it.
std::optional<FaceContrast> contrastOf(const cv::Mat &pale, const cv::Rect &part);
