#include "sign_rings.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>

namespace {
constexpr float radii[] = {7.0f, 8.4f, 10.0f, 12.0f};
// Rings of limits are 8 to 15 % of the diameter wide; far ones look wider. Their inner edge lies here, as a share of the radius.
constexpr float innerShare = 0.78f;
// What makes an edge: the sum of both Sobel derivatives, and a share (of 64) of the paleness there that is added to it.
constexpr int ringFloor = 14, ringShare = 22;
constexpr int discFloor = 12, discShare = 50;
// Votes of a centre as a share of its circumference in pixels that make it worth a look.
constexpr float ringVotes = 0.7f, discVotes = 0.9f;
// Octaves end before the picture gets smaller than this.
constexpr int leastPictureSide = 16;
// Centres of an octave that are measured, by votes.
constexpr size_t mostCentres = 40;

/// Whether 16 samples from `p` on hold one that is at least `wanted`.
inline bool anyReaches(const uint8_t *p, const cv::v_uint8x16 &wanted) { return cv::v_check_any(cv::v_load(p) >= wanted); }
}  // namespace

void RingFinder::gatherPeaks(const cv::Mat &plane, float radius, float least, bool isDisc, std::vector<RingCentre> &found) {
    const float norm = 1 / (2 * float(CV_PI) * radius);
    // A peak is spread over a few cells; the highest of them holds a quarter at least.
    const int wanted = std::max(1, int(least / norm / 4));
    const cv::v_uint8x16 wantedOfAll = cv::v_setall_u8(uint8_t(wanted));
    for (int y = 1; y + 1 < plane.rows; ++y) {
        const uint8_t *above = plane.ptr<uint8_t>(y - 1), *here = plane.ptr<uint8_t>(y), *below = plane.ptr<uint8_t>(y + 1);
        for (int x = 1; x + 1 < plane.cols; ++x) {
            if (x + 16 <= plane.cols && !anyReaches(here + x, wantedOfAll)) {
                x += 15;
                continue;
            }
            if (here[x] < wanted) continue;
            int sum = 0, sx = 0, sy = 0, peak = 0;
            for (int i = -1; i <= 1; ++i) {
                const int a = above[x + i], h = here[x + i], b = below[x + i];
                peak = std::max({peak, a, h, b});
                sum += a + h + b;
                sx += i * (a + h + b);
                sy += b - a;
            }
            if (here[x] < peak || float(sum) * norm < least) continue;
            const auto place = [&](int at, int moment) { return (float(at - margin) + 0.5f + float(moment) / float(sum)) * cell; };
            found.push_back({place(x, sx), place(y, sy), radius, float(sum) * norm, isDisc});
        }
    }
}

void RingFinder::collectEdges(Octave &octave, const cv::Mat &plane, int floor, int share64) {
    cv::spatialGradient(plane, octave.dx, octave.dy);
    // Room for every pixel, for the block of eight that the last one may begin, and for one that is written and not counted.
    if (const size_t room = plane.total() + 9; gradients_.size() < room) gradients_.resize(room), edges_.resize(room);
    Gradient *next = gradients_.data();
    const cv::v_uint16x8 base = cv::v_setall_u16(uint16_t(floor)), share = cv::v_setall_u16(uint16_t(share64));
    for (int y = 1; y + 1 < plane.rows; ++y) {
        const int16_t *gx = octave.dx.ptr<int16_t>(y), *gy = octave.dy.ptr<int16_t>(y);
        const uint8_t *pale = octave.planes.paleness.ptr<uint8_t>(y);
        for (int x = 0; x + 8 <= plane.cols; x += 8) {
            const cv::v_uint16x8 strength = cv::v_abs(cv::v_load(gx + x)) + cv::v_abs(cv::v_load(gy + x));
            const cv::v_uint16x8 wanted = base + ((cv::v_load_expand(pale + x) * share) >> 6);
            int hits = cv::v_signmask(cv::v_reinterpret_as_s16(strength >= wanted));
            if (hits == 0) continue;
            // No branch for each pixel: which of them are edges cannot be foretold.
            for (int i = x; i < x + 8; ++i, hits >>= 1) {
                *next = {int16_t(i), int16_t(y), gx[i], gy[i]};
                next += hits & 1;
            }
        }
    }
    edgeCount_ = size_t(next - gradients_.data());
    pointEdges();
}

