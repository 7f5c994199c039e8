#include "vision_landmark.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

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
// After the first look around it a candidate that is still this much below the wanted score is given up.
constexpr double fine_slack = 0.12;
constexpr size_t candidates_kept = 4;
// A search is spread over so many looks, a third of the sizes in each.
constexpr size_t shares = 3;

struct Variant {
    double scale, angle_deg;
    int level;
    cv::Mat patch;
};

struct Candidate {
    double score, scale, angle_deg;
    cv::Point2d centre;  // in pixels of the frame
};

}  // namespace

struct vision_pyramid {
    std::vector<cv::Mat> greys;
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
            if (std::min(patch.cols, patch.rows) >= 3) landmark.variants.push_back({scale, angle, level, patch});
        }
    }
}

/// The best place of `patch` in `area` of `picture`, as the centre of the patch.
bool best_place(const cv::Mat &picture, cv::Rect area, const cv::Mat &patch, double &score, cv::Point2d &centre) {
    area &= cv::Rect(cv::Point(), picture.size());
    if (area.width < patch.cols || area.height < patch.rows) return false;
    cv::Mat map;
    cv::matchTemplate(picture(area), patch, map, cv::TM_CCOEFF_NORMED);
    cv::Point place;
    cv::minMaxLoc(map, nullptr, &score, nullptr, &place);
    centre = cv::Point2d(area.x + place.x + (patch.cols - 1) / 2.0, area.y + place.y + (patch.rows - 1) / 2.0);
    return std::isfinite(score);
}

/// Where the variants of one share, or all of them, fit best.
std::vector<Candidate> coarse(const vision_landmark &landmark, const vision_pyramid &pyramid, double floor, size_t share, size_t of) {
    std::vector<Candidate> found;
    for (size_t i = share; i < landmark.variants.size(); i += of) {
        const Variant &variant = landmark.variants[i];
        const cv::Mat &picture = pyramid.greys[size_t(variant.level)];
        Candidate one{0, variant.scale, variant.angle_deg, {}};
        if (!best_place(picture, cv::Rect(cv::Point(), picture.size()), variant.patch, one.score, one.centre)) continue;
        const double factor = double(1 << variant.level);
        one.centre = (one.centre + cv::Point2d(0.5, 0.5)) * factor - cv::Point2d(0.5, 0.5);
        if (one.score >= floor) found.push_back(one);
    }
    std::sort(found.begin(), found.end(), [](const Candidate &a, const Candidate &b) { return a.score > b.score; });
    if (found.size() > candidates_kept) found.resize(candidates_kept);
    return found;
}

/// Looks around `start` with the given steps, at the level where the template is `fine_side` pixels, and returns the best.
Candidate refined(const vision_landmark &landmark, const vision_pyramid &pyramid, const Candidate &start, double ratio, double turn_deg,
                  double reach_px, bool first) {
    Candidate best = start;
    if (first) best.score = -1;
    for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) {
            Candidate one = start;
            one.scale = start.scale * std::pow(ratio, i);
            one.angle_deg = start.angle_deg + (landmark.range.angle_deg > 0 ? j * turn_deg : 0);
            if (landmark.range.angle_deg <= 0 && j != 0) continue;
            const int level = level_for(side_of(landmark, one.scale), fine_side);
            const double factor = double(1 << level);
            const cv::Mat patch = patch_of(landmark, one.scale / factor, one.angle_deg);
            const cv::Point2d centre = (start.centre + cv::Point2d(0.5, 0.5)) / factor - cv::Point2d(0.5, 0.5);
            const int reach = std::max(2, cvCeil(reach_px / factor));
            const cv::Rect area(cvRound(centre.x - (patch.cols - 1) / 2.0) - reach, cvRound(centre.y - (patch.rows - 1) / 2.0) - reach,
                                patch.cols + 2 * reach, patch.rows + 2 * reach);
            if (!best_place(pyramid.greys[size_t(level)], area, patch, one.score, one.centre)) continue;
            one.centre = (one.centre + cv::Point2d(0.5, 0.5)) * factor - cv::Point2d(0.5, 0.5);
            if (one.score > best.score) best = one;
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
        *out = pyramid.release();
        return VISION_OK;
    });
}

void vision_pyramid_destroy(vision_pyramid *pyramid) { delete pyramid; }

vision_status vision_landmark_find(vision_landmark *landmark, const vision_pyramid *pyramid, double least_score, int32_t thorough,
                                   vision_sighting *out, vision_error *error) {
    return vision_guard(error, [&] {
        int base = 0;
        while (base + 1 < levels && pyramid->greys[size_t(base)].cols > search_width) ++base;
        if (landmark->base != base) prepare(*landmark, base);
        std::vector<Candidate> starts = landmark->last;
        const size_t of = thorough ? 1 : shares;
        for (const Candidate &one : coarse(*landmark, *pyramid, least_score - coarse_slack, landmark->turn % of, of)) starts.push_back(one);
        landmark->turn = (landmark->turn + 1) % shares;
        landmark->last.clear();
        Candidate best{-1, 1, 0, {}};
        for (const Candidate &start : starts) {
            const double px = double(1 << base);
            Candidate one = refined(*landmark, *pyramid, start, std::sqrt(scale_step), angle_step_deg / 2, 2 * px + 2, true);
            if (one.score < least_score - fine_slack) continue;
            double part = 0.25;
            for (int round = 0; round < 3; ++round, part /= 2)
                one = refined(*landmark, *pyramid, one, std::pow(scale_step, part), angle_step_deg * part, px * 2 * part + 1, false);
            if (one.score > best.score) best = one;
            // Nothing else can be better by much.
            if (best.score > least_score + 0.5 * (1 - least_score)) break;
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
