#include "vision_inspection.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <vector>

#include "canvas.hpp"
#include "vision_internal.hpp"

namespace {

cv::Mat grey(const cv::Mat &picture) {
    if (picture.channels() == 1) return picture;
    cv::Mat result;
    cv::cvtColor(picture, result, cv::COLOR_BGR2GRAY);
    return result;
}

/// The picture in grey, `width` pixels wide; smaller ones stay as they are.
cv::Mat small_grey(const cv::Mat &picture, int width) {
    if (picture.cols <= width) return grey(picture);
    cv::Mat small;
    const int height = std::max(1, cvRound(double(picture.rows) * width / picture.cols));
    cv::resize(picture, small, cv::Size(width, height), 0, 0, cv::INTER_AREA);
    return grey(small);
}

/// Mean of the squared differences between neighbours.
double gradient_energy(const cv::Mat &picture) {
    double sum = 0;
    for (int y = 0; y + 1 < picture.rows; ++y) {
        const uint8_t *row = picture.ptr<uint8_t>(y), *below = picture.ptr<uint8_t>(y + 1);
        int64_t line = 0;
        for (int x = 0; x + 1 < picture.cols; ++x) {
            const int dx = row[x + 1] - row[x], dy = below[x] - row[x];
            line += dx * dx + dy * dy;
        }
        sum += double(line);
    }
    return sum / std::max(1.0, double(picture.rows - 1) * double(picture.cols - 1));
}

}  // namespace

uint64_t vision_inspect_digest(const vision_image *image) {
    const cv::Mat &mat = image->mat;
    const size_t bytes = size_t(mat.cols) * mat.elemSize();
    uint64_t sum = 0xcbf29ce484222325ULL ^ (uint64_t(mat.cols) << 32 | uint64_t(mat.rows));
    for (int y = 0; y < mat.rows; y += 4) {
        const uint8_t *row = mat.ptr<uint8_t>(y);
        for (size_t x = 0; x + 8 <= bytes; x += 8) {
            uint64_t word;
            std::memcpy(&word, row + x, 8);
            sum = (sum ^ word) * 0x9E3779B97F4A7C15ULL;
            sum ^= sum >> 32;
        }
    }
    return sum;
}

vision_status vision_inspect(const vision_image *image, vision_look *look, vision_error *error) {
    return vision_guard(error, [&] {
        const cv::Mat fine = small_grey(image->mat, 480);
        if (fine.cols < 16 || fine.rows < 9) return VISION_BAD_ARGUMENT;
        look->mean = cv::mean(fine)[0];
        // Sensor noise is smoothed away first: a covered lens at night is noisy, not structured.
        cv::Mat smooth, quarter;
        cv::GaussianBlur(fine, smooth, cv::Size(), 2);
        int flat = 0;
        for (int j = 0; j < 9; ++j)
            for (int i = 0; i < 16; ++i) {
                const int left = i * fine.cols / 16, top = j * fine.rows / 9;
                const cv::Rect tile(left, top, (i + 1) * fine.cols / 16 - left, (j + 1) * fine.rows / 9 - top);
                double low = 0, high = 0;
                cv::minMaxLoc(smooth(tile), &low, &high);
                if (high - low < 8) ++flat;
            }
        look->flat_share = flat / 144.0;
        cv::resize(fine, quarter, cv::Size(std::max(2, fine.cols / 4), std::max(2, fine.rows / 4)), 0, 0, cv::INTER_AREA);
        const double coarse = gradient_energy(quarter);
        look->sharpness = coarse > 0 ? 16 * gradient_energy(fine) / coarse : 1;
        return VISION_OK;
    });
}

