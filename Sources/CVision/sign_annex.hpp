// Looks for a plate right under or over a sign: lorries, when wet, hours, SCHOOL. Not visible to Swift.
#pragma once
#include <opencv2/core.hpp>

/// Finds the plate that restricts a sign. Keeps its buffers from sign to sign.
///
/// Such a plate is an upright rectangle as white as the sign's own face (or yellow), half to one and a half times as wide as the sign, in line with
/// its middle and close to it. It differs from what is around on all four sides and at its corners in the same direction: paler than trees, darker
/// than a bright sky. Round signs under a sign have no corners, boards for lanes are wider or blue.
class AnnexFinder {
  public:
    /// Whether there is one. `sign` is its box in `picture` (three channels), `isPlate` whether it is a plate itself; `isAbove` looks over it instead of under it.
    bool seen(const cv::Mat &picture, const cv::Rect2f &sign, bool isPlate, bool isAbove);

  private:
    /// One orientation of edge, widened by a pixel to both sides, and how many there are above or to the left.
    struct Edges {
        cv::Mat marks, sums;
    };

    void cut(const cv::Mat &picture, const cv::Rect2f &sign, bool isAbove);
    void markEdges(int polarity, float threshold);
    bool hasRectangle(int polarity, float threshold, float white, float black, bool isAtPlate) const;

    cv::Mat part_, pale_;
    Edges left_, right_, top_, bottom_;
    /// Size of the sign in the cut, pixels.
    float width_ = 0, height_ = 0;
};
