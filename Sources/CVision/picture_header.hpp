// What a picture file says of itself, looked at before OpenCV decodes it. Not visible to Swift.
#pragma once
#include <cstddef>
#include <cstdint>

/// Why the JPEG or PNG in memory must not be decoded: cut short, or larger than 100 million pixels (a file of kilobytes can claim
/// gigabytes). NULL when nothing speaks against it, and for every other format.
///
/// OpenCV itself would fill the missing part of a JPEG with grey and print to standard error.
const char *picture_problem(const uint8_t *data, size_t count) noexcept;