void RingFinder::pointEdges() {
    const cv::v_float32x4 perCell = cv::v_setall_f32(1.0f / cell), border = cv::v_setall_f32(margin);
    for (size_t i = 0; i < edgeCount_; i += 8) {
        cv::v_int16x8 x, y, u, v;
        cv::v_load_deinterleave(&gradients_[i].x, x, y, u, v);
        const auto point = [&](const cv::v_int32x4 &atX, const cv::v_int32x4 &atY, const cv::v_int32x4 &dx, const cv::v_int32x4 &dy, Edge *edges) {
            const cv::v_float32x4 fx = cv::v_cvt_f32(dx), fy = cv::v_cvt_f32(dy);
            const cv::v_float32x4 inverse = cv::v_invsqrt(cv::v_muladd(fx, fx, fy * fy)) * perCell;
            cv::v_store_interleave(&edges->x, cv::v_muladd(cv::v_cvt_f32(atX), perCell, border), cv::v_muladd(cv::v_cvt_f32(atY), perCell, border),
                                   fx * inverse, fy * inverse);
        };
        point(cv::v_expand_low(x), cv::v_expand_low(y), cv::v_expand_low(u), cv::v_expand_low(v), &edges_[i]);
        point(cv::v_expand_high(x), cv::v_expand_high(y), cv::v_expand_high(u), cv::v_expand_high(v), &edges_[i + 4]);
    }
}

template <size_t Count>
void RingFinder::vote(Octave &octave, size_t bin, const float (&distances)[Count]) {
    cv::Mat plane = octave.votesOf(bin);
    plane.setTo(0);
    const int stride = int(plane.step1());
    uint8_t *votes = plane.ptr<uint8_t>();
    for (const Edge *e = edges_.data(), *end = e + edgeCount_; e != end; ++e) {
        for (const float distance : distances) {
            uint8_t &count = votes[int(e->y + e->uy * distance) * stride + int(e->x + e->ux * distance)];
            count = uint8_t(count + (count < 255));
        }
    }
}

std::vector<RingCentre> RingFinder::search(Octave &octave, float least) {
    octave.planes.measure(octave.picture);
    octave.votes.create(int(radiusCount) * ((octave.picture.rows + cell - 1) / cell + 2 * margin), (octave.picture.cols + cell - 1) / cell + 2 * margin, CV_8U);
    std::vector<RingCentre> found, kept;
    const auto isWanted = [&](size_t bin) { return 2.2f * radii[bin] >= least; };
    collectEdges(octave, octave.planes.redness, ringFloor, ringShare);
    for (size_t bin = 0; bin < radiusCount; ++bin) {
        if (!isWanted(bin)) continue;
        // The outer edge gets redder inwards, the inner one outwards.
        vote(octave, bin, {radii[bin], -innerShare * radii[bin]});
        gatherPeaks(octave.votesOf(bin), radii[bin], ringVotes, false, found);
    }
    collectEdges(octave, octave.planes.paleness, discFloor, discShare);
    for (size_t bin = 0; bin < radiusCount; ++bin) {
        if (!isWanted(bin)) continue;
        vote(octave, bin, {innerShare * radii[bin]});
        gatherPeaks(octave.votesOf(bin), innerShare * radii[bin], discVotes, true, found);
    }
    std::sort(found.begin(), found.end(), [](const RingCentre &a, const RingCentre &b) { return a.votes > b.votes; });
    for (const RingCentre &c : found) {
        if (std::none_of(kept.begin(), kept.end(), [&](const RingCentre &k) { return c.repeats(k); })) kept.push_back(c);
        if (kept.size() >= mostCentres) break;
    }
    return kept;
}

std::vector<SignCandidate> RingFinder::find(const cv::Mat &picture, float leastSide, size_t most) {
    std::vector<SignCandidate> result;
    float scale = 1;
    for (size_t i = 0; std::min(picture.rows, picture.cols) >> i >= leastPictureSide; ++i, scale *= 2) {
        if (octaves_.size() <= i) octaves_.emplace_back();
        Octave &octave = octaves_[i];
        if (i == 0) octave.picture = picture;
        else cv::resize(octaves_[i - 1].picture, octave.picture, octaves_[i - 1].picture.size() / 2, 0, 0, cv::INTER_AREA);
        for (const RingCentre &centre : search(octave, leastSide / scale))
            if (const auto found = measureRing(octave.planes, centre, scale); found && found->box.height >= leastSide) result.push_back(*found);
    }
    if (!octaves_.empty()) octaves_.front().picture.release();
    return best(std::move(result), most);
}
