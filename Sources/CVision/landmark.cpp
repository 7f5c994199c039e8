#include "vision_landmark.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "correlation.hpp"
#include "vision_internal.hpp"

namespace {

constexpr int levels = 5;
// Frames are searched at this width at most: what is smaller there than `least_side` is not found.
constexpr int search_width = 360;
// Sides (geometric mean) of a template at the coarse search: large enough to tell, small enough to be cheap and to forgive half a step of scale
// and angle.
constexpr double least_side = 8, most_side = 24;
// Side at which the score is told: what is smaller in the frame is judged at its own size. Larger ones would punish the last half percent
// of scale and the first bit of perspective.
constexpr double fine_side = 64;
constexpr double scale_step = 1.18;
constexpr double angle_step_deg = 8;
// A coarse candidate may correlate this much less than the wanted score: half a step costs that much at most on drawn and photographed signs.
constexpr double coarse_slack = 0.3;
// With scale, angle and place settled to half a step, still at the coarse size.
constexpr double settled_slack = 0.14;
// After the first look at the fine size a candidate that is still this much below the wanted score is given up.
constexpr double fine_slack = 0.12;
constexpr size_t candidates_settled = 8, candidates_kept = 3;
// A search is spread over so many looks, a third of the sizes in each.
constexpr size_t shares = 3;
// Patterns of this side and more still overlap with their place when only every second one is tried.
constexpr double double_step_side = 13;

struct Variant {
    double scale, angle_deg;
    int level, step;
    CorrelationPattern pattern;
};

struct Candidate {
    double score, scale, angle_deg;
    cv::Point2d centre;  // in pixels of the frame
};

}  // namespace

struct vision_pyramid {
    std::vector<cv::Mat> greys;
    int base = 0;                          // the finest level that is searched as a whole
    std::vector<CorrelationPlane> planes;  // of `base` and the levels above it
    const CorrelationPlane &plane(int level) const { return planes[size_t(level - base)]; }
};

struct vision_landmark {
    std::vector<cv::Mat> mips;  // the template, each half the size of the one before
    vision_landmark_range range;
    std::vector<Variant> variants;  // for frames whose level `base` is searched
    int base = -1;
    size_t turn = 0;                // which share of the variants comes next
    std::vector<Candidate> last;    // where it was seen in the look before; at most one
};

