#include "correlation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>

namespace {

// Places that are computed together, every second column.
constexpr int together = 16;
// Zeros to the right of every row: what the last of these reads beyond the picture.
constexpr int margin = 4 * together;
// Scatter of grey levels below which a window shows noise alone.
constexpr double least_scatter = 2;
// Bounds on the taps: products and sums stay within 32 bits.
constexpr double most_tap = 2047, most_taps = 16e6;

}  // namespace

CorrelationPlane::CorrelationPlane(const cv::Mat &grey) : size_(grey.size()) {
    samples_ = cv::Mat::zeros(grey.rows, grey.cols + margin, CV_16S);
    cv::Mat inner = samples_(cv::Rect(cv::Point(), size_));
    grey.convertTo(inner, CV_16S, 1, -128);
    cv::integral(grey, sums_, squares_, CV_32S, CV_64F);
}

CorrelationPattern::CorrelationPattern(const cv::Mat &grey) : size_(grey.size()) {
    const double count = size_.area(), mean = cv::mean(grey)[0];
    // No tap is farther from the mean than black or white, nor all together more than each of them.
    const double farthest = std::max(mean, 255 - mean);
    const double scale = std::min(most_tap / farthest, most_taps / (farthest * count));
    taps_ = cv::Mat::zeros(grey.rows, (grey.cols + 1) & ~1, CV_16S);
    cv::Mat inner = taps_(cv::Rect(cv::Point(), size_));
    grey.convertTo(inner, CV_16S, scale, -mean * scale);
    sum_ = cv::sum(taps_)[0];
    norm_ = std::sqrt(std::max(0.0, cv::norm(taps_, cv::NORM_L2SQR) - sum_ * sum_ / count));
}

/// The sums of products at `x`, `x` + 2, ... in row `y`, four for every vector.
template <int vectors> void CorrelationPattern::correlate(const CorrelationPlane &plane, int x, int y, int32_t *out) const {
    using namespace cv;
    v_int32x4 sums[vectors];
    for (auto &sum : sums) sum = v_setzero_s32();
    for (int i = 0; i < size_.height; ++i) {
        const int16_t *sample = plane.samples_.ptr<int16_t>(y + i) + x, *tap = taps_.ptr<int16_t>(i), *end = tap + taps_.cols;
        for (; tap < end; tap += 2, sample += 2) {
            int32_t both;
            std::memcpy(&both, tap, sizeof both);
            const v_int16x8 pair = v_reinterpret_as_s16(v_setall_s32(both));
            for (int k = 0; k < vectors; ++k) sums[k] = v_dotprod(v_load(sample + 8 * k), pair, sums[k]);
        }
    }
    for (int k = 0; k < vectors; ++k) v_store(out + 4 * k, sums[k]);
}

bool CorrelationPattern::best(const CorrelationPlane &plane, cv::Rect places, int step, double &score, cv::Point &place) const {
    places &= cv::Rect(0, 0, plane.size_.width - size_.width + 1, plane.size_.height - size_.height + 1);
    if (places.empty() || norm_ <= 0) return false;
    const double count = size_.area();
    const int width = size_.width;
    bool found = false;
    for (int y = places.y; y < places.y + places.height; y += step) {
        const int32_t *top = plane.sums_.ptr<int32_t>(y), *bottom = plane.sums_.ptr<int32_t>(y + size_.height);
        const double *top2 = plane.squares_.ptr<double>(y), *bottom2 = plane.squares_.ptr<double>(y + size_.height);
        // Every second column at once; with a step of 1 the columns between them after that.
        for (int odd = 0; odd < 3 - step; ++odd)
            for (int first = places.x + odd; first < places.x + places.width; first += 2 * together) {
                const int places_left = (places.x + places.width - first + 1) / 2, n = std::min(together, places_left);
                double sums[together], scatters[together];
                bool has_contrast = false;
                for (int k = 0; k < n; ++k) {
                    const int x = first + 2 * k;
                    sums[k] = double(bottom[x + width] - bottom[x]) - (top[x + width] - top[x]);
                    scatters[k] = bottom2[x + width] - bottom2[x] - top2[x + width] + top2[x] - sums[k] * sums[k] / count;
                    has_contrast = has_contrast || scatters[k] >= count * least_scatter * least_scatter;
                }
                if (!has_contrast) continue;
                int32_t products[together];
                if (n <= 4) correlate<1>(plane, first, y, products);
                else correlate<together / 4>(plane, first, y, products);
                for (int k = 0; k < n; ++k) {
                    if (scatters[k] < count * least_scatter * least_scatter) continue;
                    const double one = (products[k] - sum_ * (sums[k] / count - 128)) / (norm_ * std::sqrt(scatters[k]));
                    if (found && one <= score) continue;
                    score = one;
                    place = cv::Point(first + 2 * k, y);
                    found = true;
                }
            }
    }
    return found;
}
