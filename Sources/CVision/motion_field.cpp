#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <vector>

#include "motion_internal.hpp"

namespace {

// Width at which the scene is looked at: cheap, and a tenth of a pixel here is 0.01 degrees for a 60 degree lens.
constexpr int fieldWidth = 480;
// Corners are taken cell by cell, so that the dull road gets its share beside the houses.
constexpr int columns = 8, rows = 5, cornersPerCell = 5;
// Smallest eigenvalue of a corner's gradient matrix (cornerMinEigenVal, block 3): below it there is only noise.
constexpr double leastEigenvalue = 1e-4;
// A corner that does not come back to within this many (small) pixels was not followed.
constexpr float returnTolerancePx = 0.3f;

std::vector<cv::Point2f> corners(const cv::Mat &picture, const std::vector<cv::Rect> &covers) {
    cv::Mat strength;
    cv::cornerMinEigenVal(picture, strength, 3, 3);
    for (const cv::Rect &cover : covers) {
        cv::Rect part = cover & cv::Rect(0, 0, strength.cols, strength.rows);
        if (part.area() > 0) strength(part).setTo(0);
    }
    std::vector<cv::Point2f> found;
    const int spacing = 6;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            cv::Rect cell(column * picture.cols / columns, row * picture.rows / rows, picture.cols / columns, picture.rows / rows);
            cv::Mat part = strength(cell);
            for (int n = 0; n < cornersPerCell; ++n) {
                double best = 0;
                cv::Point at;
                cv::minMaxLoc(part, nullptr, &best, nullptr, &at);
                if (best < leastEigenvalue) break;
                found.emplace_back(float(cell.x + at.x), float(cell.y + at.y));
                cv::Rect taken(at.x - spacing, at.y - spacing, 2 * spacing + 1, 2 * spacing + 1);
                part(taken & cv::Rect(0, 0, part.cols, part.rows)).setTo(0);
            }
        }
    return found;
}

} // namespace

vision_status vision_motion_field(vision_motion_meter *meter, const vision_rectangle *covers, size_t count, vision_flow *flows,
                                  size_t capacity, size_t *found, vision_error *error) {
    *found = 0;
    return vision_guard(error, [&] {
        if (meter->now.empty()) return VISION_OK;
        const double scale = std::min(1.0, double(fieldWidth) / meter->now.cols);
        cv::Mat now;
        cv::resize(meter->now, now, cv::Size(), scale, scale, cv::INTER_AREA);
        cv::Mat before = meter->fieldBefore;
        meter->fieldBefore = now;
        if (before.size() != now.size() || before.rows < 2 * rows || before.cols < 2 * columns) return VISION_OK;

        std::vector<cv::Rect> hidden;
        for (size_t i = 0; i < count; ++i)
            if (isSane(covers[i])) {
                vision_rectangle r = covers[i];
                // A little more than the box, which was seen a moment earlier or later.
                hidden.push_back(rounded({(r.x - 0.1 * r.width) * scale, (r.y - 0.1 * r.height) * scale, 1.2 * r.width * scale,
                                          1.2 * r.height * scale}));
            }
        std::vector<cv::Point2f> from = corners(before, hidden), to, back;
        if (from.empty()) return VISION_OK;
        const cv::Size window(13, 13);
        const cv::TermCriteria stop(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 20, 0.01);
        const int levels = 3;
        std::vector<cv::Mat> pyramidBefore, pyramidNow;
        cv::buildOpticalFlowPyramid(before, pyramidBefore, window, levels);
        cv::buildOpticalFlowPyramid(now, pyramidNow, window, levels);
        std::vector<uint8_t> ok, okBack;
        cv::calcOpticalFlowPyrLK(pyramidBefore, pyramidNow, from, to, ok, cv::noArray(), window, levels, stop);
        back = from;
        cv::calcOpticalFlowPyrLK(pyramidNow, pyramidBefore, to, back, okBack, cv::noArray(), window, levels, stop,
                                 cv::OPTFLOW_USE_INITIAL_FLOW);
        for (size_t i = 0; i < from.size() && *found < capacity; ++i) {
            cv::Point2f error = back[i] - from[i];
            if (!ok[i] || !okBack[i] || std::hypot(error.x, error.y) > returnTolerancePx) continue;
            cv::Point2f moved = to[i] - from[i];
            flows[(*found)++] = {from[i].x / scale, from[i].y / scale, moved.x / scale, moved.y / scale};
        }
        return VISION_OK;
    });
}
