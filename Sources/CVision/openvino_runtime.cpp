#include "openvino_runtime.hpp"

#include <dlfcn.h>
#include <glob.h>
#include <map>
#include <mutex>
#include <stdexcept>

namespace {
void *open_library(const std::string &folder) {
    if (folder.empty()) {
        if (void *handle = dlopen("libopenvino_c.so", RTLD_NOW | RTLD_LOCAL)) return handle;
        throw std::runtime_error("libopenvino_c.so is not in the loader's path");
    }
    // The wheel carries the library with its version behind the name and without the plain one.
    glob_t found = {};
    std::string pattern = folder + "/libopenvino_c.so*";
    int result = glob(pattern.c_str(), 0, nullptr, &found);
    std::string path = result == 0 && found.gl_pathc > 0 ? found.gl_pathv[0] : "";
    globfree(&found);
    if (path.empty()) throw std::runtime_error(folder + " holds no libopenvino_c.so");
    if (void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
    const char *reason = dlerror();
    throw std::runtime_error(reason ? reason : path + " does not load");
}

template <typename Function>
void resolve(void *library, const char *name, Function &function, bool required = true) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function && required) throw std::runtime_error(std::string("the OpenVINO runtime has no ") + name);
}
}  // namespace

const OpenVINORuntime &OpenVINORuntime::load(const std::string &folder) {
    static std::mutex mutex;
    static std::map<std::string, OpenVINORuntime> loaded;
    std::lock_guard<std::mutex> lock(mutex);
    auto known = loaded.find(folder);
    if (known != loaded.end()) return known->second;
    void *library = open_library(folder);
    OpenVINORuntime r = {};
    resolve(library, "ov_core_create", r.core_create);
    resolve(library, "ov_core_free", r.core_free);
    resolve(library, "ov_core_read_model", r.core_read_model);
    resolve(library, "ov_core_compile_model", r.core_compile_model);
    resolve(library, "ov_model_free", r.model_free);
    resolve(library, "ov_compiled_model_free", r.compiled_model_free);
    resolve(library, "ov_compiled_model_create_infer_request", r.compiled_model_create_infer_request);
    resolve(library, "ov_compiled_model_outputs_size", r.compiled_model_outputs_size);
    resolve(library, "ov_infer_request_free", r.infer_request_free);
    resolve(library, "ov_infer_request_get_input_tensor_by_index", r.infer_request_get_input_tensor_by_index);
    resolve(library, "ov_infer_request_get_output_tensor_by_index", r.infer_request_get_output_tensor_by_index);
    resolve(library, "ov_infer_request_infer", r.infer_request_infer);
    resolve(library, "ov_tensor_data", r.tensor_data);
    resolve(library, "ov_tensor_get_shape", r.tensor_get_shape);
    resolve(library, "ov_tensor_get_byte_size", r.tensor_get_byte_size);
    resolve(library, "ov_tensor_free", r.tensor_free);
    resolve(library, "ov_shape_free", r.shape_free);
    resolve(library, "ov_get_last_err_msg", r.get_last_err_msg, false);
    return loaded.emplace(folder, r).first->second;
}

void OpenVINORuntime::check(status result, const char *what) const {
    if (result == 0) return;
    const char *detail = get_last_err_msg ? get_last_err_msg() : nullptr;
    throw std::runtime_error(std::string("OpenVINO: ") + what + " failed" + (detail && *detail ? std::string(": ") + detail : ""));
}
