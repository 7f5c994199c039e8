// OpenVINO's C API, loaded at run time. Only the calls in use; declared here after its public headers (openvino/c, Apache-2.0), so that
// neither headers nor library are needed to build.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

struct ov_shape {
    int64_t rank;
    int64_t *dims;
};

struct OpenVINORuntime {
    using status = int;  // 0 is success
    status (*core_create)(void **core);
    void (*core_free)(void *core);
    status (*core_read_model)(const void *core, const char *model, const char *weights, void **out);
    status (*core_compile_model)(const void *core, const void *model, const char *device, size_t property_arguments, void **out, ...);
    void (*model_free)(void *model);
    void (*compiled_model_free)(void *compiled);
    status (*compiled_model_create_infer_request)(const void *compiled, void **request);
    status (*compiled_model_outputs_size)(const void *compiled, size_t *count);
    void (*infer_request_free)(void *request);
    status (*infer_request_get_input_tensor_by_index)(const void *request, size_t index, void **tensor);
    status (*infer_request_get_output_tensor_by_index)(const void *request, size_t index, void **tensor);
    status (*infer_request_infer)(void *request);
    status (*tensor_data)(const void *tensor, void **data);
    status (*tensor_get_shape)(const void *tensor, ov_shape *shape);
    status (*tensor_get_byte_size)(const void *tensor, size_t *bytes);
    void (*tensor_free)(void *tensor);
    status (*shape_free)(ov_shape *shape);
    const char *(*get_last_err_msg)(void);  // absent in old releases

    /// Loads the library from `folder` (empty: the loader's standard path); throws std::runtime_error with the reason.
    /// The library stays loaded for the life of the process: it cannot be unloaded safely while its threads run.
    static const OpenVINORuntime &load(const std::string &folder);

    /// Throws std::runtime_error naming `what` unless `result` is success.
    void check(status result, const char *what) const;
};
