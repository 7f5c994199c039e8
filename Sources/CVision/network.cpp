#include "vision_network.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "openvino_runtime.hpp"
#include "vision_internal.hpp"

namespace {
/// Refuses what cannot be a model before an engine guesses at its format and prints to standard error: an ONNX file begins with
/// the tag of its first field, the format's version (onnx.proto), an OpenVINO one with `<`.
void check_format(const char *path) {
    std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path, "rbe"), std::fclose);
    if (!file) throw std::runtime_error(strerror(errno));
    const std::string name = path;
    const int first = std::fgetc(file.get()), wanted = name.size() > 4 && name.compare(name.size() - 4, 4, ".xml") == 0 ? '<' : 0x08;
    if (first != wanted) throw std::runtime_error(wanted == '<' ? "is no OpenVINO model" : "is no ONNX model");
}

/// What both engines do: own an input tensor, run, show their outputs.
struct Engine {
    virtual ~Engine() = default;
    virtual float *input() = 0;
    virtual void infer() = 0;
    virtual int32_t output_count() const = 0;
    virtual vision_tensor output(int32_t index) const = 0;
};

vision_tensor describe(const float *data, const int64_t *dims, int32_t rank) {
    vision_tensor t = {};
    if (rank < 1 || rank > 8) throw std::runtime_error("an output tensor has no or too many dimensions");
    t.data = data;
    t.rank = rank;
    t.count = 1;
    for (int32_t i = 0; i < rank; ++i) {
        t.dims[i] = dims[i];
        t.count *= dims[i];
    }
    return t;
}

/// OpenCV has one number of threads for the whole process: the largest that any network asks for. A later network that is content with less must
/// not slow down the one before it.
void allow_threads(int32_t threads) {
    static std::mutex guard;
    static int32_t most = 0;
    const std::lock_guard<std::mutex> lock(guard);
    if (threads <= most) return;
    most = threads;
    cv::setNumThreads(most);
}

struct OpenCVEngine final : Engine {
    cv::dnn::Net net;
    cv::Mat blob;
    std::vector<cv::String> names;
    std::vector<cv::Mat> outputs;

    OpenCVEngine(const char *path, const vision_input &in, int32_t threads) {
        allow_threads(threads);
        net = cv::dnn::readNet(path);
        net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
        net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
        names = net.getUnconnectedOutLayersNames();
        int dims[] = {1, 3, in.height, in.width};
        blob = cv::Mat(4, dims, CV_32F, cv::Scalar(0));
    }
    float *input() override { return blob.ptr<float>(); }
    void infer() override {
        net.setInput(blob);
        net.forward(outputs, names);
    }
    int32_t output_count() const override { return static_cast<int32_t>(names.size()); }
    vision_tensor output(int32_t index) const override {
        const cv::Mat &m = outputs.at(static_cast<size_t>(index));
        if (m.depth() != CV_32F || !m.isContinuous()) throw std::runtime_error("an output tensor is not plain float");
        std::vector<int64_t> dims;
        for (int i = 0; i < m.dims; ++i) dims.push_back(m.size[i]);
        return describe(m.ptr<float>(), dims.data(), m.dims);
    }
};

struct OpenVINOEngine final : Engine {
    const OpenVINORuntime &ov;
    void *core = nullptr, *model = nullptr, *compiled = nullptr, *request = nullptr, *input_tensor = nullptr;
    float *input_data = nullptr;
    size_t outputs = 0;
    mutable std::vector<void *> output_tensors;

    OpenVINOEngine(const char *folder, const char *path, const vision_input &in, int32_t threads)
        : ov(OpenVINORuntime::load(folder ? folder : "")) {
        try {
            open(path, in, threads);
        } catch (...) {
            close();
            throw;
        }
    }
    ~OpenVINOEngine() override { close(); }
    OpenVINOEngine(const OpenVINOEngine &) = delete;
    OpenVINOEngine &operator=(const OpenVINOEngine &) = delete;

