import FleetRuntime

/// The section `detector`.
public struct DetectorConfiguration: Sendable {
    /// What computes the network.
    public enum Engine: String, CaseIterable, Sendable { case auto, openvino, opencv }

    /// Path of a model description; nil for the embedded model.
    public var modelPath: String?
    /// What computes the network.
    public var engine: Engine
    /// Threads for it.
    public var threads: Int

    init(_ section: ConfigurationSection) throws {
        modelPath = try section.path("model")
        engine = try section.choice("engine", Engine.self) ?? .auto
        threads = try section.integer("threads", in: 1...64) ?? 2
    }

    /// The embedded model on the best engine there is.
    static func defaults() throws -> DetectorConfiguration {
        try DetectorConfiguration(ConfigurationDocument(text: [], file: "defaults").root)
    }
}
