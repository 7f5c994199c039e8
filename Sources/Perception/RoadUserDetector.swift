import FleetModel
import FleetRuntime
import Imaging
import WorldModel

/// A model of road users on one engine. Belongs to one thread at a time.
public struct RoadUserDetector: Detector {
    /// What computes the network.
    public typealias EngineChoice = Perception.EngineChoice

    /// Name of the model.
    public var modelName: String { description.name }
    /// What computes it and why.
    public let engineDescription: String
    /// Detections below are dropped; from the model's description unless changed.
    public var scoreThreshold: Double

    /// Time spent in the parts of one detection, in ms.
    public struct Times: Hashable, Sendable {
        /// Fitting the picture into the input.
        public var prepareMs = 0.0
        /// Computing the network.
        public var inferMs = 0.0
        /// Reading its outputs and suppressing doubles.
        public var readMs = 0.0
    }

    /// Times of the latest `detect`; they decide nothing.
    public private(set) var latestTimes = Times()

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
        let classes = description.classes.map(ClassGroup.roadUser)
        adapter =
            switch description.adapter {
            case .classifier:
                throw UserError(
                    .configuration, "model \(description.name) reads signs (adapter classifier) and finds no road users")
            case .nanodet: NanoDetAdapter(classes: classes, input: description.input)
            case .ssd: SSDAdapter(classes: classes, input: description.input)
            case .yolox: YOLOXAdapter(classes: classes, input: description.input)
            case .anchorfree: AnchorFreeAdapter(classes: classes, input: description.input)
            }
        try description.verifyWeights()
        self.description = description
        scoreThreshold = description.scoreThreshold
        (network, engineDescription) = try description.openNetwork(on: engine, threads: threads)
    }

    /// The road users in `frame`, best first, at most 200. Throws `ImagingError` or `ModelOutputError`.
    public mutating func detect(in frame: borrowing Frame) throws -> [Detection] {
        let start = MonotonicTime.now()
        try network.prepare(frame)
        let prepared = MonotonicTime.now()
        let outputs = try network.infer()
        let inferred = MonotonicTime.now()
        let letterbox = Letterbox(pictureWidth: frame.width, pictureHeight: frame.height, input: description.input)
        let found = try adapter.detections(from: outputs, threshold: scoreThreshold, letterbox: letterbox)
        let kept = NonMaximumSuppression.apply(found, iou: description.nmsIou)
        latestTimes = Times(
            prepareMs: (prepared - start) * 1000, inferMs: (inferred - prepared) * 1000,
            readMs: (MonotonicTime.now() - inferred) * 1000)
        return kept
    }
}
