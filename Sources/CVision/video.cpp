#include "vision_video.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/videoio.hpp>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "vision_internal.hpp"

struct vision_reader {
    cv::VideoCapture capture;
};

struct vision_writer {
    cv::VideoWriter writer;
    cv::Size size;
};

namespace {
bool is_url(const std::string &location) { return location.find("://") != std::string::npos; }

/// Why `path` cannot be opened for reading, before OpenCV, which never tells, is asked.
vision_status readable(const char *path, bool regular, vision_error *error) {
    struct stat about = {};
    if (stat(path, &about) != 0) return vision_tell(error, errno == ENOENT || errno == ENOTDIR ? VISION_NOT_FOUND : VISION_UNREADABLE, strerror(errno));
    if (regular && S_ISDIR(about.st_mode)) return vision_tell(error, VISION_UNREADABLE, "is a folder");
    if (regular && S_ISREG(about.st_mode) && about.st_size == 0) return vision_tell(error, VISION_UNREADABLE, "is empty");
    if (!regular && !S_ISCHR(about.st_mode)) return vision_tell(error, VISION_UNREADABLE, "is no device");
    if (access(path, R_OK) != 0) return vision_tell(error, VISION_UNREADABLE, strerror(errno));
    return VISION_OK;
}
}  // namespace

void vision_silence(void) {
    // FFmpeg's level is read by OpenCV when its FFmpeg backend is first used: -8 is AV_LOG_QUIET.
    setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", 1);
    vision_guard(nullptr, [] {
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
        return VISION_OK;
    });
}

vision_status vision_reader_open(const char *location, vision_source_kind kind, int32_t width, int32_t height, double frames_per_second,
                                 int32_t timeout_ms, vision_reader **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        const bool is_camera = kind == VISION_SOURCE_CAMERA;
        if (is_camera || !is_url(location))
            if (vision_status status = readable(location, !is_camera, error)) return status;
        auto reader = std::make_unique<vision_reader>();
        if (is_camera) {
            std::vector<int> wanted;
            if (width > 0 && height > 0) {
                // Most USB cameras give full size at full rate only as motion JPEG.
                wanted = {cv::CAP_PROP_FOURCC, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), cv::CAP_PROP_FRAME_WIDTH, width,
                          cv::CAP_PROP_FRAME_HEIGHT, height};
            }
            if (!reader->capture.open(location, cv::CAP_V4L2, wanted) && !reader->capture.open(location, cv::CAP_V4L2))
                return vision_tell(error, VISION_UNREADABLE, "does not deliver video: another program uses it, or it is no camera");
            if (frames_per_second > 0) reader->capture.set(cv::CAP_PROP_FPS, frames_per_second);
        } else {
            std::vector<int> limits;
            if (timeout_ms > 0) limits = {cv::CAP_PROP_OPEN_TIMEOUT_MSEC, timeout_ms, cv::CAP_PROP_READ_TIMEOUT_MSEC, timeout_ms};
            if (!reader->capture.open(location, cv::CAP_FFMPEG, limits))
                return vision_tell(error, VISION_UNREADABLE, is_url(location) ? "does not answer with a video" : "is no video, or its beginning or index is missing");
        }
        *out = reader.release();
        return VISION_OK;
    });
}

void vision_reader_destroy(vision_reader *reader) {
    vision_guard(nullptr, [&] {
        delete reader;
        return VISION_OK;
    });
}

vision_video_info vision_reader_info(const vision_reader *reader) {
    vision_video_info info = {};
    vision_guard(nullptr, [&] {
        auto number = [&](int property) {
            double value = reader->capture.get(property);
            return value > 0 && value < 1e12 ? value : 0;
        };
        info.width = static_cast<int32_t>(number(cv::CAP_PROP_FRAME_WIDTH));
        info.height = static_cast<int32_t>(number(cv::CAP_PROP_FRAME_HEIGHT));
        info.frames_per_second = number(cv::CAP_PROP_FPS);
        info.frame_count = static_cast<int64_t>(number(cv::CAP_PROP_FRAME_COUNT));
        return VISION_OK;
    });
    return info;
}

vision_status vision_reader_next(vision_reader *reader, vision_image **image, double *time_s, vision_error *error) {
    *image = nullptr;
    return vision_guard(error, [&] {
        if (!reader->capture.grab()) return VISION_END;
        *time_s = reader->capture.get(cv::CAP_PROP_POS_MSEC) / 1000;
        auto frame = std::make_unique<vision_image>();
        if (!reader->capture.retrieve(frame->mat) || frame->mat.empty()) return VISION_END;
        if (frame->mat.type() != CV_8UC3) return VISION_UNREADABLE;
        *image = frame.release();
        return VISION_OK;
    });
}

vision_status vision_writer_open(const char *path, int32_t width, int32_t height, double frames_per_second, vision_writer **out,
                                 vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        if (width < 2 || height < 2 || width % 2 || height % 2 || !(frames_per_second > 0)) return VISION_BAD_ARGUMENT;
        auto writer = std::make_unique<vision_writer>();
        writer->size = cv::Size(width, height);
        for (int codec : {cv::VideoWriter::fourcc('a', 'v', 'c', '1'), cv::VideoWriter::fourcc('m', 'p', '4', 'v')})
            if (writer->writer.open(path, cv::CAP_FFMPEG, codec, frames_per_second, writer->size)) {
                *out = writer.release();
                return VISION_OK;
            }
        return VISION_FAILED;
    });
}

vision_status vision_writer_write(vision_writer *writer, const vision_image *image, vision_error *error) {
    return vision_guard(error, [&] {
        if (image->mat.size() != writer->size || image->mat.type() != CV_8UC3) return VISION_BAD_ARGUMENT;
        writer->writer.write(image->mat);
        return VISION_OK;
    });
}

void vision_writer_destroy(vision_writer *writer) {
    vision_guard(nullptr, [&] {
        delete writer;
        return VISION_OK;
    });
}