    void open(const char *path, const vision_input &in, int32_t threads) {
        ov.check(ov.core_create(&core), "creating the core");
        ov.check(ov.core_read_model(core, path, nullptr, &model), "reading the model");
        std::string count = std::to_string(threads);
        // Without the precision hint a processor with bfloat16 units gives other scores than one without.
        ov.check(ov.core_compile_model(core, model, "CPU", 6, &compiled, "PERFORMANCE_HINT", "LATENCY", "INFERENCE_NUM_THREADS",
                                       count.c_str(), "INFERENCE_PRECISION_HINT", "f32"),
                 "compiling the model");
        ov.model_free(std::exchange(model, nullptr));  // the compiled one has its own weights
        ov.check(ov.compiled_model_create_infer_request(compiled, &request), "creating the request");
        ov.check(ov.infer_request_get_input_tensor_by_index(request, 0, &input_tensor), "getting the input tensor");
        check_input(in);
        void *data = nullptr;
        ov.check(ov.tensor_data(input_tensor, &data), "mapping the input tensor");
        input_data = static_cast<float *>(data);
        ov.check(ov.compiled_model_outputs_size(compiled, &outputs), "counting the outputs");
        output_tensors.assign(outputs, nullptr);
    }
    void check_input(const vision_input &in) {
        size_t bytes = 0;
        ov_shape shape = {};
        ov.check(ov.tensor_get_byte_size(input_tensor, &bytes), "measuring the input tensor");
        ov.check(ov.tensor_get_shape(input_tensor, &shape), "reading the input's shape");
        const int64_t wanted[] = {1, 3, in.height, in.width};
        bool fits = shape.rank == 4 && std::equal(wanted, wanted + 4, shape.dims) &&
                    bytes == sizeof(float) * 3 * static_cast<size_t>(in.width) * static_cast<size_t>(in.height);
        ov.shape_free(&shape);
        if (!fits)
            throw std::runtime_error("the model's input is not 1 x 3 x " + std::to_string(in.height) + " x " + std::to_string(in.width) + " float");
    }
    void release_outputs() const {
        for (void *&tensor : output_tensors) {
            if (tensor) ov.tensor_free(tensor);
            tensor = nullptr;
        }
    }
    void close() {
        release_outputs();
        if (input_tensor) ov.tensor_free(input_tensor);
        if (request) ov.infer_request_free(request);
        if (compiled) ov.compiled_model_free(compiled);
        if (model) ov.model_free(model);
        if (core) ov.core_free(core);
        input_tensor = request = compiled = model = core = nullptr;
    }
    float *input() override { return input_data; }
    void infer() override {
        release_outputs();
        ov.check(ov.infer_request_infer(request), "running the network");
    }
    int32_t output_count() const override { return static_cast<int32_t>(outputs); }
    vision_tensor output(int32_t index) const override {
        void *&tensor = output_tensors.at(static_cast<size_t>(index));
        if (!tensor) ov.check(ov.infer_request_get_output_tensor_by_index(request, static_cast<size_t>(index), &tensor), "getting an output");
        void *data = nullptr;
        size_t bytes = 0;
        ov_shape shape = {};
        ov.check(ov.tensor_data(tensor, &data), "mapping an output");
        ov.check(ov.tensor_get_byte_size(tensor, &bytes), "measuring an output");
        ov.check(ov.tensor_get_shape(tensor, &shape), "reading an output's shape");
        vision_tensor t = describe(static_cast<const float *>(data), shape.dims, static_cast<int32_t>(shape.rank));
        ov.shape_free(&shape);
        if (bytes != static_cast<size_t>(t.count) * sizeof(float)) throw std::runtime_error("an output tensor is not float");
        return t;
    }
};
}  // namespace

