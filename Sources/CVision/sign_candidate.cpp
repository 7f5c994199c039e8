#include "sign_candidate.hpp"

#include <algorithm>

std::vector<SignCandidate> best(std::vector<SignCandidate> candidates, size_t most) {
    // Above this they are two measurements of one sign.
    constexpr float sameSign = 0.5f;
    std::sort(candidates.begin(), candidates.end(), [](const SignCandidate &a, const SignCandidate &b) { return a.score > b.score; });
    std::vector<SignCandidate> kept;
    for (const SignCandidate &c : candidates) {
        if (kept.size() >= most) break;
        if (std::none_of(kept.begin(), kept.end(), [&](const SignCandidate &k) { return overlap(c.box, k.box) > sameSign; })) kept.push_back(c);
    }
    return kept;
}
