// Finds pale upright plates by shape. Not visible to Swift.
#pragma once
#include <array>
#include <vector>

#include "plate_shape.hpp"
#include "sign_candidate.hpp"

/// Finds the speed plates of North America: four straight sides, each paler inwards (the white face within its black border), higher
/// than wide, with something dark written on them. Keeps its buffers from picture to picture.
class PlateFinder {
  public:
    /// Plates from `leastSide` pixels in height up to the picture's, best first, at most `most`.
    std::vector<SignCandidate> find(const cv::Mat &picture, float leastSide, size_t most);

  private:
    /// The sides of a plate by where its face lies from them.
    enum Side { left, right, top, bottom };
    /// Four sides that may be a plate's, in pixels of an octave.
    struct Outline {
        cv::Rect2f box;
        PlateSides sides;
        float score;
    };
    struct Octave {
        cv::Mat grey, dx, dy;
        /// 1 where an edge of that side is, 0 elsewhere.
        std::array<cv::Mat, 4> edges;
        /// For the upright sides: how many edges there are above, column by column.
        std::array<cv::Mat, 2> above;
    };

    void markEdges(Octave &octave);
    /// Looks for plates in one octave; their boxes are multiplied by `scale`.
    void search(const Octave &octave, float scale, float leastSide, std::vector<SignCandidate> &found);
    /// Looks for right sides of what has a left side at `x` from `y` on.
    void pair(const Octave &octave, int x, int y, int height);
    /// Follows two upright sides to their ends and looks for the level ones there; returns the row below the lower end.
    int follow(const Octave &octave, int x, int end, int from, int to);

    /// Of the widest plate of the largest height.
    static constexpr int mostWidth = 46;
    /// For each column and width: the row up to which that pair of sides has been followed.
    std::vector<int16_t> followed_;
    std::vector<Outline> outlines_;
    std::vector<Octave> octaves_;
};
