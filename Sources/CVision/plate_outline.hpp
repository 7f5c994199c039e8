// The sides of a plate, more exactly than the search gives them. Not visible to Swift.
#pragma once
#include <opencv2/core.hpp>

/// Where the plate at `found` in `picture` (three channels) ends, mostly within a twentieth of its height; `found` itself where no sides are seen.
///
/// The search boxes a plate up to a sixth of its size off, and with what stands right over or under it. Its own sides are level and upright edges on
/// all four sides, in the proportions of such plates.
cv::Rect2f plateOutline(const cv::Mat &picture, const cv::Rect2f &found);
