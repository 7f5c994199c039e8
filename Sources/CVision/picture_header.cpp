#include "picture_header.hpp"

#include <cstring>

namespace {
constexpr uint64_t most_pixels = 100'000'000;
constexpr const char *cut_short = "is cut short";
constexpr const char *too_large = "has more than 100 million pixels";

uint32_t big_endian(const uint8_t *bytes, int count) {
    uint32_t value = 0;
    for (int i = 0; i < count; ++i) value = value << 8 | bytes[i];
    return value;
}

bool is_frame_header(uint8_t marker) { return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC; }

/// Whether an end-of-image marker stands behind `at`; within coded data 0xFF is never followed by 0xD9.
bool has_end(const uint8_t *data, size_t count, size_t at) {
    while (at + 1 < count) {
        auto *next = static_cast<const uint8_t *>(std::memchr(data + at, 0xFF, count - at - 1));
        if (!next) return false;
        if (next[1] == 0xD9) return true;
        at = static_cast<size_t>(next - data) + 1;
    }
    return false;
}

/// ITU-T T.81, annex B: segments of a marker and a length, up to the start of the coded data.
const char *jpeg_problem(const uint8_t *data, size_t count) {
    size_t at = 2;
    while (at + 4 <= count) {
        if (data[at] != 0xFF) return nullptr;  // no JPEG after all; the decoder will say so
        const uint8_t marker = data[at + 1];
        if (marker == 0xFF) {
            ++at;  // fill byte
            continue;
        }
        const size_t length = big_endian(data + at + 2, 2);
        if (is_frame_header(marker) && at + 9 <= count &&
            uint64_t(big_endian(data + at + 5, 2)) * big_endian(data + at + 7, 2) > most_pixels)
            return too_large;
        at += 2 + length;
        if (marker == 0xDA) return has_end(data, count, at) ? nullptr : cut_short;
    }
    return cut_short;
}

/// PNG specification, clause 5: the header chunk comes first, the chunk IEND last.
const char *png_problem(const uint8_t *data, size_t count) {
    if (count < 24 + 12) return cut_short;
    if (uint64_t(big_endian(data + 16, 4)) * big_endian(data + 20, 4) > most_pixels) return too_large;
    size_t at = 8;
    while (at + 12 <= count) {
        const bool is_end = std::memcmp(data + at + 4, "IEND", 4) == 0;
        const uint64_t next = uint64_t(at) + 12 + big_endian(data + at, 4);
        if (next > count) return cut_short;
        if (is_end) return nullptr;
        at = static_cast<size_t>(next);
    }
    return cut_short;
}
}  // namespace

const char *picture_problem(const uint8_t *data, size_t count) noexcept {
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};
    if (count >= 3 && data[0] == 0xFF && data[1] == 0xD8 && data[2] == 0xFF) return jpeg_problem(data, count);
    if (count >= sizeof png && std::memcmp(data, png, sizeof png) == 0) return png_problem(data, count);
    return nullptr;
}
