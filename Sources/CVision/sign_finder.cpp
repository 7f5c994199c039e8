#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

#include "plate_outline.hpp"
#include "sign_annex.hpp"
#include "sign_plates.hpp"
#include "sign_rings.hpp"
#include "vision_internal.hpp"
#include "vision_signs.h"

struct vision_sign_finder {
    // Larger pictures are made smaller before the search: time a frame stays bounded, and a sign of 20 pixels in 1280 x 720 has 15 left.
    static constexpr double mostPixels = 960.0 * 540.0;
    // Smaller signs cannot be told from noise.
    static constexpr float leastSearchedHeight = 13;

    RingFinder rings;
    PlateFinder plates;
    AnnexFinder annexes;
    cv::Mat smaller;

    std::vector<SignCandidate> search(const cv::Mat &picture, const vision_sign_search &search) {
        if (picture.type() != CV_8UC3) throw std::runtime_error("the picture must have three channels");
        cv::Mat part = picture.rowRange(0, std::clamp(int(std::lround(picture.rows * search.rows)), 1, picture.rows));
        const double shrink = std::sqrt(std::max(1.0, double(picture.total()) / mostPixels));
        if (shrink > 1) {
            // Linear up to a half: averaging over areas finds the same signs and takes five times as long.
            cv::resize(part, smaller, cv::Size(), 1 / shrink, 1 / shrink, shrink > 2 ? cv::INTER_AREA : cv::INTER_LINEAR);
            part = smaller;
        }
        const float least = std::max(leastSearchedHeight, float(search.least_height / shrink));
        std::vector<SignCandidate> found, plate;
        if (search.rounds > 0) found = rings.find(part, least, size_t(search.rounds));
        if (search.plates > 0) plate = plates.find(part, least, size_t(search.plates));
        found.insert(found.end(), plate.begin(), plate.end());
        const float grow = float(shrink);
        for (SignCandidate &c : found) c.box = cv::Rect2f(c.box.x * grow, c.box.y * grow, c.box.width * grow, c.box.height * grow);
        return found;
    }
};

namespace {
/// Whether a sign's box can be worked with in `picture`.
bool isUsable(const cv::Mat &picture, double x, double y, double width, double height) {
    return picture.type() == CV_8UC3 && std::abs(x) < 1e6 && std::abs(y) < 1e6 && width > 0 && width < 1e5 && height > 0 && height < 1e5;
}
}  // namespace

vision_sign_finder *vision_sign_finder_create(void) { return new (std::nothrow) vision_sign_finder; }

void vision_sign_finder_destroy(vision_sign_finder *finder) {
    vision_guard(nullptr, [&] {
        delete finder;
        return VISION_OK;
    });
}

vision_status vision_sign_finder_search(vision_sign_finder *finder, const vision_image *image, vision_sign_search search, vision_sign_candidate *candidates,
                                        int32_t *count, vision_error *error) {
    *count = 0;
    return vision_guard(error, [&] {
        if (search.rounds < 0 || search.plates < 0 || !(search.least_height >= 0) || !(search.rows > 0)) return VISION_BAD_ARGUMENT;
        for (const SignCandidate &c : finder->search(image->mat, search))
            candidates[(*count)++] = {c.box.x, c.box.y, c.box.width, c.box.height, c.score, c.isPlate};
        return VISION_OK;
    });
}

vision_status vision_plate_outline(const vision_image *image, double *x, double *y, double *width, double *height, vision_error *error) {
    return vision_guard(error, [&] {
        if (!isUsable(image->mat, *x, *y, *width, *height)) return VISION_BAD_ARGUMENT;
        const cv::Rect2f outline = plateOutline(image->mat, cv::Rect2f(float(*x), float(*y), float(*width), float(*height)));
        *x = outline.x, *y = outline.y, *width = outline.width, *height = outline.height;
        return VISION_OK;
    });
}

vision_status vision_sign_finder_annex(vision_sign_finder *finder, const vision_image *image, double x, double y, double width, double height, int32_t is_plate,
                                       int32_t is_above, int32_t *is_seen, vision_error *error) {
    *is_seen = 0;
    return vision_guard(error, [&] {
        if (!isUsable(image->mat, x, y, width, height)) return VISION_BAD_ARGUMENT;
        *is_seen = finder->annexes.seen(image->mat, cv::Rect2f(float(x), float(y), float(width), float(height)), is_plate, is_above);
        return VISION_OK;
    });
}
