// Textured planes along the direction of travel. Everything on such a plane at one distance has one size, so the texture is scaled
// down once for each band of distances (apart along and across, as the road foreshortens) and then sampled.
#include <algorithm>
#include <cmath>

#include "canvas.hpp"

namespace {

/// Image rows (ground) or columns (wall) that share one size of the texture.
struct Band {
    int from;
    int to;
    cv::Rect area;   // the part of the image where the band can be seen
    cv::Mat texture;
    cv::Mat across;  // CV_32FC1, of the area's size: texture row of each pixel
    double columns_per_m;
};

/// Narrow bands of a wall have little sky above them.
constexpr int widest_wall_band = 48;

}  // namespace

struct vision_plane {
    vision_plane_view view;
    std::vector<Band> bands;
    cv::Mat coverage;               // CV_8UC1, whole image
    std::vector<double> distances;  // of each row (ground) or column (wall); 0 where the plane is not seen
    std::vector<uint8_t> haze;      // likewise
};

namespace {

bool is_ground(const vision_plane_view &view) { return view.kind == VISION_PLANE_GROUND; }

/// Distance at which the ray of a column meets a wall that bends with the road: offset + curvature z^2 / 2 = slope z, the nearer root.
double wall_distance(const vision_plane_view &view, double slope) {
    if (std::abs(view.curvature_per_m) < 1e-9) return view.offset_m / slope;
    const double root = slope * slope - 2 * view.curvature_per_m * view.offset_m;
    if (root < 0) return 0;
    // Written so that no two nearly equal numbers are subtracted.
    const double q = slope + (slope < 0 ? -std::sqrt(root) : std::sqrt(root));
    const double first = q / view.curvature_per_m, second = 2 * view.offset_m / q;
    if (first <= 0) return second;
    return second <= 0 ? first : std::min(first, second);
}

double distance_at(const vision_plane_view &view, int line) {
    const double z = is_ground(view) ? view.focal_px * view.camera_height_m / (line + 0.5 - view.centre_y)
                                     : wall_distance(view, (line + 0.5 - view.centre_x) / view.focal_px);
    return z > 0 && z < 3000 ? z : 0;
}

/// Metres of plane that one pixel covers along the road and across it at distance `z`.
double along_per_px(const vision_plane_view &view, double z) {
    return z * z / (view.focal_px * (is_ground(view) ? view.camera_height_m : std::abs(view.offset_m)));
}

int halvings(double texels_per_px, int size) {
    const int wanted = int(std::floor(std::log2(std::max(1.0, texels_per_px * 1.2))));
    return std::clamp(wanted, 0, int(std::log2(std::max(1, size / 4))));
}

/// Where in the plane (m across) the ray of a pixel meets it at distance `z`.
double across_at(const vision_plane_view &view, int other, double z) {
    return is_ground(view) ? (other + 0.5 - view.centre_x) * z / view.focal_px - view.curvature_per_m * z * z / 2
                           : view.camera_height_m - (other + 0.5 - view.centre_y) * z / view.focal_px;
}

/// Where lines `from` to `to` of a plane can be seen: all of the rows of the road, between top and foot in the columns of a wall.
cv::Rect band_area(const vision_plane_view &view, const std::vector<double> &distances, int from, int to) {
    if (is_ground(view)) return cv::Rect(0, from, view.width, to - from);
    const auto first = distances.begin() + from, last = distances.begin() + to;
    const double scale = view.focal_px / *std::min_element(first, last);
    const double top = view.centre_y - std::max(0.0, view.across_from - view.camera_height_m) * scale;
    const double foot = view.centre_y + view.camera_height_m * scale;
    auto row = [&](double y) { return int(std::clamp(y, 0.0, double(view.height))); };
    return cv::Rect(from, row(std::floor(top) - 1), to - from, row(std::ceil(foot) + 1) - row(std::floor(top) - 1));
}

Band make_band(const vision_plane_view &view, const cv::Mat &texture, const std::vector<double> &distances, int from, int to, int along,
               int across) {
    Band band{from, to, band_area(view, distances, from, to), {}, {}, 0};
    cv::resize(texture, band.texture, cv::Size(texture.cols >> along, texture.rows >> across), 0, 0, cv::INTER_AREA);
    band.columns_per_m = band.texture.cols / view.length_m;
    const bool ground = is_ground(view);
    band.across.create(band.area.size(), CV_32FC1);
    const double rows_per_m = band.texture.rows / (view.across_to - view.across_from);
    for (int y = 0; y < band.across.rows; ++y)
        for (int x = 0; x < band.across.cols; ++x) {
            const double m = across_at(view, ground ? x : band.area.y + y, distances[size_t(from + (ground ? y : x))]);
            band.across.at<float>(y, x) = float(std::clamp((m - view.across_from) * rows_per_m - 0.5, 0.0, band.texture.rows - 1.0));
        }
    return band;
}

void measure(vision_plane &plane, int lines) {
    const vision_plane_view &view = plane.view;
    plane.coverage = cv::Mat::zeros(view.height, view.width, CV_8UC1);
    for (int line = 0; line < lines; ++line) {
        const double z = distance_at(view, line);
        plane.distances.push_back(z);
        plane.haze.push_back(cv::saturate_cast<uint8_t>(255 * (1 - std::exp(-z / view.haze_length_m))));
        if (z == 0) continue;
        if (is_ground(view)) {
            plane.coverage.row(line).setTo(255);
            continue;
        }
        // A wall ends at the ground: the pixel that its foot crosses is covered in part.
        const double foot = view.centre_y + view.focal_px * view.camera_height_m / z;
        for (int y = 0; y < view.height; ++y)
            plane.coverage.at<uint8_t>(y, line) = cv::saturate_cast<uint8_t>(255 * std::clamp(foot - y, 0.0, 1.0));
    }
}

}  // namespace

