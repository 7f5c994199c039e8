#include "sign_annex.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
// The sign is brought to this height: enough to see a plate's edges, few enough places to look at.
constexpr float signHeight = 32, mostGrowth = 1.5f;
// What is cut out, in sizes of the sign from its upper left corner.
constexpr float fromX = -0.5f, toX = 1.5f, fromY = 0.85f, toY = 2.45f;
// Plates by their size over the sign's width, and the gap to the sign and the offset of the middles over the sign's size. Plates of the German
// benchmark and of Belarus were measured: gaps of 0 to 0.19. The United States make them as wide as the plate that they belong to (MUTCD S4-1P to
// S4-4P); narrower ones are about parking.
constexpr float widest = 1.4f, highest = 1.25f, mostGap = 0.22f, mostOffset = 0.22f;
// An edge differs by this share of the difference of black and white on the sign.
constexpr float edgeShare = 0.10f, leastEdge = 4;
// Share of a plate's height that lies outside of the sign's box, which may be a little too large.
constexpr float leastOutside = 0.8f;
// Edges are some pixels thick, and the outermost of each is taken.
constexpr float widening = 3;
// The same of a plate that is darker than what is around, a bright sky; and the most.
constexpr float leastWhiteBeforeSky = 0.85f, mostWhite = 1.22f;
// Difference of dark and pale within, as a share of the sign's: something is written or drawn on a plate.
constexpr float leastInk = 0.28f;

/// What differs between plates under round signs and those at plates, which are full of letters.
struct Family {
    /// Of the sign's width.
    float narrowest, lowest;
    /// Share of the upright and of the level sides that must be seen.
    float leastUpright, leastLevel;
    /// Share of a plate's samples that may be ink, and how white the others are, as a share of the sign's white.
    float inked, leastWhite;
};
constexpr Family atRound = {0.46f, 0.25f, 0.75f, 0.75f, 0.6f, 0.80f}, atPlate = {0.8f, 0.18f, 0.75f, 0.5f, 0.75f, 0.70f};

/// The value that the share `at` of the samples does not exceed.
float quantile(std::vector<uint8_t> &samples, float at) {
    const auto place = samples.begin() + long(at * float(samples.size() - 1));
    std::nth_element(samples.begin(), place, samples.end());
    return *place;
}

/// The samples of a part of a plane.
std::vector<uint8_t> samplesOf(const cv::Mat &plane, const cv::Rect &area) {
    const cv::Rect inside = area & cv::Rect(0, 0, plane.cols, plane.rows);
    std::vector<uint8_t> samples;
    for (int y = inside.y; y < inside.y + inside.height; ++y) samples.insert(samples.end(), plane.ptr<uint8_t>(y) + inside.x, plane.ptr<uint8_t>(y) + inside.x + inside.width);
    return samples;
}

/// Red and green: white and yellow are pale, blue is not.
void measurePaleness(const cv::Mat &picture, cv::Mat &pale) { cv::transform(picture, pale, cv::Matx13f(0, 0.5f, 0.5f)); }
}  // namespace

