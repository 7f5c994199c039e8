#include "canvas.hpp"

#include <cmath>

namespace canvas {

void blend_row(uint8_t *to, const uint8_t *from, int n, const uint8_t *coverage, const uint8_t *haze_weight, int haze_step,
               const int haze[3]) {
    for (int i = 0; i < n; ++i, to += 3, from += 4, haze_weight += haze_step) {
        int alpha = from[3];
        const int cover = coverage ? coverage[i] : 255;
        if (alpha == 0 || cover == 0) continue;
        const int weight = *haze_weight;
        for (int c = 0; c < 3; ++c) {
            int value = div255(from[c] * (255 - weight) + div255(haze[c] * alpha) * weight);
            to[c] = uint8_t(div255(value * cover + to[c] * (255 - div255(alpha * cover))));
        }
    }
}

namespace {

constexpr int fraction_bits = 8;

/// Antialiased coverage of a polygon within `area` of the plane, softened by a Gaussian.
cv::Mat polygon_mask(const vision_point *points, int32_t count, const cv::Rect &area, double softness) {
    std::vector<cv::Point> scaled;
    for (int32_t i = 0; i < count; ++i) {
        // Pixel i covers [i, i+1); fillPoly's coordinates name pixel centres.
        scaled.emplace_back(cvRound((points[i].x - area.x - 0.5) * (1 << fraction_bits)),
                            cvRound((points[i].y - area.y - 0.5) * (1 << fraction_bits)));
    }
    cv::Mat mask = cv::Mat::zeros(area.size(), CV_8UC1);
    cv::fillPoly(mask, std::vector<std::vector<cv::Point>>{scaled}, 255, cv::LINE_AA, fraction_bits);
    if (softness > 0.3) cv::GaussianBlur(mask, mask, cv::Size(), softness);
    return mask;
}

cv::Rect bounds(const vision_point *points, int32_t count, double margin, const cv::Size &size) {
    double left = points[0].x, right = left, top = points[0].y, bottom = top;
    for (int32_t i = 1; i < count; ++i) {
        left = std::min(left, points[i].x), right = std::max(right, points[i].x);
        top = std::min(top, points[i].y), bottom = std::max(bottom, points[i].y);
    }
    auto cut = [](double value) { return int(std::clamp(value, -1e6, 1e6)); };
    const int x = cut(std::floor(left - margin)), y = cut(std::floor(top - margin));
    return cv::Rect(x, y, cut(std::ceil(right + margin)) - x, cut(std::ceil(bottom + margin)) - y) & cv::Rect(cv::Point(), size);
}

/// Lays a colour that runs from top to bottom over a premultiplied picture where `mask` allows it.
void cover(cv::Mat target, const cv::Mat &mask, int first_row, double upper, double lower, vision_colour top, vision_colour bottom) {
    const float from[4] = {top.blue, top.green, top.red, top.alpha};
    const float to[4] = {bottom.blue, bottom.green, bottom.red, bottom.alpha};
    for (int y = 0; y < target.rows; ++y) {
        const double t = std::clamp((first_row + y + 0.5 - upper) / std::max(1.0, lower - upper), 0.0, 1.0);
        float colour[4];
        for (int c = 0; c < 4; ++c) colour[c] = float(from[c] + (to[c] - from[c]) * t);
        uint8_t *row = target.ptr<uint8_t>(y);
        const uint8_t *weights = mask.ptr<uint8_t>(y);
        for (int x = 0; x < target.cols; ++x) {
            if (weights[x] == 0) continue;
            const float alpha = colour[3] * float(weights[x]) / 255;
            uint8_t *pixel = row + 4 * x;
            for (int c = 0; c < 3; ++c) pixel[c] = cv::saturate_cast<uint8_t>(colour[c] * alpha + pixel[c] * (1 - alpha));
            pixel[3] = cv::saturate_cast<uint8_t>(255 * alpha + pixel[3] * (1 - alpha));
        }
    }
}

/// Smooth noise in -1...1 that repeats at the edges.
cv::Mat smooth_noise(uint64_t seed, const cv::Size &size, double cell_x, double cell_y) {
    const int columns = std::max(2, cvRound(size.width / cell_x)), rows = std::max(2, cvRound(size.height / cell_y));
    constexpr int wrap = 2;
    cv::Mat grid(rows + 2 * wrap, columns + 2 * wrap, CV_32FC1);
    for (int y = 0; y < grid.rows; ++y)
        for (int x = 0; x < grid.cols; ++x) {
            const int row = (y + rows - wrap) % rows, column = (x + columns - wrap) % columns;
            grid.at<float>(y, x) = float(2 * uniform(seed, uint64_t(row) * uint64_t(columns) + uint64_t(column)) - 1);
        }
    const double scale_x = double(size.width) / columns, scale_y = double(size.height) / rows;
    // Output pixel i samples the grid at (i + 0.5) / scale + wrap - 0.5.
    const cv::Matx23d back(1 / scale_x, 0, 0.5 / scale_x + wrap - 0.5, 0, 1 / scale_y, 0.5 / scale_y + wrap - 0.5);
    cv::Mat noise;
    cv::warpAffine(grid, noise, back, size, cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    return noise;
}

void make_mips(vision_layer &layer) {
    if (!layer.mips.empty()) return;
    layer.mips.push_back(layer.mat);
    while (layer.mips.back().cols > 8 && layer.mips.back().rows > 8) {
        cv::Mat half;
        const cv::Mat &last = layer.mips.back();
        cv::resize(last, half, cv::Size((last.cols + 1) / 2, (last.rows + 1) / 2), 0, 0, cv::INTER_AREA);
        layer.mips.push_back(half);
    }
}

double quad_area(const vision_point *p) {
    double twice = 0;
    for (int i = 0; i < 4; ++i) twice += p[i].x * p[(i + 1) % 4].y - p[(i + 1) % 4].x * p[i].y;
    return std::abs(twice) / 2;
}

}  // namespace
}  // namespace canvas

using namespace canvas;

vision_layer *vision_layer_create(int32_t width, int32_t height) {
    if (width < 1 || height < 1 || width > 32768 || height > 32768) return nullptr;
    vision_layer *layer = nullptr;
    vision_guard(nullptr, [&] {
        layer = new vision_layer{cv::Mat::zeros(height, width, CV_8UC4), {}};
        return VISION_OK;
    });
    return layer;
}

void vision_layer_destroy(vision_layer *layer) { delete layer; }

vision_status vision_layer_polygon(vision_layer *layer, const vision_point *points, int32_t count, vision_colour top, vision_colour bottom,
                                   double softness, vision_error *error) {
    return vision_guard(error, [&] {
        if (count < 3) return VISION_BAD_ARGUMENT;
        layer->mips.clear();
        const cv::Rect area = bounds(points, count, 3 * softness + 2, layer->mat.size());
        if (area.empty()) return VISION_OK;
        double upper = points[0].y, lower = upper;
        for (int32_t i = 1; i < count; ++i) upper = std::min(upper, points[i].y), lower = std::max(lower, points[i].y);
        cover(layer->mat(area), polygon_mask(points, count, area, softness), area.y, upper, lower, top, bottom);
        return VISION_OK;
    });
}

vision_status vision_layer_text(vision_layer *layer, const char *text, double x, double y, double height, double stroke,
                                vision_colour colour, vision_error *error) {
    return vision_guard(error, [&] {
        layer->mips.clear();
        const int thickness = std::max(1, cvRound(stroke));
        const int face = cv::FONT_HERSHEY_SIMPLEX;
        const double scale = cv::getFontScaleFromHeight(face, std::max(1, cvRound(height - stroke)), 1);
        const cv::Size size = cv::getTextSize(text, face, scale, thickness, nullptr);
        cv::Mat mask = cv::Mat::zeros(layer->mat.size(), CV_8UC1);
        cv::putText(mask, text, cv::Point(cvRound(x - size.width / 2.0), cvRound(y + height / 2 - stroke / 2)), face, scale, 255, thickness,
                    cv::LINE_AA);
        cover(layer->mat, mask, 0, 0, layer->mat.rows, colour, colour);
        return VISION_OK;
    });
}

vision_status vision_layer_grain(vision_layer *layer, uint64_t seed, double cell_x, double cell_y, double amplitude, vision_error *error) {
    return vision_guard(error, [&] {
        if (!(cell_x >= 1 && cell_y >= 1)) return VISION_BAD_ARGUMENT;
        layer->mips.clear();
        const cv::Mat noise = smooth_noise(seed, layer->mat.size(), cell_x, cell_y);
        for (int y = 0; y < noise.rows; ++y) {
            uint8_t *pixel = layer->mat.ptr<uint8_t>(y);
            const float *n = noise.ptr<float>(y);
            for (int x = 0; x < noise.cols; ++x, pixel += 4) {
                const float factor = 1 + float(amplitude) * n[x];
                // A premultiplied sample never exceeds its alpha.
                for (int c = 0; c < 3; ++c) pixel[c] = std::min(pixel[3], cv::saturate_cast<uint8_t>(pixel[c] * factor));
            }
        }
        return VISION_OK;
    });
}

vision_status vision_canvas_draw(vision_image *image, vision_layer *layer, const vision_point *corners, vision_colour haze,
                                 vision_error *error) {
    return vision_guard(error, [&] {
        if (image->mat.type() != CV_8UC3) return VISION_BAD_ARGUMENT;
        const cv::Rect area = bounds(corners, 4, 1, image->mat.size());
        const double target = quad_area(corners);
        if (area.empty() || target < 0.25) return VISION_OK;
        make_mips(*layer);
        const double shrink = std::sqrt(double(layer->mat.total()) / target);
        const size_t level = std::min(layer->mips.size() - 1, size_t(std::max(0.0, std::floor(std::log2(std::max(1.0, shrink * 1.05))))));
        const cv::Mat &source = layer->mips[level];
        cv::Point2f from[4] = {{-0.5f, -0.5f},
                               {source.cols - 0.5f, -0.5f},
                               {source.cols - 0.5f, source.rows - 0.5f},
                               {-0.5f, source.rows - 0.5f}};
        cv::Point2f to[4];
        for (int i = 0; i < 4; ++i) to[i] = {float(corners[i].x - 0.5 - area.x), float(corners[i].y - 0.5 - area.y)};
        cv::Mat warped;
        cv::warpPerspective(source, warped, cv::getPerspectiveTransform(from, to), area.size(), cv::INTER_LINEAR, cv::BORDER_CONSTANT);
        const int colour[3] = {cvRound(haze.blue), cvRound(haze.green), cvRound(haze.red)};
        const uint8_t weight = cv::saturate_cast<uint8_t>(haze.alpha * 255);
        cv::Mat part = image->mat(area);
        for (int y = 0; y < area.height; ++y)
            blend_row(part.ptr<uint8_t>(y), warped.ptr<uint8_t>(y), area.width, nullptr, &weight, 0, colour);
        return VISION_OK;
    });
}

vision_status vision_canvas_polygon(vision_image *image, const vision_point *points, int32_t count, vision_colour colour,
                                    vision_error *error) {
    return vision_guard(error, [&] {
        if (count < 3 || image->mat.type() != CV_8UC3) return VISION_BAD_ARGUMENT;
        const cv::Rect area = bounds(points, count, 2, image->mat.size());
        if (area.empty()) return VISION_OK;
        const cv::Mat mask = polygon_mask(points, count, area, 0);
        const float samples[3] = {colour.blue, colour.green, colour.red};
        cv::Mat part = image->mat(area);
        for (int y = 0; y < area.height; ++y) {
            uint8_t *pixel = part.ptr<uint8_t>(y);
            const uint8_t *weight = mask.ptr<uint8_t>(y);
            for (int x = 0; x < area.width; ++x, pixel += 3) {
                const float alpha = colour.alpha * float(weight[x]) / 255;
                for (int c = 0; c < 3; ++c) pixel[c] = cv::saturate_cast<uint8_t>(samples[c] * alpha + pixel[c] * (1 - alpha));
            }
        }
        return VISION_OK;
    });
}

vision_status vision_canvas_blur(vision_image *image, double sigma, vision_error *error) {
    return vision_guard(error, [&] {
        cv::GaussianBlur(image->mat, image->mat, cv::Size(), sigma);
        return VISION_OK;
    });
}

vision_status vision_canvas_fill_noise(vision_image *image, uint64_t seed, double sigma, vision_error *error) {
    return vision_guard(error, [&] {
        uint64_t counter = 0;
        for (int y = 0; y < image->mat.rows; ++y) {
            uint8_t *sample = image->mat.ptr<uint8_t>(y);
            for (int x = 0; x < image->mat.cols * image->mat.channels(); ++x) {
                // The sum of four 16-bit uniforms is normal enough for a sensor (variance 4/12 of a unit uniform's).
                uint64_t bits = random(seed, counter++);
                double sum = 0;
                for (int k = 0; k < 4; ++k, bits >>= 16) sum += double(bits & 0xffff) / 65536;
                sample[x] = cv::saturate_cast<uint8_t>(128 + sigma * (sum - 2) * 1.7320508);
            }
        }
        return VISION_OK;
    });
}

vision_status vision_canvas_add_noise(vision_image *image, const vision_image *noise, int32_t x, int32_t y, vision_error *error) {
    return vision_guard(error, [&] {
        const cv::Rect part(x, y, image->mat.cols, image->mat.rows);
        if ((part & cv::Rect(cv::Point(), noise->mat.size())) != part || noise->mat.type() != image->mat.type())
            return VISION_BAD_ARGUMENT;
        cv::addWeighted(image->mat, 1, noise->mat(part), 1, -128, image->mat);
        return VISION_OK;
    });
}
