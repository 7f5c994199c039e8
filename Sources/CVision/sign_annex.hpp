// Looks for a plate right under or over a sign: lorries, when wet, hours, SCHOOL. Not visible to Swift.
#pragma once
#include <opencv2/core.hpp>

#include "sign_cut.hpp"

/// Finds the plate that restricts a sign. Keeps its buffers from sign to sign.
///
/// Such a plate is an upright rectangle as white as the sign's own face (or yellow), half to one and a half times as wide as the sign, in line with
/// its middle and close to it. It differs from what is around on all four sides and at its corners in the same direction: paler than trees, darker
/// than a bright sky. Round signs under a sign have no corners, boards for lanes are wider or blue.
class AnnexFinder {
  public:
    /// Whether there is one. `sign` is its box in `picture` (three channels), `isPlate` whether it is a plate itself, whose outline the box must be
    /// (one too high for a plate is taken for both together); `isAbove` looks over it instead of under it.
    bool seen(const cv::Mat &picture, const cv::Rect2f &sign, bool isPlate, bool isAbove);

    /// What differs between plates under round signs and those at plates.
    struct Family;

  private:
    /// One orientation of edge, widened by a pixel to both sides, and how many there are above or to the left.
    struct Edges {
        cv::Mat marks, sums;
    };

    bool seenAt(const cv::Mat &picture, const cv::Rect2f &sign, bool isPlate, bool isAbove);
    void cut(const cv::Mat &picture, const cv::Rect2f &sign, const Family &family, bool isAbove);
    void markEdges(int polarity, float threshold);
    bool hasRectangle(int polarity, float threshold, const FaceContrast &face, const Family &family) const;
    /// Whether what lies in a rectangle of edges is a plate, by its corners, its white and its ink.
    bool isPlate(const cv::Rect &r, int polarity, float threshold, const FaceContrast &face, const Family &family) const;
    /// Whether a line parts the sign from the rectangle.
    bool hasLineBefore(const cv::Rect &r, const FaceContrast &face) const;
    /// The row of the cut at which the sign ends.
    float signEnd() const;

    cv::Mat pale_;
    Edges left_, right_, top_, bottom_;
    /// Size of the sign in the cut, pixels.
    float width_ = 0, height_ = 0;
};