struct vision_network {
    vision_input input;
    std::unique_ptr<Engine> engine;
    cv::Mat canvas;  // the picture at the network's size; kept so that no frame allocates

    void prepare(const cv::Mat &picture) {
        if (picture.type() != CV_8UC3) throw std::runtime_error("the picture must have three channels");
        cv::Size whole(input.width, input.height);
        if (canvas.empty()) canvas.create(whole, CV_8UC3);
        if (input.fit == VISION_FIT_STRETCH) {
            cv::resize(picture, canvas, whole, 0, 0, cv::INTER_LINEAR);
        } else {
            double scale = std::min(double(input.width) / picture.cols, double(input.height) / picture.rows);
            cv::Size size(std::max(1, cvRound(picture.cols * scale)), std::max(1, cvRound(picture.rows * scale)));
            cv::Point at = input.fit == VISION_FIT_CENTRE ? cv::Point((whole.width - size.width) / 2, (whole.height - size.height) / 2) : cv::Point();
            if (size != whole) canvas.setTo(cv::Scalar::all(input.padding));
            cv::resize(picture, canvas(cv::Rect(at, size)), size, 0, 0, cv::INTER_LINEAR);
        }
        to_planes();
    }

    void to_planes() {
        const size_t plane = static_cast<size_t>(input.width) * static_cast<size_t>(input.height);
        float *out = engine->input();
        for (int channel = 0; channel < 3; ++channel) {
            float *to = out + plane * static_cast<size_t>(channel);
            const int source = input.red_first ? 2 - channel : channel;
            const float mean = input.mean[channel], scale = input.scale[channel];
            for (int y = 0; y < input.height; ++y) {
                const uint8_t *row = canvas.ptr<uint8_t>(y) + source;
                for (int x = 0; x < input.width; ++x) to[x] = (static_cast<float>(row[3 * x]) - mean) * scale;
                to += input.width;
            }
        }
    }
};

vision_status vision_openvino_probe(const char *folder, vision_error *error) {
    vision_status status = vision_guard(error, [&] {
        OpenVINORuntime::load(folder ? folder : "");
        return VISION_OK;
    });
    return status == VISION_OK ? VISION_OK : VISION_NOT_FOUND;
}

vision_status vision_network_open(vision_engine engine, const char *openvino_folder, const char *path, const vision_input *input, int32_t threads,
                                  vision_network **out, vision_error *error) {
    *out = nullptr;
    return vision_guard(error, [&] {
        if (input->width < 1 || input->height < 1 || input->width > 8192 || input->height > 8192 || threads < 1) return VISION_BAD_ARGUMENT;
        check_format(path);
        auto network = std::make_unique<vision_network>();
        network->input = *input;
        if (engine == VISION_ENGINE_OPENVINO)
            network->engine = std::make_unique<OpenVINOEngine>(openvino_folder, path, *input, threads);
        else
            network->engine = std::make_unique<OpenCVEngine>(path, *input, threads);
        *out = network.release();
        return VISION_OK;
    });
}

void vision_network_destroy(vision_network *network) {
    vision_guard(nullptr, [&] {
        delete network;
        return VISION_OK;
    });
}

int32_t vision_opencv_threads(void) { return static_cast<int32_t>(cv::getNumThreads()); }

vision_status vision_network_prepare(vision_network *network, const vision_image *image, vision_error *error) {
    return vision_guard(error, [&] {
        network->prepare(image->mat);
        return VISION_OK;
    });
}

vision_status vision_network_infer(vision_network *network, vision_error *error) {
    return vision_guard(error, [&] {
        network->engine->infer();
        return VISION_OK;
    });
}

int32_t vision_network_output_count(const vision_network *network) { return network->engine->output_count(); }

vision_status vision_network_output(const vision_network *network, int32_t index, vision_tensor *out, vision_error *error) {
    return vision_guard(error, [&] {
        *out = network->engine->output(index);
        return VISION_OK;
    });
}
