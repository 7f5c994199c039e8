#include "sign_annex.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
// What is cut out, in sizes of the sign from its upper left corner.
constexpr float fromX = -0.5f, toX = 1.5f, fromY = 0.85f, toY = 2.45f;
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

}  // namespace

/// What differs between plates under round signs and those at plates, which are full of letters.
struct AnnexFinder::Family {
    /// The sign is brought to this height, grown by no more than this: enough to see a plate's edges, few enough places to look at.
    float signHeight, mostGrowth;
    /// Plates by their size over the sign's width.
    float narrowest, widest, lowest, highest;
    /// The gap to the sign, and how far the sign's box may reach into the plate, over the sign's height; and how far the middles may lie apart, over
    /// its width.
    float mostGap, mostOverlap, mostOffset;
    /// Share of the upright and of the level sides that must be seen.
    float leastUpright, leastLevel;
    /// Share of a plate's samples that may be ink, and how white the others are, as a share of the sign's white.
    float inked, leastWhite;
    /// Whether a line between the sign and the plate is asked for.
    bool hasLine;
};

namespace {
// Plates of the German benchmark and of Belarus were measured: gaps of 0 to 0.19.
constexpr AnnexFinder::Family atRound = {
    .signHeight = 32, .mostGrowth = 1.5f, .narrowest = 0.46f, .widest = 1.4f, .lowest = 0.25f, .highest = 1.25f, .mostGap = 0.22f, .mostOverlap = 1,
    .mostOffset = 0.22f, .leastUpright = 0.75f, .leastLevel = 0.75f, .inked = 0.6f, .leastWhite = 0.8f, .hasLine = false};
// The United States make them as wide as the plate that they belong to and a quarter to two fifths as high (MUTCD S4-1P to S4-4P); narrower ones are
// about parking. The outline of the sign itself is known better there.
constexpr AnnexFinder::Family atPlate = {
    .signHeight = 48, .mostGrowth = 2, .narrowest = 0.86f, .widest = 1.2f, .lowest = 0.2f, .highest = 0.5f, .mostGap = 0.16f, .mostOverlap = 0.04f,
    .mostOffset = 0.12f, .leastUpright = 0.75f, .leastLevel = 0.6f, .inked = 0.75f, .leastWhite = 0.7f, .hasLine = true};
// Between an upright plate and the one at it there is a line from side to side: the border of either or the gap. Rows of letters leave the sign's margins
// white, and letters have gaps: this share of a line's samples is darker than the sign's white by this share of its contrast.
constexpr float lineShare = 0.95f, leastLine = 0.25f, lineInset = 0.08f;
constexpr int besideLine = 2;
// Speed plates are 1.2 to 1.33 times as high as wide, few 1.5: a box higher than this may hold the annex plate too, and the plate itself ends where
// others do. Chosen on drawn plates: of those at which an annex hangs every third to half is boxed so from afar, of others one in thirty.
constexpr float highestPlate = 1.36f, usualPlate = 1.2f;
}  // namespace

float AnnexFinder::signEnd() const { return (1 - fromY) * height_; }

