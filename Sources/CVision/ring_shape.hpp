// Measures a ring or a disc around a centre. Not visible to Swift.
#pragma once
#include <cmath>
#include <optional>

#include "sign_candidate.hpp"
#include "sign_planes.hpp"

/// A centre that edges voted for.
struct RingCentre {
    float x, y;
    /// Outer radius of a ring, radius of the pale face of a disc.
    float radius;
    /// Votes over the circumference in pixels.
    float votes;
    /// Whether edges of paleness voted, not of redness.
    bool isDisc;

    /// Whether `other` says the same.
    bool repeats(const RingCentre &other) const {
        return isDisc == other.isDisc && std::hypot(x - other.x, y - other.y) < 0.5f * other.radius && radius < 1.5f * other.radius &&
               other.radius < 1.5f * radius;
    }
};

/// The sign around `centre`: an ellipse fitted to where its ring ends along rays, and the log odds of a limit sign. Nothing where
/// too few rays see an edge. Boxes are multiplied by `scale`.
std::optional<SignCandidate> measureRing(const SignPlanes &planes, const RingCentre &centre, float scale);
