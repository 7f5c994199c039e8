import FleetRuntime
import FoundationEssentials
import Imaging

/// What `NAME.model.yaml` says about a model: its file, its input, and how its output is read.
public struct ModelDescription: Sendable {
    /// How outputs are read.
    public enum Adapter: String, CaseIterable, Sendable { case nanodet, ssd, yolox, anchorfree, classifier }
    /// Order of the input's planes.
    public enum Order: String, CaseIterable, Sendable { case bgr, rgb }
    /// How a picture is fitted in.
    public enum Resize: String, CaseIterable, Sendable {
        case topLeft = "letterbox-topleft"
        case centre = "letterbox-centre"
        case stretch
    }

    /// Version of the description's format.
    public static let version = 1

    /// Name of the model; stands in alerts.
    public let name: String
    /// Path of the weights.
    public let weightsPath: String
    /// SHA-256 of the weights, 64 lower-case hexadecimal digits; of an OpenVINO pair: of the `.xml` followed by the `.bin`.
    public let sha256: String
    /// How outputs are read.
    public let adapter: Adapter
    /// How a picture becomes the input.
    public let input: NetworkInput
    /// Class names by index; what `ClassGroup` does not know is ignored.
    public let classes: [String]
    /// The numbers that a sign reader tells apart, by index of its value output; empty for detectors.
    public let values: [Int]
    /// Detections below are dropped.
    public let scoreThreshold: Double
    /// Of two boxes of a group that overlap more than this, the weaker goes.
    public let nmsIou: Double
    /// Licence of the weights.
    public let licence: String

    /// Reads `path`. Throws `UserError` with file, line and what is allowed.
    public init(path: String) throws {
        let document = try ConfigurationDocument(path: path)
        let root = document.root
        guard try root.integer("version", in: 1...1_000) == Self.version else {
            throw root.error("version", "must be \(Self.version)")
        }
        name = try root.requiredString("name")
        guard let weights = try root.path("file") else { throw root.error("file", "is missing") }
        weightsPath = weights
        sha256 = try root.requiredString("sha256").lowercased()
        guard sha256.utf8.count == 64, sha256.allSatisfy(\.isHexDigit) else {
            throw root.error("sha256", "must be 64 hexadecimal digits")
        }
        guard let adapter = try root.choice("adapter", Adapter.self) else { throw root.error("adapter", "is missing") }
        self.adapter = adapter
        input = try Self.input(root.section("input"))
        guard let classes = try root.strings("classes"), !classes.isEmpty, classes.count <= 1000 else {
            throw root.error("classes", "must be a list of 1 to 1000 names")
        }
        self.classes = classes
        values = try (root.strings("values") ?? []).map {
            guard let value = Int($0), (1...300).contains(value) else {
                throw root.error("values", "must be whole numbers from 1 to 300")
            }
            return value
        }
        scoreThreshold = try root.number("scoreThreshold", in: 0.01...0.99) ?? 0.4
        nmsIou = try root.number("nmsIou", in: 0.1...0.95) ?? 0.6
        licence = try root.requiredString("licence")
        try document.finish()
    }

    private static func input(_ section: ConfigurationSection) throws -> NetworkInput {
        guard let width = try section.integer("width", in: 32...4096), let height = try section.integer("height", in: 32...4096)
        else {
            throw section.error("width", "width and height must be there")
        }
        let std = try section.numbers("std", count: 3) ?? [1, 1, 1]
        guard std.allSatisfy({ $0 > 0 }) else { throw section.error("std", "must be above zero") }
        let fit: NetworkInput.Fit =
            switch try section.choice("resize", Resize.self) ?? .stretch {
            case .topLeft: .topLeft
            case .centre: .centre
            case .stretch: .stretch
            }
        return NetworkInput(
            width: width, height: height, fit: fit, redFirst: try section.choice("order", Order.self) ?? .bgr == .rgb,
            mean: try (section.numbers("mean", count: 3) ?? [0, 0, 0]).map(Float.init), scale: std.map { Float(1 / $0) },
            padding: Float(try section.number("padding", in: 0...255) ?? 0))
    }

    /// Whether the weights are in OpenVINO's own format: an `.xml` with its `.bin` beside it.
    public var needsOpenVINO: Bool { weightsPath.hasSuffix(".xml") }

    /// The files the weights consist of, in the order in which they are hashed.
    var weightsFiles: [String] { needsOpenVINO ? [weightsPath, weightsPath.dropLast(3) + "bin"] : [weightsPath] }

    /// Throws `UserError` unless the weights are there and their digest is the described one.
    public func verifyWeights() throws {
        var hash = SHA256()
        for file in weightsFiles {
            do { try FilePieces.forEach(of: file) { hash.update($0) } } catch let error as UserError {
                throw UserError(error.code, "model \(name): weights \(error.message)")
            }
        }
        let found = SHA256.hexadecimal(hash.finish())
        guard found == sha256 else {
            throw UserError(
                .badData,
                "model \(name): \(weightsFiles.joined(separator: " + ")) has SHA-256 \(found), its description says \(sha256); fetch the weights again"
            )
        }
    }
}
