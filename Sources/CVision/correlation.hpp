// Normalised cross-correlation by direct summation, in whole numbers. For small patterns, coarse steps and small areas this takes a tenth of the
// time of the transform that OpenCV's matchTemplate always takes.
#pragma once
#include <cstdint>
#include <opencv2/core.hpp>

/// A grey picture, made ready for many patterns.
class CorrelationPlane {
public:
    explicit CorrelationPlane(const cv::Mat &grey);
    cv::Size size() const { return size_; }

private:
    friend class CorrelationPattern;
    cv::Size size_;
    cv::Mat samples_;          // 16-bit, grey level minus 128, with zeros to the right of every row
    cv::Mat sums_, squares_;   // integrals of the grey levels and their squares
};

/// A small grey picture that is looked for.
class CorrelationPattern {
public:
    explicit CorrelationPattern(const cv::Mat &grey);
    cv::Size size() const { return size_; }

    /// The place (upper left corner) among `places`, every `step` (1 or 2) in both directions, where it fits best. False when there is none with
    /// any contrast.
    bool best(const CorrelationPlane &plane, cv::Rect places, int step, double &score, cv::Point &place) const;

private:
    template <int vectors> void correlate(const CorrelationPlane &plane, int x, int y, int32_t *out) const;
    cv::Size size_;
    cv::Mat taps_;  // 16-bit, an even number in a row
    double sum_ = 0, norm_ = 0;
};