namespace {

/// The template `scale` times its size, turned, cut to the upright rectangle that it fills for certain.
cv::Mat patch_of(const vision_landmark &landmark, double scale, double angle_deg) {
    size_t mip = 0;
    while (mip + 1 < landmark.mips.size() && scale * double(1 << (mip + 1)) <= 1.0) ++mip;
    const cv::Mat &source = landmark.mips[mip];
    const double angle = angle_deg * CV_PI / 180, c = std::cos(angle), s = std::abs(std::sin(angle));
    const double w = landmark.mips[0].cols * scale, h = landmark.mips[0].rows * scale;
    // The largest upright rectangle of the same shape within the turned one.
    const double fit = 1 / (c + s * std::max(w / h, h / w));
    const cv::Size size(std::max(2, cvRound(w * fit)), std::max(2, cvRound(h * fit)));
    const double k = w / source.cols;
    cv::Matx23d m(k * c, -k * std::sin(angle), 0, k * std::sin(angle), k * c, 0);
    m(0, 2) = (size.width - 1) / 2.0 - m(0, 0) * (source.cols - 1) / 2.0 - m(0, 1) * (source.rows - 1) / 2.0;
    m(1, 2) = (size.height - 1) / 2.0 - m(1, 0) * (source.cols - 1) / 2.0 - m(1, 1) * (source.rows - 1) / 2.0;
    cv::Mat patch;
    cv::warpAffine(source, patch, m, size, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    return patch;
}

double side_of(const vision_landmark &landmark, double scale) {
    return std::sqrt(double(landmark.mips[0].cols) * landmark.mips[0].rows) * scale;
}

int level_for(double side, double wanted) {
    return std::clamp(int(std::floor(std::log2(std::max(1.0, side / wanted)))), 0, levels - 1);
}

/// Makes the variants for frames whose level `base` is the finest that is searched.
void prepare(vision_landmark &landmark, int base) {
    landmark.base = base;
    landmark.variants.clear();
    for (double scale = landmark.range.smallest; scale <= landmark.range.largest * 1.0001; scale *= scale_step) {
        int level = base;
        while (level + 1 < levels && side_of(landmark, scale) / (1 << level) > most_side) ++level;
        // A long and low template must keep some rows.
        while (level > base && std::min(landmark.mips[0].cols, landmark.mips[0].rows) * scale / (1 << level) < 6) --level;
        if (side_of(landmark, scale) / (1 << level) < least_side) continue;
        const int turns = int(std::ceil(landmark.range.angle_deg / angle_step_deg - 0.25));
        for (int turn = -turns; turn <= turns; ++turn) {
            const double angle = turns == 0 ? 0 : landmark.range.angle_deg * turn / (turns + 0.25);
            cv::Mat patch = patch_of(landmark, scale / (1 << level), angle);
            if (std::min(patch.cols, patch.rows) < 3) continue;
            const int step = std::sqrt(double(patch.size().area())) >= double_step_side ? 2 : 1;
            landmark.variants.push_back({scale, angle, level, step, CorrelationPattern(patch)});
        }
    }
}

cv::Point2d at_level(cv::Point2d centre, int level) {
    return (centre + cv::Point2d(0.5, 0.5)) / double(1 << level) - cv::Point2d(0.5, 0.5);
}

cv::Point2d in_frame(cv::Point2d centre, int level) {
    return (centre + cv::Point2d(0.5, 0.5)) * double(1 << level) - cv::Point2d(0.5, 0.5);
}

cv::Point2d centre_of(cv::Point corner, cv::Size size) {
    return {corner.x + (size.width - 1) / 2.0, corner.y + (size.height - 1) / 2.0};
}

bool is_better(const Candidate &a, const Candidate &b) { return a.score > b.score; }

/// Where the variants of one share, or all of them, fit best; the best first.
std::vector<Candidate> coarse(const vision_landmark &landmark, const vision_pyramid &pyramid, double floor, size_t share, size_t of) {
    std::vector<Candidate> found;
    for (size_t i = share; i < landmark.variants.size(); i += of) {
        const Variant &variant = landmark.variants[i];
        const CorrelationPlane &plane = pyramid.plane(variant.level);
        Candidate one{0, variant.scale, variant.angle_deg, {}};
        cv::Point place;
        if (!variant.pattern.best(plane, cv::Rect(cv::Point(), plane.size()), variant.step, one.score, place)) continue;
        one.centre = in_frame(centre_of(place, variant.pattern.size()), variant.level);
        if (one.score >= floor) found.push_back(one);
    }
    std::sort(found.begin(), found.end(), is_better);
    if (found.size() > candidates_settled) found.resize(candidates_settled);
    return found;
}

/// Looks around `start` with the given steps, where the template is `side` pixels or somewhat more, and returns the best. The score of `start` counts
/// only when it was told at that size.
Candidate refined(const vision_landmark &landmark, const vision_pyramid &pyramid, const Candidate &start, double ratio, double turn_deg,
                  double reach_px, double side, bool counts) {
    Candidate best = start;
    if (!counts) best.score = -1;
    const int turns = landmark.range.angle_deg > 0 ? 1 : 0;
    for (int i = -1; i <= 1; ++i)
        for (int j = -turns; j <= turns; ++j) {
            // From a score that counts it is enough to go straight ways.
            if (counts && (i != 0) == (j != 0)) continue;
            Candidate one{-1, start.scale * std::pow(ratio, i), start.angle_deg + j * turn_deg, {}};
            const int level = level_for(side_of(landmark, one.scale), side);
            const CorrelationPattern pattern(patch_of(landmark, one.scale / double(1 << level), one.angle_deg));
            const cv::Mat &picture = pyramid.greys[size_t(level)];
            const cv::Point2d centre = at_level(start.centre, level);
            const int reach = std::max(2, cvCeil(reach_px / double(1 << level)));
            const cv::Size size = pattern.size();
            const cv::Rect area = cv::Rect(cvRound(centre.x - (size.width - 1) / 2.0) - reach,
                                           cvRound(centre.y - (size.height - 1) / 2.0) - reach, size.width + 2 * reach,
                                           size.height + 2 * reach) &
                                  cv::Rect(cv::Point(), picture.size());
            if (area.width < size.width || area.height < size.height) continue;
            cv::Point place;
            if (!pattern.best(CorrelationPlane(picture(area)), cv::Rect(cv::Point(), area.size()), 1, one.score, place)) continue;
            one.centre = in_frame(centre_of(place + area.tl(), size), level);
            if (one.score > best.score) best = one;
        }
    return best;
}

/// The candidates that hold at the coarse size when scale, angle and place are settled; the best first.
std::vector<Candidate> settled(const vision_landmark &landmark, const vision_pyramid &pyramid, const std::vector<Candidate> &found, double floor) {
    std::vector<Candidate> kept;
    const double px = double(1 << pyramid.base);
    for (const Candidate &start : found) {
        const Candidate one = refined(landmark, pyramid, start, std::sqrt(scale_step), angle_step_deg / 2, 2 * px, most_side / 2, false);
        if (one.score >= floor) kept.push_back(one);
    }
    std::sort(kept.begin(), kept.end(), is_better);
    if (kept.size() > candidates_kept) kept.resize(candidates_kept);
    return kept;
}

/// The best that comes of `starts` at the fine size; the score is -1 when none comes near `least_score`.
Candidate fine(const vision_landmark &landmark, const vision_pyramid &pyramid, const std::vector<Candidate> &starts, double least_score) {
    Candidate best{-1, 1, 0, {}};
    const double px = double(1 << pyramid.base);
    for (const Candidate &start : starts) {
        Candidate one = refined(landmark, pyramid, start, std::sqrt(scale_step), angle_step_deg / 2, px + 2, fine_side, false);
        if (one.score < least_score - fine_slack) continue;
        double part = 0.25;
        for (int round = 0; round < 3; ++round, part /= 2)
            one = refined(landmark, pyramid, one, std::pow(scale_step, part), angle_step_deg * part, px * part + 1, fine_side, true);
        if (one.score > best.score) best = one;
        // Nothing else can be better by much.
        if (best.score > least_score + 0.5 * (1 - least_score)) break;
    }
    return best;
}

}  // namespace

vision_status vision_landmark_create(const vision_image *picture, vision_landmark_range range, vision_landmark **out,
                                     vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        if (!(range.smallest >= 0.05 && range.smallest <= range.largest && range.largest <= 20 && range.angle_deg >= 0 &&
              range.angle_deg <= 45))
            return VISION_BAD_ARGUMENT;
        auto landmark = std::make_unique<vision_landmark>();
        landmark->range = range;
        cv::Mat grey;
        if (picture->mat.channels() == 1) grey = picture->mat.clone();
        else cv::cvtColor(picture->mat, grey, cv::COLOR_BGR2GRAY);
        if (std::min(grey.cols, grey.rows) < 16) return vision_tell(error, VISION_BAD_ARGUMENT, "is smaller than 16 pixels");
        cv::Scalar mean, scatter;
        cv::meanStdDev(grey, mean, scatter);
        if (scatter[0] < 8) return vision_tell(error, VISION_BAD_ARGUMENT, "shows nothing that could be found: it has hardly any contrast");
        landmark->mips.push_back(grey);
        while (std::min(landmark->mips.back().cols, landmark->mips.back().rows) >= 16) {
            cv::Mat half;
            cv::resize(landmark->mips.back(), half, cv::Size(), 0.5, 0.5, cv::INTER_AREA);
            landmark->mips.push_back(half);
        }
        *out = landmark.release();
        return VISION_OK;
    });
}

