/// The kinds of road that a map file holds: the values of `highway` on which cars and lorries drive.
///
/// The raw value is what the file stores; it never changes its meaning.
public enum RoadClass: Int, Hashable, Sendable, CaseIterable {
    case motorway = 1
    case motorwayLink, trunk, trunkLink, primary, primaryLink, secondary, secondaryLink, tertiary, tertiaryLink
    case unclassified, residential, livingStreet, service, road

    /// The value of the tag `highway`.
    public var tag: String {
        switch self {
        case .motorway: "motorway"
        case .motorwayLink: "motorway_link"
        case .trunk: "trunk"
        case .trunkLink: "trunk_link"
        case .primary: "primary"
        case .primaryLink: "primary_link"
        case .secondary: "secondary"
        case .secondaryLink: "secondary_link"
        case .tertiary: "tertiary"
        case .tertiaryLink: "tertiary_link"
        case .unclassified: "unclassified"
        case .residential: "residential"
        case .livingStreet: "living_street"
        case .service: "service"
        case .road: "road"
        }
    }

    private static let byTag = Dictionary(uniqueKeysWithValues: allCases.map { ($0.tag, $0) })

    /// The class of a value of `highway`; nil for what is not driven on.
    public init?(tag: String) {
        guard let found = Self.byTag[tag] else { return nil }
        self = found
    }

    /// A slip road.
    public var isLink: Bool {
        switch self {
        case .motorwayLink, .trunkLink, .primaryLink, .secondaryLink, .tertiaryLink: true
        default: false
        }
    }

    /// Drives, alleys and the lanes of car parks: little traffic, and close beside others.
    public var isMinor: Bool { self == .service }
}
