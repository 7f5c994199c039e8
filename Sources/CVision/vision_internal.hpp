// What the C++ files of this target share. Not visible to Swift.
#pragma once
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <opencv2/core.hpp>

#include "vision_base.h"

struct vision_image {
    cv::Mat mat;
};

/// Writes `text` into `error` as one line and hands `status` on.
inline vision_status vision_tell(vision_error *error, vision_status status, const char *text) noexcept {
    if (!error) return status;
    std::snprintf(error->message, sizeof error->message, "%s", text);
    for (char *c = error->message; *c; ++c)
        if (*c == '\n' || *c == '\r') *c = ' ';
    return status;
}

/// Runs `body` (which returns a vision_status) and turns every exception into a status and one line of text.
template <typename Body>
vision_status vision_guard(vision_error *error, Body &&body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return vision_tell(error, VISION_OUT_OF_MEMORY, "out of memory");
    } catch (const std::exception &e) {
        return vision_tell(error, VISION_FAILED, e.what());
    } catch (...) {
        return vision_tell(error, VISION_FAILED, "unknown C++ exception");
    }
}