void vision_landmark_destroy(vision_landmark *landmark) { delete landmark; }

vision_status vision_pyramid_create(const vision_image *image, vision_pyramid **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        auto pyramid = std::make_unique<vision_pyramid>();
        cv::Mat grey;
        if (image->mat.channels() == 1) grey = image->mat.clone();
        else cv::cvtColor(image->mat, grey, cv::COLOR_BGR2GRAY);
        pyramid->greys.push_back(grey);
        for (int level = 1; level < levels; ++level) {
            const cv::Mat &last = pyramid->greys.back();
            cv::Mat half;
            cv::resize(last, half, cv::Size(std::max(1, last.cols / 2), std::max(1, last.rows / 2)), 0, 0, cv::INTER_AREA);
            pyramid->greys.push_back(half);
        }
        while (pyramid->base + 1 < levels && pyramid->greys[size_t(pyramid->base)].cols > search_width) ++pyramid->base;
        for (int level = pyramid->base; level < levels; ++level) pyramid->planes.emplace_back(pyramid->greys[size_t(level)]);
        *out = pyramid.release();
        return VISION_OK;
    });
}

void vision_pyramid_destroy(vision_pyramid *pyramid) { delete pyramid; }

vision_status vision_landmark_find(vision_landmark *landmark, const vision_pyramid *pyramid, double least_score, int32_t thorough,
                                   vision_sighting *out, vision_error *error) {
    return vision_guard(error, [&] {
        if (landmark->base != pyramid->base) prepare(*landmark, pyramid->base);
        // Where it was, it mostly still is; only otherwise the frame is searched.
        Candidate best = fine(*landmark, *pyramid, landmark->last, least_score);
        landmark->last.clear();
        if (best.score < least_score) {
            const size_t of = thorough ? 1 : shares;
            const auto found = coarse(*landmark, *pyramid, least_score - coarse_slack, landmark->turn % of, of);
            landmark->turn = (landmark->turn + 1) % shares;
            best = fine(*landmark, *pyramid, settled(*landmark, *pyramid, found, least_score - settled_slack), least_score);
        }
        if (best.score < least_score) return VISION_NOT_FOUND;
        landmark->last.push_back(best);
        const double angle = best.angle_deg * CV_PI / 180, c = std::abs(std::cos(angle)), s = std::abs(std::sin(angle));
        const double w = landmark->mips[0].cols * best.scale, h = landmark->mips[0].rows * best.scale;
        const double across = w * c + h * s, down = w * s + h * c;
        *out = {best.score, {best.centre.x + 0.5 - across / 2, best.centre.y + 0.5 - down / 2, across, down}, best.scale, best.angle_deg};
        return VISION_OK;
    });
}
