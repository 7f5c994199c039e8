// Measures how much a box looks like a speed plate. Not visible to Swift.
#pragma once
#include <opencv2/core.hpp>

/// How much of each side of a box is an edge, 0...1.
struct PlateSides {
    float left, right, top, bottom;
};

/// Log odds that what `box` holds in `grey` is a speed plate, by how dark each part of it is against its pale face, by what lies around it,
/// and by its sides and shape.
float plateScore(const cv::Mat &grey, const cv::Rect2f &box, const PlateSides &sides);
