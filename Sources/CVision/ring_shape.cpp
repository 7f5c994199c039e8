#include "ring_shape.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace {
constexpr size_t rays = 32;
constexpr int mostSteps = 32;
// Radius of a pale face as a share of the sign's, as it is found: between the 0.8 of near signs and the 0.65 of far, blurred ones.
constexpr float faceShare = 0.74f;

/// One ray from a centre: where the ring ends, and how much it differs from what is beside it.
struct Ray {
    float end, contrast;
};

struct Direction {
    float cosine, sine;
};

template <size_t Count>
std::array<Direction, Count> evenDirections(float offset) {
    std::array<Direction, Count> d;
    for (size_t i = 0; i < Count; ++i) {
        const float angle = 2 * float(CV_PI) * (float(i) + offset) / Count;
        d[i] = {std::cos(angle), std::sin(angle)};
    }
    return d;
}

/// Looks outwards for the reddest place near the radius and for the end of it.
Ray lookForRing(const cv::Mat &redness, const RingCentre &c, Direction to) {
    float values[mostSteps];
    const float first = 0.42f * c.radius, step = std::max(0.6f, c.radius * 0.06f);
    const int count = std::min(mostSteps, int((1.5f * c.radius - first) / step) + 1);
    for (int i = 0; i < count; ++i) {
        const float t = first + float(i) * step;
        values[i] = sample(redness, c.x + to.cosine * t, c.y + to.sine * t);
    }
    const int from = int((0.62f * c.radius - first) / step), until = std::min(count - 2, int((1.3f * c.radius - first) / step) + 1);
    const int peak = int(std::max_element(values + from, values + until + 1) - values);
    const float inside = *std::min_element(values, values + std::max(2, from));
    const int lowest = int(std::min_element(values + peak + 1, values + std::min(count, peak + 5 + int(0.25f * c.radius / step))) - values);
    const float half = (values[peak] + values[lowest]) / 2;
    int end = peak + 1;
    while (end < lowest && values[end] > half) ++end;
    const float fall = values[end - 1] - values[end];
    const float part = fall > 0 ? std::clamp((values[end - 1] - half) / fall, 0.0f, 1.0f) : 0.5f;
    return {first + (float(end - 1) + part) * step, values[peak] - std::max(inside, values[lowest])};
}

/// Looks outwards for the steepest fall of paleness near the radius: the end of the face.
Ray lookForFall(const cv::Mat &paleness, const RingCentre &c, Direction to) {
    float values[mostSteps];
    const float first = 0.66f * c.radius, step = std::max(0.5f, c.radius * 0.06f);
    const int count = std::min(mostSteps, int((1.45f * c.radius - first) / step) + 1);
    for (int i = 0; i < count; ++i) {
        const float t = first + float(i) * step;
        values[i] = sample(paleness, c.x + to.cosine * t, c.y + to.sine * t);
    }
    int best = 1;
    float fall = 0;
    for (int i = 1; i + 2 < count; ++i)
        if (const float f = values[i - 1] + values[i] - values[i + 1] - values[i + 2]; f > fall) fall = f, best = i;
    return {first + (float(best) + 0.5f) * step, fall / 2};
}

/// An ellipse with upright axes.
struct Ellipse {
    float x, y, a, b;
};

/// What the fit of an ellipse found.
struct Fit {
    Ellipse ellipse;
    /// Share of the rays that agree with it.
    float agreement;
    /// Mean contrast of the rays, 0...1.
    float contrast;
};

/// Fits an ellipse to the ends of the rays: least squares, twice reweighted by the residuals.
std::optional<Fit> fitEllipse(const SignPlanes &planes, const RingCentre &centre) {
    static const auto directions = evenDirections<rays>(0);
    const float pale = sample(planes.paleness, centre.x, centre.y), wanted = centre.isDisc ? 2.5f + 0.07f * pale : 2 + 0.035f * pale;
    std::array<Ray, rays> seen;
    std::array<float, rays> weights;
    float contrast = 0;
    for (size_t i = 0; i < rays; ++i) {
        seen[i] = centre.isDisc ? lookForFall(planes.paleness, centre, directions[i]) : lookForRing(planes.redness, centre, directions[i]);
        weights[i] = seen[i].contrast >= wanted ? 1.0f : 0.0f;
        contrast += std::clamp(seen[i].contrast / (3 * wanted), 0.0f, 1.0f);
    }
    if (std::count(weights.begin(), weights.end(), 1.0f) < long(rays / 2)) return std::nullopt;
    // To first order an upright ellipse off the centre has the radius dx cos + dy sin + a cos^2 + b sin^2.
    const auto row = [](Direction d) { return cv::Vec4f(d.cosine, d.sine, d.cosine * d.cosine, d.sine * d.sine); };
    cv::Vec4f found;
    for (int round = 0; round < 3; ++round) {
        cv::Matx44f left = cv::Matx44f::zeros();
        cv::Vec4f right = cv::Vec4f::all(0);
        for (size_t i = 0; i < rays; ++i) {
            const cv::Vec4f r = row(directions[i]);
            left += weights[i] * (r * r.t());
            right += weights[i] * seen[i].end * r;
        }
        if (!cv::solve(left, right, found, cv::DECOMP_CHOLESKY)) return std::nullopt;
        for (size_t i = 0; i < rays; ++i) {
            const float residual = (seen[i].end - found.dot(row(directions[i]))) / (0.08f * centre.radius);
            weights[i] = seen[i].contrast >= wanted ? 1 / (1 + residual * residual) : 0.0f;
        }
    }
    const auto [narrow, wide] = std::minmax(found[2], found[3]);
    if (!(narrow >= 0.45f * centre.radius && wide <= 1.6f * centre.radius)) return std::nullopt;
    const float grow = centre.isDisc ? 1 / faceShare : 1;
    float agreement = 0;
    for (float w : weights) agreement += w;
    return Fit{{centre.x + found[0], centre.y + found[1], found[2] * grow, found[3] * grow}, agreement / rays, contrast / rays};
}

