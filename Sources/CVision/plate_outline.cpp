#include "plate_outline.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <vector>

#include "sign_cut.hpp"

namespace {
// The plate is brought to this height, which shows its border as a line of its own; more than this growth shows nothing new.
constexpr float plateHeight = 40, mostGrowth = 2;
// What is looked at beyond the box as found, and how far a side may lie from there, as shares of its size.
constexpr float room = 0.4f, reach = 0.27f;
// Height over width: speed plates are 1.2 to 1.33 (MUTCD R2-1, the Canadian RB-1), seen a little aslant.
constexpr float leastAspect = 1.12f, mostAspect = 1.45f;
// Width over that of the box as found.
constexpr float leastWidth = 0.65f, mostWidth = 1.35f;
// An edge counts as whole from this share of the face's contrast on (of Sobel's derivatives, which are four times a difference).
constexpr float wholeEdge = 0.25f, leastEdge = 4;
// Mean strength along a side that is one.
constexpr float leastSide = 0.45f;
// The border line within and the outer edge are as strong; the outer one is taken. Chosen on drawn plates.
constexpr float widthWeight = 0.6f;
// What is left out at a side's ends, as a share of it: corners are round.
constexpr float corner = 0.12f;

/// Strength of upright or level edges, 0 to 1, summed from the upper left.
struct EdgePlanes {
    cv::Mat upright, level;

    EdgePlanes(const cv::Mat &pale, float whole) {
        cv::Mat dx, dy;
        cv::spatialGradient(pale, dx, dy);
        cv::Mat u(pale.size(), CV_32F), l(pale.size(), CV_32F);
        for (int y = 0; y < pale.rows; ++y) {
            for (int x = 0; x < pale.cols; ++x) {
                const float a = std::abs(dx.at<int16_t>(y, x)), b = std::abs(dy.at<int16_t>(y, x));
                u.at<float>(y, x) = a > 0.8f * b ? std::min(1.0f, a / whole) : 0;
                l.at<float>(y, x) = b > 0.8f * a ? std::min(1.0f, b / whole) : 0;
            }
        }
        cv::integral(u, upright, CV_32F);
        cv::integral(l, level, CV_32F);
    }

    /// Mean strength of an upright side at `x` between two rows.
    float side(int x, int from, int to) const { return mean(upright, cv::Rect(x, from, 1, to - from)); }
    /// Mean strength of a level side at `y` between two columns.
    float line(int y, int from, int to) const { return mean(level, cv::Rect(from, y, to - from, 1)); }

  private:
    static float mean(const cv::Mat &sums, const cv::Rect &r) {
        const auto at = [&](int x, int y) { return sums.at<float>(y, x); };
        return (at(r.x + r.width, r.y + r.height) - at(r.x, r.y + r.height) - at(r.x + r.width, r.y) + at(r.x, r.y)) / float(r.area());
    }
};

/// Four sides, in pixels of the cut.
struct Sides {
    int left = 0, right = 0, top = 0, bottom = 0;
};

/// A place at which there is a side, and its strength.
struct Side {
    int at;
    float strength;
};

/// The places from `first` to `last` of `count` whose strength is enough.
template <typename Strength>
std::vector<Side> sidesBetween(float first, float last, int count, Strength strength) {
    std::vector<Side> found;
    for (int at = std::max(0, int(first)); at <= std::min(count - 1, int(last)); ++at)
        if (const float s = strength(at); s >= leastSide) found.push_back({at, s});
    return found;
}

/// The strongest rectangle of a plate's proportions; `width` and `height` are the box's as found.
std::optional<Sides> strongest(const EdgePlanes &edges, const cv::Size &size, float width, float height) {
    const int firstRow = int((room + 0.15f) * height), lastRow = int((room + 0.85f) * height);
    const auto upright = [&](int x) { return edges.side(x, firstRow, lastRow); };
    const std::vector<Side> lefts = sidesBetween((room - reach) * width, (room + reach) * width, size.width, upright);
    const std::vector<Side> rights = sidesBetween((room + 1 - reach) * width, (room + 1 + reach) * width, size.width, upright);
    float best = -1;
    Sides result;
    for (const Side &left : lefts) {
        for (const Side &right : rights) {
            const float across = float(right.at - left.at);
            if (across < leastWidth * width || across > mostWidth * width) continue;
            const int inset = std::max(1, int(corner * across));
            const auto level = [&](int y) { return edges.line(y, left.at + inset, right.at - inset); };
            for (const Side &bottom : sidesBetween((room + 1 - reach) * height, (room + 1 + reach) * height, size.height, level)) {
                const float lowest = float(bottom.at) - mostAspect * across, highest = float(bottom.at) - leastAspect * across;
                for (const Side &top : sidesBetween(lowest, highest, size.height, level)) {
                    const float score = left.strength + right.strength + top.strength + bottom.strength + widthWeight * across / width;
                    if (score <= best) continue;
                    best = score;
                    result = {left.at, right.at, top.at, bottom.at};
                }
            }
        }
    }
    if (best < 0) return std::nullopt;
    return result;
}
}  // namespace

cv::Rect2f plateOutline(const cv::Mat &picture, const cv::Rect2f &found) {
    const float scale = std::min(mostGrowth, plateHeight / found.height), width = found.width * scale, height = found.height * scale;
    const float x = found.x - room * found.width, y = found.y - room * found.height;
    const cv::Mat pale = cutPaleness(picture, cv::Rect2f(x, y, (1 + 2 * room) * found.width, (1 + 2 * room) * found.height), scale, false);
    if (pale.empty()) return found;
    const auto face = contrastOf(pale, middleOf(cv::Rect2f(room * width, room * height, width, height)));
    if (!face) return found;
    const EdgePlanes edges(pale, 4 * std::max(leastEdge, wholeEdge * (face->white - face->black)));
    const auto sides = strongest(edges, pale.size(), width, height);
    if (!sides) return found;
    return cv::Rect2f(x + (float(sides->left) + 0.5f) / scale, y + (float(sides->top) + 0.5f) / scale, float(sides->right - sides->left) / scale,
                      float(sides->bottom - sides->top) / scale);
}
