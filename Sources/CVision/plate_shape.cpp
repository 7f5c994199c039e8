#include "plate_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sign_planes.hpp"

namespace {
/// Parts of a face that are looked at.
constexpr int rows = 10, columns = 8;
/// What the likeness to a plate is judged by, each about -1...1, and a constant.
constexpr size_t featureCount = rows * columns / 2 + 14;
using Features = std::array<float, featureCount>;
/// Log odds that each feature adds: logistic regression on plates drawn into road frames. First how dark the parts are, row by row, the
/// left and the right half taken together: two lines of words over a number.
constexpr Features coefficients = {
    1.58f, 0.43f, -0.01f, 0.03f, -1.22f, -1.04f, 0.25f, 1.09f,
    -0.42f, -1.49f, -0.96f, -0.44f, -0.42f, -2.52f, -0.66f, -3.81f,
    -0.59f, -1.07f, 0.50f, 2.99f, -0.40f, -1.82f, -1.85f, -0.65f,
    -0.57f, 0.61f, 2.20f, 1.12f, -1.73f, -0.42f, 1.55f, 1.02f,
    -2.30f, 0.28f, 0.82f, -0.23f, 2.45f, -4.84f, 1.23f, -3.00f,
    -1.87f, 5.35f, -0.82f, 1.01f, 0.63f, 2.06f, 0.56f, 2.97f, 3.30f, 3.70f,
    -1.11f, -2.68f, 3.43f, -15.34f};

Features measureFeatures(const cv::Mat &grey, const cv::Rect2f &box, const PlateSides &sides) {
    std::array<float, rows * columns> face, sorted;
    const auto at = [&](float x, float y) { return sample(grey, box.x - 0.5f + x * box.width, box.y - 0.5f + y * box.height); };
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) face[size_t(r * columns + c)] = at((float(c) + 0.5f) / columns, (float(r) + 0.5f) / rows);
    sorted = face;
    constexpr size_t quarter = rows * columns / 4;
    std::nth_element(sorted.begin(), sorted.end() - quarter, sorted.end());
    const float pale = std::accumulate(sorted.end() - quarter, sorted.end(), 0.0f) / quarter, light = pale + 20;
    std::nth_element(sorted.begin(), sorted.begin() + quarter, sorted.end());
    const float dark = std::accumulate(sorted.begin(), sorted.begin() + quarter, 0.0f) / quarter;
    const auto within = [](float v) { return std::clamp(v, -1.0f, 1.0f); };
    Features f{};
    size_t n = 0;
    float uneven = 0;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns / 2; ++c) {
            const float a = face[size_t(r * columns + c)], b = face[size_t(r * columns + columns - 1 - c)];
            f[n++] = (pale - (a + b) / 2) / light;
            uneven += std::abs(a - b) / light / (rows * columns / 2);
        }
    const auto beside = [&](float x0, float y0, float x1, float y1) {
        float sum = 0;
        for (int i = 0; i < 4; ++i) sum += at(x0 + (x1 - x0) * (float(i) + 0.5f) / 4, y0 + (y1 - y0) * (float(i) + 0.5f) / 4) / 4;
        return within((pale - sum) / light);
    };
    const float left = beside(-0.15f, 0, -0.15f, 1), right = beside(1.15f, 0, 1.15f, 1), above = beside(0, -0.12f, 1, -0.12f), below = beside(0, 1.12f, 1, 1.12f);
    f[n++] = (left + right) / 2, f[n++] = std::min(left, right), f[n++] = above, f[n++] = below;
    f[n++] = within(uneven * 3), f[n++] = (pale - dark) / light;
    f[n++] = (sides.left + sides.right) / 2, f[n++] = std::min(sides.left, sides.right), f[n++] = sides.top, f[n++] = sides.bottom;
    const float aspect = std::log(box.width / box.height / 0.78f);
    f[n++] = within(aspect * 3), f[n++] = within(aspect * aspect * 9), f[n++] = std::min(1.0f, pale / 255);
    f[n++] = 1;
    return f;
}
}  // namespace

float plateScore(const cv::Mat &grey, const cv::Rect2f &box, const PlateSides &sides) {
    const Features features = measureFeatures(grey, box, sides);
    return std::inner_product(features.begin(), features.end(), coefficients.begin(), 0.0f);
}
