import FleetRuntime
import RoadMap

/// The roads of a map file in squares of the usual web map (spherical Mercator, 2^zoom squares to a side), for drawing.
///
/// Reads on a thread of its own: a look-up blocks on the disk.
actor RoadTiles {
    /// A square's roads: of each the class, then its line in 1/16 of a pixel of 256, the first place in full, the others as steps.
    struct Tile: Encodable, Sendable { let roads: [[Int]] }

    /// The nearest zoom that maps are drawn at.
    static let nearestZoom = 18
    /// Below this zoom a square holds a good part of a country: its roads come from memory, where only the greater ones are kept.
    private static let overviewBelow = 12
    /// Roads kept in memory and roads that one square holds at most; the greater ones first.
    private static let (maximumOverview, maximumRoads) = (400_000, 8000)

    private let executor = BlockingExecutor(label: "road-tiles")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let map: MapFile
    private var overview: [RoadLine]?

    init(map: MapFile) { self.map = map }

    /// The roads of the square `x`, `y` at `zoom`; nil when there is no such square. Throws when the file cannot be read.
    func tile(zoom: Int, x: Int, y: Int) throws -> Tile? {
        guard let square = WebMapSquare(zoom: zoom, x: x, y: y), zoom <= Self.nearestZoom else { return nil }
        // Roads of which the square shows no more than a single place, or the same as of another, are not told.
        var told: Set<[Int]> = []
        var roads: [[Int]] = []
        for line in try lines(of: square) where roads.count < Self.maximumRoads {
            guard let steps = line.steps(in: square, grid: zoom < Self.overviewBelow ? 8 : 2) else { continue }
            let road = [line.roadClass.rawValue] + steps
            if told.insert(road).inserted { roads.append(road) }
        }
        return Tile(roads: roads)
    }

    private func lines(of square: WebMapSquare) throws -> [RoadLine] {
        let least = Self.least(square.zoom)
        guard square.zoom < Self.overviewBelow else {
            let box = square.degrees
            return try map.lines(
                west: box.west, east: box.east, south: box.south, north: box.north, upTo: least, limit: Self.maximumRoads
            ).map(RoadLine.init)
        }
        return try wholeOverview().filter { $0.roadClass.rawValue <= least.rawValue && square.touches($0) }
    }

    /// The greater roads of the whole file, read at the first use: some seconds for a country.
    private func wholeOverview() throws -> [RoadLine] {
        if let overview { return overview }
        let coarse = WebMapPlace.units(ofPixels: 0.5, at: Self.overviewBelow - 1)
        let read = try map.lines(upTo: Self.least(Self.overviewBelow - 1), limit: Self.maximumOverview).map {
            RoadLine($0).coarser(than: coarse)
        }
        overview = read
        return read
    }

    /// The least road that is drawn at `zoom`.
    private static func least(_ zoom: Int) -> RoadClass {
        switch zoom {
        case ..<7: .motorwayLink
        case 7, 8: .trunkLink
        case 9, 10: .primaryLink
        case 11: .secondaryLink
        case 12, 13: .tertiaryLink
        default: .road
        }
    }
}
