// The two pictures that round signs are looked for in. Not visible to Swift.
#pragma once
#include <opencv2/core.hpp>

/// Redness and paleness of a picture, one sample a pixel.
struct SignPlanes {
    /// Red less the larger of green and blue, plus 64: a ring stands out, whatever is white, grey, green, blue or black lies low.
    cv::Mat redness;
    /// The larger of green and blue: a face stands out, a red or black ring lies low, by day and in dark pictures whose compression left no colour.
    cv::Mat paleness;

    /// Measures a picture of three channels.
    void measure(const cv::Mat &picture);

  private:
    cv::Mat channels_[3], less_;
};

/// The sample at a place between pixels, linear; places outside read the rim.
float sample(const cv::Mat &plane, float x, float y);
