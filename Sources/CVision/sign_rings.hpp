// Finds round signs by colour and shape. Not visible to Swift.
#pragma once
#include <vector>

#include "ring_shape.hpp"
#include "sign_candidate.hpp"
#include "sign_planes.hpp"

/// Finds rings that are redder than both sides, and pale discs with a darker rim.
///
/// The edges of redness and of paleness vote for a centre and a radius (fast radial symmetry, Loy and Zelinsky 2003), octave by
/// octave; the winners are measured as ellipses and scored. Keeps its buffers from picture to picture.
class RingFinder {
  public:
    /// Round signs from `leastSide` pixels in height up to the picture's, best first, at most `most`.
    std::vector<SignCandidate> find(const cv::Mat &picture, float leastSide, size_t most);

  private:
    /// Outer radii that are voted for in each octave; half the picture's size doubles them.
    static constexpr size_t radiusCount = 4;
    /// Side of the square of pixels whose votes are counted together.
    static constexpr int cell = 2;
    /// Cells around the picture's, so that no vote of the largest radius falls outside.
    static constexpr int margin = 7;
    /// Where an edge is, in pixels, and the derivatives there.
    struct Gradient {
        int16_t x, y, dx, dy;
    };
    /// Where an edge is, and one pixel towards what is more, both in cells of the plane of votes.
    struct Edge {
        float x, y, ux, uy;
    };

    /// What one halving of the picture works in, kept so that no frame allocates.
    struct Octave {
        cv::Mat picture, dx, dy, votes;
        SignPlanes planes;
        /// The votes of one radius, `margin` included.
        cv::Mat votesOf(size_t bin) const { return votes.rowRange(int(bin) * votes.rows / int(radiusCount), int(bin + 1) * votes.rows / int(radiusCount)); }
    };

    std::vector<RingCentre> search(Octave &octave, float least);
    void collectEdges(Octave &octave, const cv::Mat &plane, int floor, int share64);
    /// Makes `edges_` of `gradients_`.
    void pointEdges();
    template <size_t Count>
    void vote(Octave &octave, size_t bin, const float (&distances)[Count]);

    /// Adds the peaks of votes in `plane` for `radius`.
    static void gatherPeaks(const cv::Mat &plane, float radius, float least, bool isDisc, std::vector<RingCentre> &found);

    std::vector<Octave> octaves_;
    /// The edges of the latest `collectEdges`, `edgeCount_` of them.
    std::vector<Gradient> gradients_;
    std::vector<Edge> edges_;
    size_t edgeCount_ = 0;
};
