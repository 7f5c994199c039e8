import FleetModel
import FleetRuntime
import Imaging

/// Reads the sign in a crop: which limit, an end of limits, or neither. Belongs to one thread at a time.
///
/// Finding signs in a frame is not its work; it judges one candidate at a time.
public struct SignReader {
    /// Share of a box's side that is added on each side before reading; the network was trained with 0 to 0.15.
    public static let margin = 0.07

    /// Name of the model.
    public var modelName: String { description.name }
    /// What computes it and why.
    public let engineDescription: String
    /// Readings below are not told; from the model's description unless changed.
    public var scoreThreshold: Double

    private let description: ModelDescription
    private let network: NeuralNetwork
    private let adapter: ClassifierAdapter

    /// Loads the reader that `modelPath` describes; nil means the embedded one. One thread is fastest: a crop takes a fraction of a
    /// millisecond. Throws `UserError` that says what to do.
    public init(modelPath: String? = nil, engine: EngineChoice = .automatic, threads: Int = 1) throws {
        let description = try ModelDescription(
            path: ModelLocator.locate(configured: modelPath, embedded: ModelLocator.embeddedReaderName))
        guard description.adapter == .classifier,
            let adapter = ClassifierAdapter(classes: description.classes, values: description.values)
        else {
            throw UserError(
                .configuration,
                "model \(description.name) does not read signs: its adapter must be classifier, its classes other, round, plate-mph, plate-kmh, end or end-all, with a list of values"
            )
        }
        try description.verifyWeights()
        self.description = description
        self.adapter = adapter
        scoreThreshold = description.scoreThreshold
        (network, engineDescription) = try description.openNetwork(on: engine, threads: threads)
    }

    /// Reads `crop` (three channels): a sign that fills the picture but for a margin of 0 to 15 % of its side. Nil when the reader is
    /// not sure enough to say anything. Throws `ImagingError` or `ModelOutputError`.
    public mutating func read(_ crop: borrowing Frame) throws -> SignReading? {
        // Averaged over the area before the network's own linear fit, which would alias where a large crop gets small.
        let fitted = try crop.resized(width: description.input.width, height: description.input.height)
        return try adapter.reading(from: network.run(fitted), threshold: scoreThreshold)
    }

    /// Reads the sign at `box` (pixels of `frame`, three channels) with `margin` around it. Nil when nothing is sure enough or the box
    /// covers less than one pixel of the frame. Throws as `read(_:)`.
    public mutating func read(in frame: borrowing Frame, at box: Box) throws -> SignReading? {
        guard let area = Self.area(of: box, width: frame.width, height: frame.height) else { return nil }
        return try read(frame.cropped(x: area.x, y: area.y, width: area.width, height: area.height))
    }

    /// The whole pixels that `box` with its margin covers of a frame.
    static func area(of box: Box, width: Int, height: Int) -> (x: Int, y: Int, width: Int, height: Int)? {
        let wide = Box(
            x: box.x - margin * box.width, y: box.y - margin * box.height, width: box.width * (1 + 2 * margin),
            height: box.height * (1 + 2 * margin))
        guard [wide.x, wide.y, wide.width, wide.height].allSatisfy(\.isFinite),
            let inside = wide.clipped(width: Double(width), height: Double(height))
        else { return nil }
        let (left, top) = (Int(inside.x.rounded()), Int(inside.y.rounded()))
        let (right, bottom) = (Int(inside.maxX.rounded()), Int(inside.maxY.rounded()))
        guard right > left, bottom > top else { return nil }
        return (left, top, right - left, bottom - top)
    }
}