vision_status vision_inspect_drift(const vision_image *before, const vision_image *now, vision_drift *drift, vision_error *error) {
    return vision_guard(error, [&] {
        if (before->mat.size() != now->mat.size()) return VISION_NOT_FOUND;
        const cv::Mat a = small_grey(before->mat, 480), b = small_grey(now->mat, 480);
        std::vector<cv::Point2f> corners, ahead, back;
        cv::goodFeaturesToTrack(a, corners, 200, 0.01, 8);
        if (corners.size() < 30) return VISION_NOT_FOUND;
        std::vector<uint8_t> found, returned;
        cv::calcOpticalFlowPyrLK(a, b, corners, ahead, found, cv::noArray(), cv::Size(15, 15), 3);
        back = corners;
        cv::calcOpticalFlowPyrLK(b, a, ahead, back, returned, cv::noArray(), cv::Size(15, 15), 3,
                                 cv::TermCriteria(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 30, 0.01),
                                 cv::OPTFLOW_USE_INITIAL_FLOW);
        struct Flow {
            cv::Point2d at, along;
        };
        std::vector<Flow> flows;
        for (size_t i = 0; i < corners.size(); ++i) {
            if (!found[i] || !returned[i] || cv::norm(back[i] - corners[i]) > 0.5) continue;
            const cv::Point2d step(ahead[i] - corners[i]);
            const double length = cv::norm(step);
            // What moves less says nothing about its direction.
            if (length > 0.7) flows.push_back({cv::Point2d(corners[i]), step / length});
        }
        drift->moving = int32_t(flows.size());
        if (flows.size() < 25) return VISION_NOT_FOUND;
        // The point that most flows lead away from: two lines make a candidate, the best of 300 wins.
        const double within = std::cos(12 * CV_PI / 180);
        size_t best = 0;
        cv::Point2d focus;
        for (uint64_t turn = 0; turn < 300; ++turn) {
            const Flow &p = flows[canvas::random(1, turn) % flows.size()], &q = flows[canvas::random(2, turn) % flows.size()];
            const double cross = p.along.x * q.along.y - p.along.y * q.along.x;
            if (std::abs(cross) < 0.05) continue;
            const cv::Point2d between = q.at - p.at;
            const cv::Point2d meeting = p.at + p.along * ((between.x * q.along.y - between.y * q.along.x) / cross);
            size_t agreeing = 0;
            for (const Flow &f : flows) {
                const cv::Point2d away = f.at - meeting;
                const double length = cv::norm(away);
                if (length < 8 || away.dot(f.along) > within * length) ++agreeing;
            }
            if (agreeing > best) best = agreeing, focus = meeting;
        }
        drift->expanding = double(best) / double(flows.size());
        drift->focus_x = focus.x / a.cols;
        drift->focus_y = focus.y / a.rows;
        return VISION_OK;
    });
}

vision_status vision_find_plates(const vision_image *image, vision_rectangle *out, size_t capacity, size_t *count, vision_error *error) {
    *count = 0;
    return vision_guard(error, [&] {
        const cv::Mat picture = grey(image->mat);
        cv::Mat strokes, mask;
        // Upright strokes close together: the horizontal gradient, joined along the line of writing (Zheng, Zhao, Wang 2005).
        cv::Sobel(picture, strokes, CV_16S, 1, 0, 3);
        cv::convertScaleAbs(strokes, strokes, 0.5);
        for (const int join : {9, 17, 31}) {
            cv::morphologyEx(strokes, mask, cv::MORPH_CLOSE, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(join, join / 5 + 1)));
            cv::morphologyEx(mask, mask, cv::MORPH_OPEN, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(join, join / 3)));
            cv::threshold(mask, mask, 60, 255, cv::THRESH_BINARY);
            std::vector<std::vector<cv::Point>> outlines;
            cv::findContours(mask, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
            for (const auto &outline : outlines) {
                const cv::Rect box = cv::boundingRect(outline);
                const double aspect = double(box.width) / box.height;
                if (box.height < 8 || box.height > 90 || aspect < 1.6 || aspect > 8) continue;
                if (cv::contourArea(outline) < 0.55 * box.area()) continue;
                cv::Scalar mean, scatter;
                cv::meanStdDev(picture(box), mean, scatter);
                if (scatter[0] < 25) continue;
                // A line of characters crosses the middle grey many times.
                const uint8_t *row = picture.ptr<uint8_t>(box.y + box.height / 2) + box.x;
                int crossings = 0;
                for (int x = 1; x < box.width; ++x) crossings += (row[x] > mean[0]) != (row[x - 1] > mean[0]);
                if (crossings < 6) continue;
                if (*count == capacity) return VISION_OK;
                out[(*count)++] = {double(box.x), double(box.y), double(box.width), double(box.height)};
            }
        }
        return VISION_OK;
    });
}
