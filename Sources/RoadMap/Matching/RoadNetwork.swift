import WorldModel

/// The roads about a place, and where they meet: ways are joined where they share a node, so that a bridge is not joined to what it crosses.
struct RoadNetwork: Sendable {
    /// A road on the plane.
    struct Road: Sendable {
        let way: MapWay
        let points: [MapPlane.Point]
        /// Metres from the way's first place to each place.
        let alongs: [Double]
        /// Places at which other roads, or this one again, meet it.
        var junctions: [Int] = []

        private let west: Double
        private let east: Double
        private let south: Double
        private let north: Double

        var length: Double { alongs[alongs.count - 1] }

        init(_ way: MapWay, on plane: MapPlane) {
            self.way = way
            points = way.shape.map(plane.point)
            var alongs = [0.0]
            for (a, b) in zip(points, points.dropFirst()) { alongs.append(alongs[alongs.count - 1] + (b - a).length) }
            self.alongs = alongs
            west = points.reduce(.infinity) { min($0, $1.x) }
            east = points.reduce(-.infinity) { max($0, $1.x) }
            south = points.reduce(.infinity) { min($0, $1.y) }
            north = points.reduce(-.infinity) { max($0, $1.y) }
        }

        /// Whether the rectangle about the road reaches within `distanceM` of `point`.
        func isNear(_ point: MapPlane.Point, _ distanceM: Double) -> Bool {
            point.x >= west - distanceM && point.x <= east + distanceM && point.y >= south - distanceM
                && point.y <= north + distanceM
        }

        /// The number of the piece between two places on which `along` lies.
        private func piece(at along: Double) -> Int {
            var (low, high) = (0, points.count - 2)
            while low < high {
                let middle = (low + high + 1) / 2
                if alongs[middle] <= along { low = middle } else { high = middle - 1 }
            }
            return low
        }

        /// The place `along` metres from the way's beginning, and the direction of the way there (length 1).
        func place(at along: Double) -> (point: MapPlane.Point, tangent: MapPlane.Point) {
            let i = piece(at: along)
            let step = points[i + 1] - points[i]
            let length = max(step.length, 1e-9)
            let share = min(max((along - alongs[i]) / length, 0), 1)
            return (
                MapPlane.Point(x: points[i].x + share * step.x, y: points[i].y + share * step.y),
                MapPlane.Point(x: step.x / length, y: step.y / length)
            )
        }

        /// The nearest place of the road to `point`.
        func nearest(to point: MapPlane.Point) -> (along: Double, distanceM: Double) {
            var best = (along: 0.0, distanceM: Double.infinity)
            for i in 0..<(points.count - 1) {
                let step = points[i + 1] - points[i]
                let squared = max(step.dot(step), 1e-12)
                let share = min(max((point - points[i]).dot(step) / squared, 0), 1)
                let foot = MapPlane.Point(x: points[i].x + share * step.x, y: points[i].y + share * step.y)
                let distance = (point - foot).length
                if distance < best.distanceM { best = (alongs[i] + share * squared.squareRoot(), distance) }
            }
            return best
        }

        /// The direction of travel (length 1) on leaving place `vertex` in `direction`, and on coming to it; nil where the road ends.
        func departure(_ vertex: Int, _ direction: RoadLimits.Direction) -> MapPlane.Point? {
            let next = direction == .forward ? vertex + 1 : vertex - 1
            return points.indices.contains(next) ? unit(points[next] - points[vertex]) : nil
        }

        func arrival(_ vertex: Int, _ direction: RoadLimits.Direction) -> MapPlane.Point? {
            let before = direction == .forward ? vertex - 1 : vertex + 1
            return points.indices.contains(before) ? unit(points[vertex] - points[before]) : nil
        }

        private func unit(_ step: MapPlane.Point) -> MapPlane.Point {
            let length = max(step.length, 1e-9)
            return MapPlane.Point(x: step.x / length, y: step.y / length)
        }

        /// Whether the traffic's direction allows `direction`.
        func allows(_ direction: RoadLimits.Direction) -> Bool {
            switch way.traffic {
            case .bothWays: true
            case .forwardOnly: direction == .forward
            case .backwardOnly: direction == .backward
            }
        }
    }

    /// A place of a road.
    struct Vertex: Hashable, Sendable {
        var road: Int
        var index: Int
    }

    let plane: MapPlane
    let roads: [Road]
    private let meetings: [MapPoint: [Vertex]]
    private let numbers: [Int64: Int]

    init(_ ways: [MapWay], about place: GeoPoint) {
        plane = MapPlane(about: place)
        var roads = ways.map { [plane] in Road($0, on: plane) }
        var first: [MapPoint: Vertex] = [:]
        var meetings: [MapPoint: [Vertex]] = [:]
        for (road, way) in ways.enumerated() {
            for (index, point) in way.shape.enumerated() {
                let vertex = Vertex(road: road, index: index)
                guard let other = first.updateValue(vertex, forKey: point) else { continue }
                meetings[point, default: [other]].append(vertex)
            }
        }
        for (road, way) in ways.enumerated() {
            roads[road].junctions = way.shape.indices.filter { meetings[way.shape[$0]] != nil }
        }
        self.roads = roads
        self.meetings = meetings
        numbers = Dictionary(ways.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// The road with OpenStreetMap's number `id`; nil when it is not near.
    func road(id: Int64) -> Int? { numbers[id] }

    /// All roads' places at the junction `vertex`, that one included.
    func meeting(_ vertex: Vertex) -> [Vertex] { meetings[roads[vertex.road].way.shape[vertex.index]] ?? [] }

    /// Metres back along `road` to the last junction of at least three public legs; nil where there is none on this road.
    func sinceJunctionM(on road: Int, at along: Double, _ direction: RoadLimits.Direction) -> Double? {
        let sign: Double = direction == .forward ? 1 : -1
        return roads[road].junctions.compactMap { index -> Double? in
            let behind = sign * (along - roads[road].alongs[index])
            guard behind >= 0 else { return nil }
            let legs = meeting(Vertex(road: road, index: index)).reduce(0) { legs, vertex in
                guard !roads[vertex.road].way.roadClass.isMinor else { return legs }
                let isEnd = vertex.index == 0 || vertex.index == roads[vertex.road].points.count - 1
                return legs + (isEnd ? 1 : 2)
            }
            return legs >= 3 ? behind : nil
        }
        .min()
    }
}
