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

/// Runs `body` (which returns a vision_status) and turns every exception into a status and one line of text.
template <typename Body>
vision_status vision_guard(vision_error *error, Body &&body) noexcept {
    auto tell = [error](const char *text) {
        if (!error) return;
        std::snprintf(error->message, sizeof error->message, "%s", text);
        for (char *c = error->message; *c; ++c)
            if (*c == '\n' || *c == '\r') *c = ' ';
    };
    try {
        return body();
    } catch (const std::bad_alloc &) {
        tell("out of memory");
        return VISION_OUT_OF_MEMORY;
    } catch (const std::exception &e) {
        tell(e.what());
        return VISION_FAILED;
    } catch (...) {
        tell("unknown C++ exception");
        return VISION_FAILED;
    }
}
