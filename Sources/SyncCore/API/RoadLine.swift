import RoadMap

/// A road as it is drawn on the web map.
struct RoadLine: Sendable {
    let roadClass: RoadClass
    /// Its line.
    let places: [WebMapPlace]
    /// The box around it, in units.
    let west: Int32, east: Int32, north: Int32, south: Int32

    init(_ line: MapFile.Line) { self.init(roadClass: line.roadClass, places: line.shape.map(WebMapPlace.init)) }

    private init(roadClass: RoadClass, places: [WebMapPlace]) {
        (self.roadClass, self.places) = (roadClass, places)
        west = places.map(\.x).min() ?? 0
        east = places.map(\.x).max() ?? 0
        north = places.map(\.y).min() ?? 0
        south = places.map(\.y).max() ?? 0
    }

    /// The same without places that are nearer than `units` to the one before; both ends stay, so that roads that meet go on meeting.
    func coarser(than units: Int32) -> RoadLine {
        var kept: [WebMapPlace] = []
        for place in places.dropLast() {
            guard let last = kept.last else {
                kept.append(place)
                continue
            }
            if abs(place.x - last.x) >= units || abs(place.y - last.y) >= units { kept.append(place) }
        }
        return RoadLine(roadClass: roadClass, places: kept + places.suffix(1))
    }

    /// Column and row of its first place in 1/16 of a pixel from the square's corner, then the steps to the others; nil when all of it is one place.
    ///
    /// Places are put on a `grid` of so many sixteenths (a power of two), so that the ends of neighbouring roads stay together.
    func steps(in square: WebMapSquare, grid: Int) -> [Int]? {
        let bits = 18 - square.zoom
        var steps: [Int] = []
        var last: (x: Int, y: Int)?
        for place in places {
            let here = (x: ((Int(place.x) - square.x) >> bits) & ~(grid - 1), y: ((Int(place.y) - square.y) >> bits) & ~(grid - 1))
            if let last {
                guard here != last else { continue }
                steps += [here.x - last.x, here.y - last.y]
            } else {
                steps = [here.x, here.y]
            }
            last = here
        }
        return steps.count > 2 ? steps : nil
    }
}
