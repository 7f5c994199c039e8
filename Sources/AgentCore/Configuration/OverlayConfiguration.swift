import FleetModel
import FleetRuntime

/// The section `overlay`: the pictures that stand for alerts on the preview page and in annotated videos.
public struct OverlayConfiguration: Sendable {
    /// Own pictures (PNG, transparency is kept, or JPEG) by kind of alert; a kind that is not here keeps its built-in sign.
    public var images: [AlertKind: String] = [:]

    init(_ section: ConfigurationSection) throws {
        let images = try section.section("images")
        for kind in AlertKind.allCases { self.images[kind] = try images.readableFile(kind.rawValue) }
    }
}
