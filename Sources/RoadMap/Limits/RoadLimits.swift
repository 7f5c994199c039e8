import FleetModel

/// The limits of one road as its tags state them, for both directions.
public struct RoadLimits: Hashable, Sendable {
    /// Along the way's own direction or against it.
    public enum Direction: Hashable, Sendable { case forward, backward }

    /// What applies to one direction at one time.
    public struct Applied: Hashable, Sendable {
        /// The limit, as far as it is known.
        public var limit: StatedLimit
        /// The lowest limit that may apply, when a condition cannot be told or lanes differ; nil when nothing is open.
        public var lowest: Speed?
        /// The highest that may apply; nil when nothing is open.
        public var highest: Speed?
        /// Whether the number comes from a table of the law instead of the map.
        public var isImplicit: Bool
        /// What is open, in words; nil when nothing is.
        public var open: String?
    }

    private struct OneWay: Hashable {
        var base: StatedLimit = .unknown(.untagged)
        var isImplicit = false
        var conditions: [ConditionalLimit] = []
        /// The different limits of lanes, where they are tagged.
        var lanes: [Speed] = []
    }

    private var forward = OneWay()
    private var backward = OneWay()

    /// The keys of OpenStreetMap that this reads; a star stands for any ending.
    public static let keys = ["maxspeed*", "source:maxspeed*", "zone:maxspeed", "zone:traffic"]

    /// From the tags of a way; other tags are not looked at.
    public init(tags: [String: String]) {
        forward = Self.oneWay(tags, "forward")
        backward = Self.oneWay(tags, "backward")
    }

    /// Whether any limit is stated for either direction.
    public var isStated: Bool {
        [forward, backward].contains { $0.base != .unknown(.untagged) || !$0.conditions.isEmpty || !$0.lanes.isEmpty }
    }

    /// What applies in `direction` at `time`; a nil time leaves conditions on times open.
    public func applied(_ direction: Direction, at time: LocalTime?) -> Applied {
        let way = direction == .forward ? forward : backward
        var result = Applied(limit: way.base, isImplicit: way.isImplicit)
        var possible: [StatedLimit] = []
        for restriction in way.conditions {
            switch restriction.holds(at: time) {
            case .no: break
            case .yes:
                // The later restriction of a tag overrules the earlier ones.
                (result.limit, result.isImplicit, result.open) = (restriction.limit, false, nil)
                possible = []
            case .unknown(let what):
                possible.append(restriction.limit)
                result.open = "\(restriction.limit) if \(what)"
            }
        }
        if way.lanes.count > 1 {
            possible += way.lanes.map(StatedLimit.speed)
            result.open = result.open ?? "lanes differ"
            if result.limit.speed == nil, let fastest = way.lanes.max(by: { $0.metresPerSecond < $1.metresPerSecond }) {
                result.limit = .speed(fastest)
            }
        } else if result.limit == .unknown(.untagged), let only = way.lanes.first {
            result.limit = .speed(only)
        }
        guard !possible.isEmpty else { return result }
        let speeds = ([result.limit] + possible).compactMap(\.speed).sorted { $0.metresPerSecond < $1.metresPerSecond }
        let isBounded = result.limit.speed != nil && !possible.contains(.unlimited)
        if let first = speeds.first, let last = speeds.last, first != last || !isBounded {
            result.lowest = first
            result.highest = isBounded ? last : nil
        }
        return result
    }

    private static func oneWay(_ tags: [String: String], _ direction: String) -> OneWay {
        var way = OneWay()
        let stated = (tags["maxspeed:\(direction)"] ?? tags["maxspeed"]).map(MaxspeedValue.parse) ?? .unknown(.untagged)
        way.base = stated
        let text = tags["maxspeed:\(direction)"] ?? tags["maxspeed"] ?? ""
        way.isImplicit = text.contains(":")
        if case .unknown(.untagged) = stated { implied(tags, direction, &way) }
        if case .unknown(.numberMissing) = stated { implied(tags, direction, &way) }
        let source = tags["source:maxspeed:\(direction)"] ?? tags["source:maxspeed"] ?? tags["maxspeed:type"]
        if tags["maxspeed:variable"].map({ $0 != "no" }) == true || source == "signals" || source?.hasSuffix(":signals") == true {
            // A number beside it is what the signs show when they are dark or cannot exceed; it is no limit to be held to.
            way.base = .unknown(.variable)
        }
        let conditional = tags["maxspeed:\(direction):conditional"] ?? tags["maxspeed:conditional"]
        way.conditions = conditional.map(ConditionalLimit.parse) ?? []
        if let lanes = tags["maxspeed:lanes:\(direction)"] ?? tags["maxspeed:lanes"] {
            way.lanes = Set(MaxspeedValue.lanes(lanes).compactMap { $0?.speed }).sorted { $0.metresPerSecond < $1.metresPerSecond }
        }
        return way
    }

    /// What the kind of zone, road or sign says where there is no number.
    private static func implied(_ tags: [String: String], _ direction: String, _ way: inout OneWay) {
        let keys = ["source:maxspeed:\(direction)", "zone:maxspeed", "maxspeed:type", "source:maxspeed", "zone:traffic"]
        for key in keys {
            guard let text = tags[key] else { continue }
            // Free texts stand in these tags too (a law's name): only what is understood counts.
            switch MaxspeedValue.parse(text) {
            case .speed(let speed): (way.base, way.isImplicit) = (.speed(speed), true)
            case .unlimited: (way.base, way.isImplicit) = (.unlimited, true)
            case .unknown(.variable): way.base = .unknown(.variable)
            case .unknown(.noTable(let what)):
                way.base = .unknown(.noTable(what))
                continue
            case .unknown(.numberMissing):
                way.base = .unknown(.numberMissing)
                continue
            case .unknown: continue
            }
            return
        }
    }
}
