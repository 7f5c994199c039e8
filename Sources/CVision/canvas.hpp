// What the drawing files share. Not visible to Swift.
#pragma once
#include <opencv2/imgproc.hpp>
#include <vector>

#include "include/vision_canvas.h"
#include "vision_internal.hpp"

struct vision_layer {
    cv::Mat mat;                // CV_8UC4, premultiplied
    std::vector<cv::Mat> mips;  // each half the size of the one before
};

namespace canvas {

inline int div255(int x) { return (x + 128 + ((x + 128) >> 8)) >> 8; }

/// Lays `n` premultiplied samples over a row of an image. `coverage` (may be null) thins them out; `haze_weight` in 0...255, one for
/// all or one a sample by `haze_step`.
void blend_row(uint8_t *to, const uint8_t *from, int n, const uint8_t *coverage, const uint8_t *haze_weight, int haze_step,
               const int haze[3]);

/// SplitMix64 (Steele, Lea, Flood 2014) as a function of seed and counter.
inline uint64_t random(uint64_t seed, uint64_t counter) {
    uint64_t z = seed * 0x9E3779B97F4A7C15ULL + (counter + 1) * 0xD1B54A32D192ED03ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
inline double uniform(uint64_t seed, uint64_t counter) { return double(random(seed, counter) >> 11) * 0x1.0p-53; }

}  // namespace canvas