void AnnexFinder::cut(const cv::Mat &picture, const cv::Rect2f &sign, const Family &family, bool isAbove) {
    const float scale = std::min(family.mostGrowth, family.signHeight / sign.height);
    width_ = sign.width * scale, height_ = sign.height * scale;
    // Over the sign the picture is turned upside down, so that what is near the sign comes first.
    const float y = isAbove ? sign.y + (1 - toY) * sign.height : sign.y + fromY * sign.height;
    pale_ = cutPaleness(picture, cv::Rect2f(sign.x + fromX * sign.width, y, (toX - fromX) * sign.width, (toY - fromY) * sign.height), scale, isAbove);
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

bool AnnexFinder::isPlate(const cv::Rect &r, int polarity, float threshold, const FaceContrast &face, const Family &family) const {
    const int rows = pale_.rows, columns = pale_.cols, left = r.x, right = r.x + r.width, top = r.y, bottom = r.y + r.height;
    // A disc has no corners: there it is like what is around.
    const int reach = std::max(2, r.width / 10);
    int corners = 0;
    for (const auto &corner : {std::array{left, top, 1, 1}, {right, top, -1, 1}, {left, bottom, 1, -1}, {right, bottom, -1, -1}}) {
        const int x = corner[0], y = corner[1], dx = corner[2], dy = corner[3];
        const auto at = [&](int out) { return int(pale_.at<uint8_t>(std::clamp(y + out * dy, 0, rows - 1), std::clamp(x + out * dx, 0, columns - 1))); };
        const int inside = polarity * std::max({polarity * at(1), polarity * at(2), polarity * at(reach)});
        corners += float(polarity * (inside - at(-2))) > threshold;
    }
    if (corners < 3) return false;
    std::vector<uint8_t> within = samplesOf(pale_, cv::Rect(left + 1, top + 1, r.width - 2, r.height - 2));
    if (within.size() < 8) return false;
    const float pale = quantile(within, 0.9f), dark = quantile(within, 0.08f), share = quantile(within, family.inked) / std::max(1.0f, face.white);
    return share >= (polarity > 0 ? family.leastWhite : leastWhiteBeforeSky) && share <= mostWhite && pale - dark >= leastInk * (face.white - face.black);
}

bool AnnexFinder::hasLineBefore(const cv::Rect &r, const FaceContrast &face) const {
    const int inset = std::max(1, int(lineInset * float(r.width)));
    for (int y = std::max(0, int(signEnd()) - besideLine); y <= std::min(pale_.rows - 1, r.y + besideLine); ++y) {
        std::vector<uint8_t> line = samplesOf(pale_, cv::Rect(r.x + inset, y, r.width - 2 * inset, 1));
        if (!line.empty() && face.white - quantile(line, lineShare) >= leastLine * (face.white - face.black)) return true;
    }
    return false;
}

bool AnnexFinder::hasRectangle(int polarity, float threshold, const FaceContrast &face, const Family &family) const {
    const int rows = pale_.rows, columns = pale_.cols;
    const float first = signEnd(), middle = float(columns) / 2;
    const float narrowest = family.narrowest * width_ + widening, widest = family.widest * width_ + widening, offset = family.mostOffset * width_;
    const auto upright = [](const Edges &e, int x, int from, int to) { return float(e.sums.at<uint16_t>(to, x) - e.sums.at<uint16_t>(from, x)) / float(to - from); };
    const auto level = [](const Edges &e, int y, int from, int to) { return float(e.sums.at<uint16_t>(y, to) - e.sums.at<uint16_t>(y, from)) / float(to - from); };
    const int firstLeft = std::max(0, int(middle - offset - widest / 2)), lastLeft = std::min(columns - 1, int(std::ceil(middle + offset - narrowest / 2)) + 1);
    for (int from = std::max(1, int(first - family.mostOverlap * height_)); float(from) <= first + family.mostGap * height_; ++from) {
        const int last = std::min(rows - 2, from + int(family.highest * width_));
        for (int to = from + std::max(5, int(family.lowest * width_)); to < last; ++to) {
            // Letters of the sign itself stand in rows too.
            if (float(to) - first < leastOutside * float(to - from)) continue;
            for (int a = firstLeft; a <= lastLeft; ++a) {
                const float l = upright(left_, a, from, to);
                if (l < family.leastUpright) continue;
                for (int b = a + int(narrowest); b < columns && float(b - a) <= widest; ++b) {
                    if (std::abs(float(a + b) / 2 - middle) > offset || float(to - from) > 1.15f * float(b - a)) continue;
                    const float sides = std::min(l, upright(right_, b, from, to)), levels = std::min(level(top_, from, a, b), level(bottom_, to, a, b));
                    if (sides < family.leastUpright || levels < family.leastLevel) continue;
                    const cv::Rect plate(a, from, b - a, to - from);
                    if (isPlate(plate, polarity, threshold, face, family) && (!family.hasLine || hasLineBefore(plate, face))) return true;
                }
            }
        }
    }
    return false;
}

bool AnnexFinder::seen(const cv::Mat &picture, const cv::Rect2f &sign, bool isPlate, bool isAbove) {
    if (seenAt(picture, sign, isPlate, isAbove)) return true;
    if (!isPlate || sign.height <= highestPlate * sign.width) return false;
    const float height = usualPlate * sign.width, y = isAbove ? sign.y + sign.height - height : sign.y;
    return seenAt(picture, cv::Rect2f(sign.x, y, sign.width, height), isPlate, isAbove);
}

bool AnnexFinder::seenAt(const cv::Mat &picture, const cv::Rect2f &sign, bool isPlate, bool isAbove) {
    if (!(sign.width >= 8 && sign.height >= 8)) return false;
    const Family &family = isPlate ? atPlate : atRound;
    cut(picture, sign, family, isAbove);
    const cv::Rect inside = middleOf(sign) & cv::Rect(0, 0, picture.cols, picture.rows);
    if (pale_.empty() || inside.area() <= 0) return false;
    cv::Mat middle;
    measurePaleness(picture(inside), middle);
    const auto face = contrastOf(middle, cv::Rect(0, 0, middle.cols, middle.rows));
    if (!face) return false;
    const float threshold = std::max(leastEdge, edgeShare * (face->white - face->black));
    for (const int polarity : {1, -1}) {
        markEdges(polarity, threshold);
        if (hasRectangle(polarity, threshold, *face, family)) return true;
    }
    return false;
}