void AnnexFinder::cut(const cv::Mat &picture, const cv::Rect2f &sign, bool isAbove) {
    const float scale = std::min(mostGrowth, signHeight / sign.height);
    width_ = sign.width * scale, height_ = sign.height * scale;
    const cv::Size size(int(std::lround((toX - fromX) * width_)), int(std::lround((toY - fromY) * height_)));
    const float x = sign.x + fromX * sign.width;
    // Over the sign the picture is turned upside down, so that what is near the sign comes first.
    const float y = isAbove ? sign.y + sign.height - fromY * sign.height : sign.y + fromY * sign.height;
    const cv::Rect area(int(std::floor(x)) - 1, int(std::floor(isAbove ? y - (toY - fromY) * sign.height : y)) - 1,
                        int(std::ceil((toX - fromX) * sign.width)) + 3, int(std::ceil((toY - fromY) * sign.height)) + 3);
    const cv::Rect inside = area & cv::Rect(0, 0, picture.cols, picture.rows);
    if (inside.area() <= 0) {
        part_.release();
        return;
    }
    cv::Mat source = picture(inside);
    float shrink = 1;
    if (scale < 0.7f) {
        // Averaged over the area first: single pixels of a large sign are noise.
        shrink = scale;
        cv::resize(source, source, cv::Size(), shrink, shrink, cv::INTER_AREA);
    }
    const float step = shrink / scale;
    const cv::Matx23f map(step, 0, (x - float(inside.x)) * shrink, 0, isAbove ? -step : step, (y - float(inside.y)) * shrink);
    cv::warpAffine(source, part_, map, size, cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    measurePaleness(part_, pale_);
}

void AnnexFinder::markEdges(int polarity, float threshold) {
    for (Edges *e : {&left_, &right_, &top_, &bottom_}) {
        e->marks.create(pale_.size(), CV_8U);
        e->marks.setTo(0);
        e->sums.create(pale_.rows + 1, pale_.cols + 1, CV_16U);
        e->sums.setTo(0);
    }
    const auto mark = [](Edges &e, int y, int x, bool isUpright) {
        for (int d = -1; d <= 1; ++d) e.marks.at<uint8_t>(isUpright ? y : y + d, isUpright ? x + d : x) = 1;
    };
    for (int y = 1; y + 1 < pale_.rows; ++y) {
        const uint8_t *above = pale_.ptr<uint8_t>(y - 1), *here = pale_.ptr<uint8_t>(y), *below = pale_.ptr<uint8_t>(y + 1);
        for (int x = 1; x + 1 < pale_.cols; ++x) {
            const float u = float(polarity * (here[x + 1] - here[x - 1])), v = float(polarity * (below[x] - above[x]));
            const bool isUpright = std::abs(u) > 0.8f * std::abs(v), isLevel = std::abs(v) > 0.8f * std::abs(u);
            if (isUpright && u > threshold) mark(left_, y, x, true);
            if (isUpright && -u > threshold) mark(right_, y, x, true);
            if (isLevel && v > threshold) mark(top_, y, x, false);
            if (isLevel && -v > threshold) mark(bottom_, y, x, false);
        }
    }
    for (int y = 0; y < pale_.rows; ++y) {
        for (int x = 0; x < pale_.cols; ++x) {
            for (Edges *e : {&left_, &right_}) e->sums.at<uint16_t>(y + 1, x) = uint16_t(e->sums.at<uint16_t>(y, x) + e->marks.at<uint8_t>(y, x));
            for (Edges *e : {&top_, &bottom_}) e->sums.at<uint16_t>(y, x + 1) = uint16_t(e->sums.at<uint16_t>(y, x) + e->marks.at<uint8_t>(y, x));
        }
    }
}

bool AnnexFinder::hasRectangle(int polarity, float threshold, float white, float black, bool isAtPlate) const {
    const Family family = isAtPlate ? atPlate : atRound;
    const int rows = pale_.rows, columns = pale_.cols;
    const float first = (1 - fromY) * height_, middle = float(columns) / 2;
    const auto upright = [](const Edges &e, int x, int from, int to) { return float(e.sums.at<uint16_t>(to, x) - e.sums.at<uint16_t>(from, x)) / float(to - from); };
    const auto level = [](const Edges &e, int y, int from, int to) { return float(e.sums.at<uint16_t>(y, to) - e.sums.at<uint16_t>(y, from)) / float(to - from); };
    const auto isPlate = [&](int a, int b, int from, int to) {
        // A disc has no corners: there it is like what is around.
        const int reach = std::max(2, (b - a) / 10);
        int corners = 0;
        for (const auto &corner : {std::array{a, from, 1, 1}, {b, from, -1, 1}, {a, to, 1, -1}, {b, to, -1, -1}}) {
            const int x = corner[0], y = corner[1], dx = corner[2], dy = corner[3];
            const auto at = [&](int out) { return int(pale_.at<uint8_t>(std::clamp(y + out * dy, 0, rows - 1), std::clamp(x + out * dx, 0, columns - 1))); };
            const int inside = polarity * std::max({polarity * at(1), polarity * at(2), polarity * at(reach)});
            corners += float(polarity * (inside - at(-2))) > threshold;
        }
        if (corners < 3) return false;
        std::vector<uint8_t> within = samplesOf(pale_, cv::Rect(a + 1, from + 1, b - a - 2, to - from - 2));
        if (within.size() < 8) return false;
        const float pale = quantile(within, 0.9f), dark = quantile(within, 0.08f), share = quantile(within, family.inked) / std::max(1.0f, white);
        return share >= (polarity > 0 ? family.leastWhite : leastWhiteBeforeSky) && share <= mostWhite && pale - dark >= leastInk * (white - black);
    };
    for (int from = 1; float(from) <= first + mostGap * height_; ++from) {
        const int last = std::min(rows - 2, from + int(highest * width_));
        for (int to = from + std::max(5, int(family.lowest * width_)); to < last; ++to) {
            // Letters of the sign itself stand in rows too.
            if (float(to) - first < leastOutside * float(to - from)) continue;
            for (int a = 0; a < columns; ++a) {
                const float l = upright(left_, a, from, to);
                if (l < family.leastUpright) continue;
                for (int b = a + int(family.narrowest * width_ + widening); b < columns && float(b - a) <= widest * width_ + widening; ++b) {
                    if (std::abs(float(a + b) / 2 - middle) > mostOffset * width_ || float(to - from) > 1.15f * float(b - a)) continue;
                    const float sides = std::min(l, upright(right_, b, from, to)), levels = std::min(level(top_, from, a, b), level(bottom_, to, a, b));
                    if (sides >= family.leastUpright && levels >= family.leastLevel && isPlate(a, b, from, to)) return true;
                }
            }
        }
    }
    return false;
}

bool AnnexFinder::seen(const cv::Mat &picture, const cv::Rect2f &sign, bool isPlate, bool isAbove) {
    if (!(sign.width >= 8 && sign.height >= 8)) return false;
    cut(picture, sign, isAbove);
    if (part_.empty()) return false;
    cv::Mat face;
    const cv::Rect middle(int(sign.x + 0.2f * sign.width), int(sign.y + 0.2f * sign.height), int(0.6f * sign.width), int(0.6f * sign.height));
    const cv::Rect inside = middle & cv::Rect(0, 0, picture.cols, picture.rows);
    if (inside.area() < 16) return false;
    measurePaleness(picture(inside), face);
    std::vector<uint8_t> samples = samplesOf(face, cv::Rect(0, 0, face.cols, face.rows));
    const float white = quantile(samples, 0.85f), black = quantile(samples, 0.08f), threshold = std::max(leastEdge, edgeShare * (white - black));
    for (const int polarity : {1, -1}) {
        markEdges(polarity, threshold);
        if (hasRectangle(polarity, threshold, white, black, isPlate)) return true;
    }
    return false;
}
