// What the plate search measures of every outline that it judges: `features LIST > features.f32`, LIST with a picture's path a line. For each outline
// 32-bit floats: the line's number, its box in pixels of the picture, the features of plate_shape.cpp. The search is the product's own:
//   clang++ -std=c++17 -O2 -I Sources/CVision -I Sources/CVision/include -I /usr/include/opencv4 training/plate_score/features.cpp \
//       Sources/CVision/sign_planes.cpp -o features -lopencv_core -lopencv_imgproc -lopencv_imgcodecs
#include <cstdio>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>

#include "plate_shape.cpp"

namespace {
/// The number of the picture and how much smaller than that the searched one is.
float number = 0;
double shrink = 1;
int searchedColumns = 0;
}  // namespace

/// Stands in for `plateScore` in the search: writes down what is judged.
static float recordedScore(const cv::Mat &grey, const cv::Rect2f &box, const PlateSides &sides) {
    const float scale = float(shrink) * float(searchedColumns) / float(grey.cols);
    const float place[] = {number, box.x * scale, box.y * scale, box.width * scale, box.height * scale};
    const Features features = measureFeatures(grey, box, sides);
    std::fwrite(place, sizeof(float), 5, stdout);
    std::fwrite(features.data(), sizeof(float), features.size(), stdout);
    return plateScore(grey, box, sides);
}

#define plateScore recordedScore
#include "sign_plates.cpp"

int main(int argc, char **argv) {
    std::ifstream list(argc > 1 ? argv[1] : "");
    if (!list) return std::fprintf(stderr, "features: name a list of pictures\n"), 66;
    cv::setNumThreads(1);
    PlateFinder finder;
    for (std::string path; std::getline(list, path); ++number) {
        cv::Mat picture = cv::imread(path);
        if (picture.empty()) return std::fprintf(stderr, "features: %s is no picture\n", path.c_str()), 66;
        // As sign_finder.cpp does: the upper 80 %, at most as many pixels as 960 x 540.
        cv::Mat part = picture.rowRange(0, int(picture.rows * 0.8));
        shrink = std::sqrt(std::max(1.0, double(picture.total()) / (960.0 * 540.0)));
        cv::resize(part, part, cv::Size(), 1 / shrink, 1 / shrink, cv::INTER_LINEAR);
        searchedColumns = part.cols;
        finder.find(part, std::max(13.0f, float(14 / shrink)), 6);
    }
}
