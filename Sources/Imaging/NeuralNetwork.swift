import CVision

/// What computes a network.
public enum InferenceEngine: Hashable, Sendable {
    /// OpenCV's own dnn module; always there.
    case openCV
    /// OpenVINO, loaded from `folder`; nil means the loader's standard path.
    case openVINO(folder: String?)

    /// Threads that OpenCV may use in this process: the most that any of its networks was opened with.
    public static var openCVThreads: Int { Int(vision_opencv_threads()) }

    /// Nil when OpenVINO can be loaded from `folder`; otherwise the reason why not. It stays loaded.
    public static func openVINOProblem(folder: String?) -> String? {
        var error = vision_error()
        return vision_openvino_probe(folder, &error) == VISION_OK ? nil : ImagingError.text(error)
    }
}

/// How a picture becomes a network's input: (sample − mean) × scale, channel by channel in the tensor's order.
public struct NetworkInput: Hashable, Sendable {
    /// How the picture is fitted into the input's size.
    public enum Fit: Hashable, Sendable {
        /// Aspect kept, picture at the top left, rest padded.
        case topLeft
        /// Aspect kept, picture in the middle, rest padded.
        case centre
        /// Aspect given up.
        case stretch
    }

    /// Size of the input in pixels.
    public var width: Int
    public var height: Int
    /// How the picture is fitted in.
    public var fit: Fit
    /// Whether the first plane is red; blue otherwise.
    public var redFirst: Bool
    /// Mean of each plane, in sample values 0...255.
    public var mean: [Float]
    /// Factor of each plane.
    public var scale: [Float]
    /// Sample value of the padded part.
    public var padding: Float

    /// All members; `mean` and `scale` have three elements.
    public init(width: Int, height: Int, fit: Fit, redFirst: Bool, mean: [Float], scale: [Float], padding: Float) {
        self.width = width
        self.height = height
        self.fit = fit
        self.redFirst = redFirst
        self.mean = mean
        self.scale = scale
        self.padding = padding
    }

    var c: vision_input {
        func three(_ v: [Float], _ missing: Float) -> (Float, Float, Float) {
            (v.count > 0 ? v[0] : missing, v.count > 1 ? v[1] : missing, v.count > 2 ? v[2] : missing)
        }
        let fit: vision_fit =
            switch self.fit {
            case .topLeft: VISION_FIT_TOP_LEFT
            case .centre: VISION_FIT_CENTRE
            case .stretch: VISION_FIT_STRETCH
            }
        return vision_input(
            width: Int32(clamping: width), height: Int32(clamping: height), fit: fit, red_first: redFirst ? 1 : 0,
            mean: three(mean, 0),
            scale: three(scale, 1), padding: padding)
    }
}

/// A float tensor that a network gave out.
public struct Tensor: Sendable {
    /// Extent of each dimension, outermost first.
    public let shape: [Int]
    /// Values, innermost dimension contiguous.
    public let values: [Float]

    /// A tensor; `values.count` must be the product of `shape`.
    public init(shape: [Int], values: [Float]) {
        self.shape = shape
        self.values = values
    }
}

/// A neural network with one picture as input. Belongs to one thread at a time.
public final class NeuralNetwork {
    private let handle: OpaquePointer

    /// Loads `path` (ONNX, or OpenVINO IR `.xml` with its `.bin` beside it) into `engine`.
    public init(path: String, engine: InferenceEngine, input: NetworkInput, threads: Int) throws(ImagingError) {
        Silence.once
        var spec = input.c
        handle = try ImagingError.make("loading \(path)") { out, error in
            switch engine {
            case .openCV: vision_network_open(VISION_ENGINE_OPENCV, nil, path, &spec, Int32(clamping: threads), out, error)
            case .openVINO(let folder):
                vision_network_open(VISION_ENGINE_OPENVINO, folder, path, &spec, Int32(clamping: threads), out, error)
            }
        }
    }

    deinit { vision_network_destroy(handle) }

    /// Runs the network on `frame` (three channels) and returns every output.
    public func run(_ frame: borrowing Frame) throws(ImagingError) -> [Tensor] {
        try prepare(frame)
        return try infer()
    }

    /// The first half of `run`: fits `frame` into the input.
    public func prepare(_ frame: borrowing Frame) throws(ImagingError) {
        let image = frame.handle
        try ImagingError.check("preparing the input") { vision_network_prepare(handle, image, $0) }
    }

    /// The second half of `run`: computes the outputs of what was prepared.
    public func infer() throws(ImagingError) -> [Tensor] {
        try ImagingError.check("running the network") { vision_network_infer(handle, $0) }
        var tensors: [Tensor] = []
        for index in 0..<vision_network_output_count(handle) {
            var tensor = vision_tensor()
            try ImagingError.check("reading an output") { vision_network_output(handle, index, &tensor, $0) }
            let shape = withUnsafeBytes(of: tensor.dims) {
                Array($0.bindMemory(to: Int64.self).prefix(Int(tensor.rank)).map { Int($0) })
            }
            tensors.append(Tensor(shape: shape, values: Array(UnsafeBufferPointer(start: tensor.data, count: Int(tensor.count)))))
        }
        return tensors
    }
}
