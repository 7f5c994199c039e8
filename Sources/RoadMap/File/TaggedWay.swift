/// A way with the tags that matter, on its way from an OpenStreetMap file into a map file.
public struct TaggedWay: Sendable {
    /// OpenStreetMap's number of the way.
    public var id: Int64
    /// Key and value.
    public var tags: [String: String]
    /// Its line.
    public var shape: [MapPoint]

    /// All members.
    public init(id: Int64, tags: [String: String], shape: [MapPoint]) {
        self.id = id
        self.tags = tags
        self.shape = shape
    }

    /// The keys that are looked at; a star stands for any ending.
    public static let keys = ["highway", "name", "ref", "oneway", "junction", "tunnel", "bridge"] + RoadLimits.keys

    /// In which directions it may be driven: motorways and roundabouts are one-way without a tag.
    var traffic: MapWay.Traffic {
        switch tags["oneway"] {
        case "yes", "1", "true": .forwardOnly
        case "-1", "reverse": .backwardOnly
        case nil:
            tags["highway"] == "motorway" || tags["junction"] == "roundabout" || tags["junction"] == "circular"
                ? .forwardOnly : .bothWays
        default: .bothWays
        }
    }

    var isTunnel: Bool { tags["tunnel"].map { $0 != "no" } ?? false }
    var isBridge: Bool { tags["bridge"].map { $0 != "no" } ?? false }
    var name: String? { tags["name"] ?? tags["ref"] }

    /// The tags about limits alone, as text that is the same for the same tags: `key=value` lines in the order of the keys.
    var limitTags: String {
        tags.filter { $0.key.contains("maxspeed") || $0.key == "zone:traffic" }
            .sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value.filter { $0 != "\n" })" }
            .joined(separator: "\n")
    }

    /// The tags of a text that `limitTags` made.
    static func tags(of text: String) -> [String: String] {
        text.split(separator: "\n").reduce(into: [:]) { tags, line in
            guard let equals = line.firstIndex(of: "=") else { return }
            tags[String(line[..<equals])] = String(line[equals...].dropFirst())
        }
    }
}
