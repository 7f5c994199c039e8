#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <vector>

#include "motion_internal.hpp"


namespace {

constexpr int maximumCorners = 60;
constexpr int minimumCorners = 8;
// A corner that does not come back to within this many pixels was not followed.
constexpr float returnTolerancePx = 0.5f;
// Side of the window by which a corner is followed, in pixels.
constexpr int windowPx = 15;
// When less than this share of a thing is to be seen, what is left is mostly the rim of what hides it.
constexpr double leastVisible = 0.6;
// Residuals beyond this many (robust) standard deviations are outliers: background seen through the window, a neighbour.
constexpr double outlierSds = 3;
// Lucas-Kanade on 8-bit pictures is not better than this, whatever the residuals of a few corners say.
constexpr double floorPx = 0.03;

struct Pair {
    cv::Point2d from, to;
};

double median(std::vector<double> values) {
    auto middle = values.begin() + values.size() / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

cv::Mat grey(const cv::Mat &picture) {
    cv::Mat result;
    if (picture.channels() == 1) picture.copyTo(result);
    else cv::cvtColor(picture, result, cv::COLOR_BGR2GRAY);
    return result;
}

/// Whether two frames of one size show the same picture but for coding noise.
bool repeats(const cv::Mat &a, const cv::Mat &b) {
    // Every 8th row and column is enough, and cheap. A moving scene differs by several grey levels, coding noise by less than one.
    double sum = 0;
    int count = 0;
    for (int y = 4; y < a.rows; y += 8) {
        const uint8_t *p = a.ptr<uint8_t>(y), *q = b.ptr<uint8_t>(y);
        for (int x = 4; x < a.cols; x += 8, ++count) sum += std::abs(int(p[x]) - int(q[x]));
    }
    return count > 0 && sum / count < 0.35;
}

/// White where corners may lie: `inner` without what nearer things cover, and without the corners whose window reaches over to them: at
/// the rim of a nearer thing the strongest corners move as that thing does.
cv::Mat visiblePart(const cv::Rect &inner, const std::vector<cv::Rect> &covers) {
    cv::Mat mask(inner.size(), CV_8U, cv::Scalar(255));
    const cv::Point reach(windowPx / 2, windowPx / 2);
    for (const cv::Rect &cover : covers) {
        cv::Rect part = (cv::Rect(cover.tl() - reach, cover.br() + reach) & inner) - inner.tl();
        if (part.area() > 0) mask(part).setTo(0);
    }
    return mask;
}

std::vector<Pair> follow(const cv::Mat &before, const cv::Mat &now, const cv::Rect &box, const std::vector<cv::Rect> &covers) {
    // The rim of a box shows road, sky and neighbours.
    cv::Rect inner(box.x + box.width / 12, box.y + box.height / 12, box.width - box.width / 6, box.height - box.height / 6);
    // What moves by more than this between two frames is not followed anyway.
    int margin = std::max(24, std::max(box.width, box.height) / 4);
    cv::Rect around(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin);
    around &= cv::Rect(0, 0, before.cols, before.rows);
    inner &= around;
    if (inner.width < 12 || inner.height < 12) return {};

    std::vector<cv::Point2f> corners, ahead, back;
    cv::Mat visible = covers.empty() ? cv::Mat() : visiblePart(inner, covers);
    if (!visible.empty() && cv::countNonZero(visible) < leastVisible * inner.area()) return {};
    cv::goodFeaturesToTrack(before(inner), corners, maximumCorners, 0.01, std::max(3.0, std::min(inner.width, inner.height) / 14.0),
                            visible);
    if (int(corners.size()) < minimumCorners) return {};
    cv::Point2f offset(float(inner.x - around.x), float(inner.y - around.y));
    for (auto &c : corners) c += offset;

    std::vector<cv::Mat> pyramidBefore, pyramidNow;
    const cv::Size window(windowPx, windowPx);
    const cv::TermCriteria stop(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 30, 0.005);
    const int levels = 3;
    cv::buildOpticalFlowPyramid(before(around), pyramidBefore, window, levels);
    cv::buildOpticalFlowPyramid(now(around), pyramidNow, window, levels);
    std::vector<uint8_t> found, foundBack;
    cv::calcOpticalFlowPyrLK(pyramidBefore, pyramidNow, corners, ahead, found, cv::noArray(), window, levels, stop);
    back = corners;
    cv::calcOpticalFlowPyrLK(pyramidNow, pyramidBefore, ahead, back, foundBack, cv::noArray(), window, levels, stop,
                             cv::OPTFLOW_USE_INITIAL_FLOW);

    std::vector<Pair> pairs;
    for (size_t i = 0; i < corners.size(); ++i) {
        if (!found[i] || !foundBack[i]) continue;
        cv::Point2f error = back[i] - corners[i];
        if (std::hypot(error.x, error.y) > returnTolerancePx) continue;
        pairs.push_back({cv::Point2d(corners[i]) + cv::Point2d(around.tl()), cv::Point2d(ahead[i]) + cv::Point2d(around.tl())});
    }
    return pairs;
}

/// Median ratio of the distances between far corners: right as long as half of the corners sit on the thing.
bool roughScale(const std::vector<Pair> &pairs, double far, double &scale) {
    std::vector<double> ratios;
    for (size_t i = 0; i < pairs.size(); ++i)
        for (size_t j = i + 1; j < pairs.size(); ++j) {
            double before = cv::norm(pairs[i].from - pairs[j].from);
            if (before >= far) ratios.push_back(cv::norm(pairs[i].to - pairs[j].to) / before);
        }
    if (ratios.size() < minimumCorners) return false;
    scale = median(std::move(ratios));
    return scale > 0.5 && scale < 2;
}

/// Scale and shift about `centre`: to = centre + shift + scale * (from - centre).
bool fit(const std::vector<Pair> &pairs, cv::Point2d centre, double far, vision_motion &motion) {
    double scale = 1;
    if (!roughScale(pairs, far, scale)) return false;
    std::vector<double> xs, ys;
    for (const Pair &p : pairs) {
        xs.push_back(p.to.x - centre.x - scale * (p.from.x - centre.x));
        ys.push_back(p.to.y - centre.y - scale * (p.from.y - centre.y));
    }
    cv::Point2d shift(median(xs), median(ys));

    double sigma = 0, spread = 0;
    int inliers = 0;
    for (int round = 0; round < 6; ++round) {
        std::vector<double> residuals;
        for (const Pair &p : pairs) {
            cv::Point2d r = p.to - (centre + shift + scale * (p.from - centre));
            residuals.push_back(std::hypot(r.x, r.y));
        }
        // The median of a Rayleigh-distributed length is 1.1774 times the standard deviation of each coordinate.
        sigma = std::max(floorPx, median(residuals) / 1.1774);
        double weights = 0;
        cv::Point2d from(0, 0), to(0, 0);
        std::vector<double> weight(pairs.size(), 0);
        inliers = 0;
        for (size_t i = 0; i < pairs.size(); ++i) {
            double u = residuals[i] / (outlierSds * sigma);
            if (u >= 1) continue;
            ++inliers;
            weight[i] = (1 - u * u) * (1 - u * u); // Tukey's biweight
            weights += weight[i];
            from += weight[i] * pairs[i].from;
            to += weight[i] * pairs[i].to;
        }
        if (inliers < minimumCorners) return false;
        from *= 1 / weights;
        to *= 1 / weights;
        double cross = 0;
        spread = 0;
        for (size_t i = 0; i < pairs.size(); ++i) {
            cv::Point2d a = pairs[i].from - from, b = pairs[i].to - to;
            cross += weight[i] * a.dot(b);
            spread += weight[i] * a.dot(a);
        }
        if (spread <= 0) return false;
        scale = cross / spread;
        shift = to - centre - scale * (from - centre);
    }
    if (scale <= 0.5 || scale >= 2) return false;
    motion.log_scale = std::log(scale);
    motion.log_scale_sd = sigma / std::sqrt(spread) / scale;
    motion.shift_x = shift.x;
    motion.shift_y = shift.y;
    motion.followed = int32_t(pairs.size());
    motion.inliers = inliers;
    return true;
}

} // namespace

vision_motion_meter *vision_motion_create(void) { return new (std::nothrow) vision_motion_meter; }
void vision_motion_destroy(vision_motion_meter *meter) { delete meter; }

vision_status vision_motion_offer(vision_motion_meter *meter, const vision_image *frame, int32_t *repeated, vision_error *error) {
    *repeated = 0;
    return vision_guard(error, [&] {
        cv::Mat next = grey(frame->mat);
        if (next.size() == meter->now.size() && repeats(meter->now, next)) {
            *repeated = 1;
            return VISION_OK;
        }
        meter->before = meter->now;
        meter->now = next;
        return VISION_OK;
    });
}

vision_status vision_motion_measure(vision_motion_meter *meter, vision_rectangle wanted, const vision_rectangle *covers,
                                    size_t count, vision_motion *motion, vision_error *error) {
    return vision_guard(error, [&] {
        if (meter->before.empty() || meter->before.size() != meter->now.size()) return VISION_NOT_FOUND;
        if (!isSane(wanted)) return VISION_BAD_ARGUMENT;
        cv::Rect box = rounded(wanted) & cv::Rect(0, 0, meter->now.cols, meter->now.rows);
        if (box.width < 12 || box.height < 12) return VISION_NOT_FOUND;
        std::vector<cv::Rect> hidden;
        for (size_t i = 0; i < count; ++i)
            if (isSane(covers[i])) hidden.push_back(rounded(covers[i]));
        std::vector<Pair> pairs = follow(meter->before, meter->now, box, hidden);
        if (int(pairs.size()) < minimumCorners) return VISION_NOT_FOUND;
        cv::Point2d centre(wanted.x + wanted.width / 2, wanted.y + wanted.height / 2);
        return fit(pairs, centre, 0.25 * std::max(box.width, box.height), *motion) ? VISION_OK : VISION_NOT_FOUND;
    });
}