vision_plane *vision_plane_create(const vision_layer *texture, const vision_plane_view *view) {
    if (view->width < 1 || view->height < 1 || !(view->focal_px > 0) || !(view->camera_height_m > 0) || !(view->length_m > 0) ||
        !(view->haze_length_m > 0) || view->across_from == view->across_to || (view->kind == VISION_PLANE_WALL && view->offset_m == 0))
        return nullptr;
    vision_plane *plane = nullptr;
    const vision_status status = vision_guard(nullptr, [&] {
        plane = new vision_plane{*view, {}, {}, {}, {}};
        const int lines = view->kind == VISION_PLANE_GROUND ? view->height : view->width;
        measure(*plane, lines);
        auto sizes = [&](int line) {
            const double z = plane->distances[size_t(line)];
            const double columns_per_m = texture->mat.cols / view->length_m;
            const double rows_per_m = texture->mat.rows / std::abs(view->across_to - view->across_from);
            return std::pair<int, int>{halvings(along_per_px(*view, z) * columns_per_m, texture->mat.cols),
                                       halvings(z / view->focal_px * rows_per_m, texture->mat.rows)};
        };
        for (int line = 0; line < lines;) {
            if (plane->distances[size_t(line)] == 0) {
                ++line;
                continue;
            }
            int end = line + 1;
            const int limit = view->kind == VISION_PLANE_GROUND ? lines : std::min(lines, line + widest_wall_band);
            while (end < limit && plane->distances[size_t(end)] > 0 && sizes(end) == sizes(line)) ++end;
            plane->bands.push_back(make_band(*view, texture->mat, plane->distances, line, end, sizes(line).first, sizes(line).second));
            line = end;
        }
        return VISION_OK;
    });
    if (status != VISION_OK) {
        delete plane;
        return nullptr;
    }
    return plane;
}

void vision_plane_destroy(vision_plane *plane) { delete plane; }

vision_status vision_plane_draw(vision_image *image, const vision_plane *plane, double travelled_m, vision_colour haze,
                                vision_error *error) {
    return vision_guard(error, [&] {
        if (image->mat.type() != CV_8UC3 || image->mat.cols != plane->view.width || image->mat.rows != plane->view.height)
            return VISION_BAD_ARGUMENT;
        const bool ground = is_ground(plane->view);
        const int colour[3] = {cvRound(haze.blue), cvRound(haze.green), cvRound(haze.red)};
        for (const Band &band : plane->bands) {
            if (band.area.empty()) continue;
            cv::Mat along(band.across.size(), CV_32FC1), picture;
            auto column = [&](int line) {
                const double m = plane->distances[size_t(line)] + travelled_m;
                return float(std::fmod(m, plane->view.length_m) * band.columns_per_m - 0.5);
            };
            if (ground) {
                for (int y = 0; y < along.rows; ++y) along.row(y).setTo(column(band.from + y));
            } else {
                for (int x = 0; x < along.cols; ++x) along.at<float>(0, x) = column(band.from + x);
                for (int y = 1; y < along.rows; ++y) along.row(0).copyTo(along.row(y));
            }
            cv::remap(band.texture, picture, along, band.across, cv::INTER_LINEAR, cv::BORDER_WRAP);
            const cv::Rect &area = band.area;
            for (int y = 0; y < area.height; ++y) {
                const uint8_t *weights = plane->haze.data() + (ground ? band.from + y : band.from);
                canvas::blend_row(image->mat.ptr<uint8_t>(area.y + y) + 3 * area.x, picture.ptr<uint8_t>(y), area.width,
                                  plane->coverage.ptr<uint8_t>(area.y + y) + area.x, weights, ground ? 0 : 1, colour);
            }
        }
        return VISION_OK;
    });
}