/// Samples of ring, face and surroundings in one direction.
struct Zones {
    float redRing, redFace, redOutside, paleRing, paleFace, paleOutside;
};

/// What the likeness to a limit sign is judged by, each about -1...1, and a constant.
constexpr size_t featureCount = 15;
using Features = std::array<float, featureCount>;
/// Log odds that each feature adds: logistic regression on the candidates of the labelled scenes that are not kept for measuring.
constexpr Features coefficients = {5.27f, 7.93f, 3.14f, -2.85f, -0.91f, 0.34f, -4.29f, -1.35f, 1.70f, 13.38f, -5.62f, 0.42f, -0.72f, -0.65f, -5.77f};

Features measureFeatures(const SignPlanes &planes, const Ellipse &e, const Fit &fit, const RingCentre &centre, float height) {
    constexpr size_t angles = 16;
    static const auto directions = evenDirections<angles>(0.5f);
    std::array<Zones, angles> zones;
    Zones mean{};
    for (size_t i = 0; i < angles; ++i) {
        const auto zone = [&](const cv::Mat &plane, float from, float to) {
            const auto [c, s] = directions[i];
            return (sample(plane, e.x + c * e.a * from, e.y + s * e.b * from) + sample(plane, e.x + c * e.a * to, e.y + s * e.b * to)) / 2;
        };
        const cv::Mat &red = planes.redness, &pale = planes.paleness;
        zones[i] = {zone(red, 0.84f, 0.93f),  zone(red, 0.60f, 0.70f),  zone(red, 1.10f, 1.20f),
                    zone(pale, 0.84f, 0.93f), zone(pale, 0.60f, 0.70f), zone(pale, 1.10f, 1.20f)};
        mean.redRing += zones[i].redRing / angles, mean.redFace += zones[i].redFace / angles;
        mean.paleRing += zones[i].paleRing / angles, mean.paleFace += zones[i].paleFace / angles, mean.paleOutside += zones[i].paleOutside / angles;
    }
    const float light = mean.paleFace + mean.paleRing + 20;
    const auto within = [](float v) { return std::clamp(v, -1.0f, 1.0f); };
    float redder = 0, redderThanOutside = 0, darker = 0, spread = 0;
    for (const Zones &z : zones) {
        redder += within((z.redRing - z.redFace) / light * 8) / angles;
        redderThanOutside += within((z.redRing - z.redOutside) / light * 8) / angles;
        darker += within((z.paleFace - z.paleRing) / light * 4) / angles;
        spread += std::abs(z.paleFace - mean.paleFace) / angles;
    }
    const float middle = (sample(planes.paleness, e.x, e.y) + sample(planes.paleness, e.x - 0.25f * e.a, e.y) + sample(planes.paleness, e.x + 0.25f * e.a, e.y)) / 3;
    return {redder,
            redderThanOutside,
            darker,
            within((mean.redRing - mean.redFace) / light * 3),
            within((mean.paleFace - mean.paleRing) / light * 2),
            within((mean.paleOutside - mean.paleRing) / light * 2),
            std::min(1.0f, spread / light * 4),
            std::min(1.0f, std::abs(std::log(e.a / e.b)) * 3),
            within((mean.paleFace - middle) / light * 2),
            fit.agreement,
            fit.contrast,
            std::min(1.0f, centre.votes / 3),
            float(centre.isDisc),
            std::min(1.0f, height / 100),
            1};
}
}  // namespace

std::optional<SignCandidate> measureRing(const SignPlanes &planes, const RingCentre &centre, float scale) {
    const auto fit = fitEllipse(planes, centre);
    if (!fit) return std::nullopt;
    const Ellipse &e = fit->ellipse;
    SignCandidate candidate;
    candidate.box = cv::Rect2f((e.x - e.a) * scale, (e.y - e.b) * scale, 2 * e.a * scale, 2 * e.b * scale);
    const Features features = measureFeatures(planes, e, *fit, centre, candidate.box.height);
    candidate.score = std::inner_product(features.begin(), features.end(), coefficients.begin(), 0.0f);
    return candidate;
}
