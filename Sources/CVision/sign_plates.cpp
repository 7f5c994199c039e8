#include "sign_plates.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>

#include "plate_shape.hpp"

namespace {
// Heights in pixels that are looked for in each octave; half the picture's size doubles them. They overlap the next octave's: the border of a
// plate is lost before its face is.
constexpr int heights[] = {16, 21, 28, 37, 49};
// Width over height of plates: 24 by 30 inches, 18 by 24, Canada's 600 by 750 mm; narrower when seen from aside.
constexpr float narrowest = 0.62f, widest = 0.95f;
// What makes an edge: a Sobel derivative, and the share (of 64) of the brightness there that is added to it.
constexpr int edgeFloor = 20, edgeShare = 12;
// Share of each side that must be seen.
constexpr float leastUpright = 0.7f, leastLevel = 0.5f;
constexpr int leastPictureSide = 32;
// Outlines of an octave that are judged by more than their sides, and how much of two is common where one of them is enough.
constexpr size_t mostJudged = 120;
constexpr float sameOutline = 0.75f;

/// Calls `use` with each column of `begin..<end` in which `to` is `wanted` more than `from`.
template <typename Use>
void forEachReaching(const uint16_t *from, const uint16_t *to, int begin, int end, int wanted, const Use &use) {
    const cv::v_uint16x8 wantedOfAll = cv::v_setall_u16(uint16_t(wanted));
    int x = begin;
    for (; x + 8 <= end; x += 8) {
        int hits = cv::v_signmask(cv::v_reinterpret_as_s16(cv::v_sub_wrap(cv::v_load(to + x), cv::v_load(from + x)) >= wantedOfAll));
        for (; hits != 0; hits &= hits - 1) use(x + __builtin_ctz(unsigned(hits)));
    }
    for (; x < end; ++x)
        if (to[x] - from[x] >= wanted) use(x);
}
}  // namespace

void PlateFinder::markEdges(Octave &o) {
    cv::spatialGradient(o.grey, o.dx, o.dy);
    for (cv::Mat &m : o.edges) m.create(o.grey.size(), CV_8U);
    for (cv::Mat &m : o.above) {
        m.create(o.grey.rows + 1, o.grey.cols, CV_16U);
        m.row(0).setTo(0);
    }
    const cv::v_int16x8 base = cv::v_setall_s16(edgeFloor), zero = cv::v_setzero_s16();
    const cv::v_uint16x8 share = cv::v_setall_u16(edgeShare), one = cv::v_setall_u16(1);
    const int cols = o.grey.cols;
    for (int y = 0; y < o.grey.rows; ++y) {
        const int16_t *gx = o.dx.ptr<int16_t>(y), *gy = o.dy.ptr<int16_t>(y);
        const uint8_t *grey = o.grey.ptr<uint8_t>(y);
        const auto mark = [&](Side side, int x, const cv::v_int16x8 &isEdge) { cv::v_pack_store(o.edges[side].ptr<uint8_t>(y) + x, cv::v_reinterpret_as_u16(isEdge) & one); };
        for (int next = 0; next < cols; next += 8) {
            // The last eight overlap those before them.
            const int x = std::min(next, cols - 8);
            const cv::v_int16x8 u = cv::v_load(gx + x), v = cv::v_load(gy + x);
            const cv::v_int16x8 wanted = base + cv::v_reinterpret_as_s16((cv::v_load_expand(grey + x) * share) >> 6);
            const cv::v_int16x8 isUpright = cv::v_reinterpret_as_s16(cv::v_abs(u) > cv::v_abs(v)), isLevel = ~isUpright;
            mark(left, x, isUpright & (u > wanted));
            mark(right, x, isUpright & (zero - u > wanted));
            mark(top, x, isLevel & (v > wanted));
            mark(bottom, x, isLevel & (zero - v > wanted));
        }
        for (Side side : {left, right}) {
            const uint8_t *e = o.edges[side].ptr<uint8_t>(y);
            const uint16_t *before = o.above[side].ptr<uint16_t>(y);
            uint16_t *after = o.above[side].ptr<uint16_t>(y + 1);
            for (int x = 1; x + 1 < cols; ++x) after[x] = uint16_t(before[x] + (e[x - 1] | e[x] | e[x + 1]));
            after[0] = after[cols - 1] = 0;
        }
    }
}

