import FleetModel
import FleetRuntime
import Imaging
import WorldModel

/// A model of road users on one engine. Belongs to one thread at a time.
public struct RoadUserDetector: Detector {
    /// What computes the network.
    public enum EngineChoice: Hashable, Sendable {
        /// OpenVINO where it is found, OpenCV otherwise.
        case automatic
        /// OpenVINO or an error.
        case openVINO
        /// OpenCV.
        case openCV
    }

    /// Name of the model.
    public var modelName: String { description.name }
    /// What computes it and why.
    public let engineDescription: String
    /// Detections below are dropped; from the model's description unless changed.
    public var scoreThreshold: Double

    private let description: ModelDescription
    private let network: NeuralNetwork
    private let adapter: any OutputAdapter

    /// Loads the model that `modelPath` describes; nil means the embedded one. Throws `UserError` that says what to do.
    public init(modelPath: String?, engine: EngineChoice = .automatic, threads: Int = 2) throws {
        try self.init(
            description: ModelDescription(path: ModelLocator.locate(configured: modelPath)), engine: engine, threads: threads)
    }

    /// Loads a described model.
    public init(description: ModelDescription, engine: EngineChoice = .automatic, threads: Int = 2) throws {
        try description.verifyWeights()
        self.description = description
        scoreThreshold = description.scoreThreshold
        let needsOpenVINO = description.weightsPath.hasSuffix(".xml")
        let (chosen, explanation) = try Self.choose(engine, needsOpenVINO: needsOpenVINO, model: description.name)
        engineDescription = explanation
        do {
            network = try NeuralNetwork(path: description.weightsPath, engine: chosen, input: description.input, threads: threads)
        } catch {
            throw UserError(.badData, "model \(description.name): \(error)")
        }
        let classes = description.classes.map(ClassGroup.roadUser)
        adapter =
            switch description.adapter {
            case .nanodet: NanoDetAdapter(classes: classes, input: description.input)
            case .ssd: SSDAdapter(classes: classes, input: description.input)
            case .anchorfree: AnchorFreeAdapter(classes: classes, input: description.input)
            }
    }

    private static func choose(_ engine: EngineChoice, needsOpenVINO: Bool, model: String) throws -> (InferenceEngine, String) {
        if engine == .openCV {
            guard !needsOpenVINO else {
                throw UserError(.configuration, "model \(model) is in OpenVINO's own format; OpenCV cannot read it")
            }
            return (.openCV, "OpenCV, as configured")
        }
        let (found, explanation) = OpenVINOLocator.find()
        if let found { return (found, explanation) }
        guard engine == .automatic, !needsOpenVINO else {
            throw UserError(
                .unavailable,
                "OpenVINO does not load (\(explanation)); run scripts/setup, or set FLEET_OPENVINO to the folder with libopenvino_c.so"
            )
        }
        return (.openCV, "OpenCV, because OpenVINO does not load (\(explanation))")
    }

    /// The road users in `frame`, best first, at most 200.
    public mutating func detect(in frame: borrowing Frame) throws -> [Detection] {
        let letterbox = Letterbox(pictureWidth: frame.width, pictureHeight: frame.height, input: description.input)
        let outputs = try network.run(frame)
        return try decode(outputs, letterbox)
    }

    private func decode(_ outputs: [Tensor], _ letterbox: Letterbox) throws -> [Detection] {
        let found = try adapter.detections(from: outputs, threshold: scoreThreshold, letterbox: letterbox)
        return NonMaximumSuppression.apply(found, iou: description.nmsIou)
    }

    /// Times of the three parts of one detection in s, in order: fitting the picture in, the network (its own fitting-in included), reading
    /// the output.
    public func measure(_ frame: borrowing Frame) throws -> (prepareS: Double, runS: Double, decodeS: Double) {
        let t0 = MonotonicTime.now()
        try network.prepare(frame)
        let t1 = MonotonicTime.now()
        let outputs = try network.run(frame)
        let t2 = MonotonicTime.now()
        _ = try decode(outputs, Letterbox(pictureWidth: frame.width, pictureHeight: frame.height, input: description.input))
        return (t1 - t0, t2 - t1, MonotonicTime.now() - t2)
    }
}
