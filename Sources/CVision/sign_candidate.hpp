// A place in a picture where a sign may be. Not visible to Swift.
#pragma once
#include <algorithm>
#include <opencv2/core.hpp>
#include <vector>

struct SignCandidate {
    cv::Rect2f box;
    /// Log odds of a limit sign, by shape and colour alone.
    float score = 0;
    bool isPlate = false;
};

/// How much of the union of two boxes is common, 0...1.
inline float overlap(const cv::Rect2f &a, const cv::Rect2f &b) {
    const float common = (a & b).area();
    return common / (a.area() + b.area() - common);
}

/// Above this share of overlap two candidates are measurements of one sign.
constexpr float sameSign = 0.5f;

/// The best `most` candidates, best first, without those that overlap a better one by more than `same`; anything with a `box` and a `score`.
template <typename Candidate>
std::vector<Candidate> best(std::vector<Candidate> candidates, size_t most, float same = sameSign) {
    std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) { return a.score > b.score; });
    std::vector<Candidate> kept;
    for (const Candidate &c : candidates) {
        if (kept.size() >= most) break;
        if (std::none_of(kept.begin(), kept.end(), [&](const Candidate &k) { return overlap(c.box, k.box) > same; })) kept.push_back(c);
    }
    return kept;
}