void PlateFinder::pair(const Octave &o, int x, int y, int h) {
    const int narrow = x + int(narrowest * float(h)), wide = std::min(x + int(widest * float(h)), o.grey.cols - 2);
    const int wanted = int(std::ceil(leastUpright * float(h)));
    forEachReaching(o.above[right].ptr<uint16_t>(y), o.above[right].ptr<uint16_t>(y + h), narrow, wide + 1, wanted, [&](int end) {
        // Further down the same two sides there is nothing new.
        int16_t &followed = followed_[size_t(x) * (mostWidth + 1) + size_t(end - x)];
        if (y >= followed) followed = int16_t(follow(o, x, end, y, y + h));
    });
}

int PlateFinder::follow(const Octave &o, int x, int end, int from, int to) {
    const int w = end - x;
    const auto seen = [&](Side side, int column, int first, int last) {
        return float(o.above[side].at<uint16_t>(last, column) - o.above[side].at<uint16_t>(first, column)) / float(last - first);
    };
    const auto level = [&](Side side, int row) {
        const uint8_t *p = o.edges[side].ptr<uint8_t>(row - 1), *q = o.edges[side].ptr<uint8_t>(row), *s = o.edges[side].ptr<uint8_t>(row + 1);
        int sum = 0;
        for (int i = x; i <= end; ++i) sum += p[i] | q[i] | s[i];
        return float(sum) / float(w + 1);
    };
    // The upright sides end where the plate does; letters have level edges too.
    const auto bothSides = [&](int row) { return seen(left, x, row, row + 1) > 0 && seen(right, end, row, row + 1) > 0; };
    for (int row = from - 1, missed = 0; row >= 2 && missed < 2; --row)
        if (bothSides(row)) from = row, missed = 0;
        else ++missed;
    for (int row = to, missed = 0; row + 2 < o.grey.rows && missed < 2; ++row)
        if (bothSides(row)) to = row + 1, missed = 0;
        else ++missed;
    const float tall = float(to - from);
    if (float(w) < narrowest * tall * 0.93f || float(w) > widest * tall * 1.07f) return to;
    const int reach = std::max(2, int(tall) / 9);
    float t = 0, b = 0;
    int rowT = from, rowB = to;
    for (int d = -reach; d <= reach; ++d) {
        if (from + d >= 1)
            if (const float f = level(top, from + d); f > t) t = f, rowT = from + d;
        if (to + d + 1 < o.grey.rows)
            if (const float f = level(bottom, to + d); f > b) b = f, rowB = to + d;
    }
    if (t < leastLevel || b < leastLevel) return to;
    Outline outline;
    outline.sides = {seen(left, x, from, to), seen(right, end, from, to), t, b};
    outline.box = cv::Rect2f(float(x), float(rowT), float(w + 1), float(rowB - rowT + 1));
    outline.score = outline.sides.left + outline.sides.right + t + b;
    outlines_.push_back(outline);
    return to;
}

void PlateFinder::search(const Octave &o, float scale, float leastSide, std::vector<SignCandidate> &found) {
    outlines_.clear();
    for (int h : heights) {
        if (float(h) * scale * 1.15f < leastSide) continue;
        followed_.assign(size_t(o.grey.cols) * (mostWidth + 1), 0);
        for (int y = 1; y + h + 1 < o.grey.rows; ++y)
            forEachReaching(o.above[left].ptr<uint16_t>(y), o.above[left].ptr<uint16_t>(y + h), 1, o.grey.cols, int(std::ceil(leastUpright * float(h))),
                            [&](int x) { pair(o, x, y, h); });
    }
    for (const Outline &outline : best(outlines_, mostJudged, sameOutline)) {
        const cv::Rect2f &box = outline.box;
        const SignCandidate c{cv::Rect2f(box.x * scale, box.y * scale, box.width * scale, box.height * scale), plateScore(o.grey, box, outline.sides), true};
        if (c.box.height >= leastSide) found.push_back(c);
    }
}

std::vector<SignCandidate> PlateFinder::find(const cv::Mat &picture, float leastSide, size_t most) {
    std::vector<SignCandidate> found;
    float scale = 1;
    for (size_t i = 0; std::min(picture.rows, picture.cols) >> i >= leastPictureSide; ++i, scale *= 2) {
        if (octaves_.size() <= i) octaves_.emplace_back();
        if (i == 0) cv::cvtColor(picture, octaves_[i].grey, cv::COLOR_BGR2GRAY);
        else cv::resize(octaves_[i - 1].grey, octaves_[i].grey, octaves_[i - 1].grey.size() / 2, 0, 0, cv::INTER_AREA);
        markEdges(octaves_[i]);
        search(octaves_[i], scale, leastSide, found);
    }
    return best(std::move(found), most);
}
