// Finds pale upright plates by shape. Not visible to Swift.
#pragma once
#include <array>
#include <vector>

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
    /// A rectangle in whole pixels of an octave.
    struct Frame {
        int x, y, width, height;
    };
    struct Octave {
        cv::Mat grey, dx, dy;
        /// 1 where an edge of that side is, 0 elsewhere.
        std::array<cv::Mat, 4> edges;
        /// For the upright sides: how many edges there are above, column by column.
        std::array<cv::Mat, 2> above;
    };

    void markEdges(Octave &octave);
    void search(const Octave &octave, float scale, float leastSide, std::vector<SignCandidate> &found) const;
    void pair(const Octave &octave, int x, int y, int height, std::vector<SignCandidate> &found) const;

    std::vector<Octave> octaves_;
};
