#include "sign_plates.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>

namespace {
// Heights in pixels that are looked for in each octave; half the picture's size doubles them.
constexpr int heights[] = {14, 17, 20, 24};
// Width over height of plates: 24 by 30 inches, 18 by 24, Canada's 600 by 750 mm; narrower when seen from aside.
constexpr float narrowest = 0.62f, widest = 0.95f;
// What makes an edge: a Sobel derivative, and the share (of 64) of the brightness there that is added to it.
constexpr int edgeFloor = 10, edgeShare = 12;
// Share of each side that must be seen.
constexpr float leastUpright = 0.7f, leastLevel = 0.5f;
constexpr int leastPictureSide = 32;
}  // namespace

void PlateFinder::markEdges(Octave &o) {
    cv::spatialGradient(o.grey, o.dx, o.dy);
    for (cv::Mat &m : o.edges) m.create(o.grey.size(), CV_8U);
    for (cv::Mat &m : o.above) {
        m.create(o.grey.rows + 1, o.grey.cols, CV_16U);
        m.row(0).setTo(0);
    }
    for (int y = 0; y < o.grey.rows; ++y) {
        const int16_t *gx = o.dx.ptr<int16_t>(y), *gy = o.dy.ptr<int16_t>(y);
        const uint8_t *grey = o.grey.ptr<uint8_t>(y);
        uint8_t *l = o.edges[left].ptr<uint8_t>(y), *r = o.edges[right].ptr<uint8_t>(y), *t = o.edges[top].ptr<uint8_t>(y), *b = o.edges[bottom].ptr<uint8_t>(y);
        for (int x = 0; x < o.grey.cols; ++x) {
            const int wanted = edgeFloor + ((grey[x] * edgeShare) >> 6), u = gx[x], v = gy[x];
            const bool upright = std::abs(u) > std::abs(v);
            l[x] = upright && u > wanted, r[x] = upright && -u > wanted, t[x] = !upright && v > wanted, b[x] = !upright && -v > wanted;
        }
        for (Side side : {left, right}) {
            const uint8_t *e = o.edges[side].ptr<uint8_t>(y);
            const uint16_t *before = o.above[side].ptr<uint16_t>(y);
            uint16_t *after = o.above[side].ptr<uint16_t>(y + 1);
            for (int x = 1; x + 1 < o.grey.cols; ++x) after[x] = uint16_t(before[x] + (e[x - 1] | e[x] | e[x + 1]));
            after[0] = after[o.grey.cols - 1] = 0;
        }
    }
}

void PlateFinder::pair(const Octave &o, int x, int y, int h, std::vector<SignCandidate> &found) const {
    const auto seen = [&](Side side, int column, int from, int to) {
        return float(o.above[side].at<uint16_t>(to, column) - o.above[side].at<uint16_t>(from, column)) / float(to - from);
    };
    const auto level = [&](Side side, int row, int width) {
        const uint8_t *p = o.edges[side].ptr<uint8_t>(row - 1), *q = o.edges[side].ptr<uint8_t>(row), *s = o.edges[side].ptr<uint8_t>(row + 1);
        int sum = 0;
        for (int i = x; i <= x + width; ++i) sum += p[i] | q[i] | s[i];
        return float(sum) / float(width + 1);
    };
    for (int w = int(narrowest * float(h)); w <= int(widest * float(h)) && x + w + 1 < o.grey.cols; ++w) {
        if (seen(right, x + w, y, y + h) < leastUpright) continue;
        // The upright sides end where the plate does; letters have level edges too.
        const auto bothSides = [&](int row) { return seen(left, x, row, row + 1) > 0 && seen(right, x + w, row, row + 1) > 0; };
        int from = y, to = y + h;
        for (int row = y - 1, missed = 0; row >= 2 && missed < 2; --row)
            if (bothSides(row)) from = row, missed = 0;
            else ++missed;
        for (int row = y + h, missed = 0; row + 2 < o.grey.rows && missed < 2; ++row)
            if (bothSides(row)) to = row + 1, missed = 0;
            else ++missed;
        const float tall = float(to - from);
        if (float(w) < narrowest * tall * 0.93f || float(w) > widest * tall * 1.07f) continue;
        const int reach = std::max(2, int(tall) / 9);
        float t = 0, b = 0;
        int rowT = from, rowB = to;
        for (int d = -reach; d <= reach; ++d) {
            if (from + d >= 1)
                if (const float f = level(top, from + d, w); f > t) t = f, rowT = from + d;
            if (to + d + 1 < o.grey.rows)
                if (const float f = level(bottom, to + d, w); f > b) b = f, rowB = to + d;
        }
        if (t < leastLevel || b < leastLevel) continue;
        SignCandidate c;
        c.box = cv::Rect2f(float(x), float(rowT), float(w + 1), float(rowB - rowT + 1));
        c.score = seen(left, x, from, to) + seen(right, x + w, from, to) + t + b;
        c.isPlate = true;
        found.push_back(c);
    }
}

void PlateFinder::search(const Octave &o, float scale, float leastSide, std::vector<SignCandidate> &found) const {
    std::vector<SignCandidate> here;
    for (int h : heights) {
        if (float(h) * scale * 1.15f < leastSide) continue;
        const int wanted = int(std::ceil(leastUpright * float(h)));
        const cv::v_uint16x8 wantedOfAll = cv::v_setall_u16(uint16_t(wanted));
        for (int y = 1; y + h + 1 < o.grey.rows; ++y) {
            const uint16_t *from = o.above[left].ptr<uint16_t>(y), *to = o.above[left].ptr<uint16_t>(y + h);
            for (int x = 0; x + 8 <= o.grey.cols; x += 8) {
                int hits = cv::v_signmask(cv::v_reinterpret_as_s16(cv::v_sub_wrap(cv::v_load(to + x), cv::v_load(from + x)) >= wantedOfAll));
                for (int i = x; hits != 0; ++i, hits >>= 1)
                    if ((hits & 1) && i > 0) pair(o, i, y, h, here);
            }
        }
    }
    for (SignCandidate c : best(std::move(here), 60)) {
        c.box = cv::Rect2f(c.box.x * scale, c.box.y * scale, c.box.width * scale, c.box.height * scale);
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
