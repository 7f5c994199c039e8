import FleetRuntime

/// One entry of the list `landmarks`: a picture that is looked for in the frames.
public struct LandmarkConfiguration: Sendable {
    /// What the event calls it.
    public var name: String
    /// The picture: the thing alone, seen straight on.
    public var imagePath: String
    /// Normalised correlation from which it counts as found.
    public var minimumScore: Double
    /// Sizes at which it is looked for, over the picture's own size.
    public var smallest: Double
    public var largest: Double
    /// Degrees that it may be turned, either way.
    public var maximumAngleDeg: Double

    init(_ section: ConfigurationSection) throws {
        name = try section.requiredString("name")
        guard (1...64).contains(name.count), name.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
            throw section.error("name", "must be 1 to 64 printable characters")
        }
        guard let path = try section.readableFile("image") else {
            throw section.error("image", "is missing; it names the picture that is looked for")
        }
        imagePath = path
        minimumScore = try section.number("minimumScore", in: 0.5...1) ?? 0.9
        smallest = try section.number("smallest", in: 0.05...10) ?? 0.5
        largest = try section.number("largest", in: 0.05...10) ?? 2
        maximumAngleDeg = try section.number("maximumAngleDeg", in: 0...30) ?? 8
        guard smallest <= largest else { throw section.error("smallest", "must not be larger than largest") }
    }

    /// The list `landmarks` of the file's root. Throws when a name stands there twice.
    static func list(_ root: ConfigurationSection) throws -> [LandmarkConfiguration] {
        var known: Set<String> = []
        return try root.sections("landmarks").map { section in
            let one = try LandmarkConfiguration(section)
            guard known.insert(one.name).inserted else { throw section.error("name", "\"\(one.name)\" stands here twice") }
            return one
        }
    }
}
