import FleetModel
import FleetRuntime
import FoundationEssentials
import RoadMap

extension ZoneLimits {
    /// Largest zone file that is read, in bytes.
    public static let maximumFileBytes = 16 * 1024 * 1024

    /// Reads a GeoJSON FeatureCollection (RFC 7946) of Polygon and MultiPolygon features, each with the property
    /// `limit: "30 km/h"` and, if it likes, a `name` and a `schedule: "Mo-Fr 06:00-18:00"` in the local time of `clock`. Throws
    /// `UserError` that names the file, the feature and what is wrong.
    public init(geoJSON path: String, clock: LocalClock = .unknown) throws {
        try self.init(geoJSON: FilePieces.contents(of: path, limit: Self.maximumFileBytes), file: path, clock: clock)
    }

    /// Reads the bytes of a zone file; `file` is its name in errors.
    public init(geoJSON data: Data, file: String, clock: LocalClock = .unknown) throws {
        let collection: FeatureCollection
        do {
            collection = try JSONDecoder().decode(FeatureCollection.self, from: data)
        } catch let error as DecodingError {
            throw UserError(.badData, "\(file): \(Self.describe(error)); zones are a GeoJSON FeatureCollection of polygons")
        }
        guard collection.type == "FeatureCollection" else {
            throw UserError(.badData, "\(file): type is \"\(collection.type)\", must be \"FeatureCollection\"")
        }
        let zones = try collection.features.enumerated().map { try Self.zone($0.element, number: $0.offset, file: file) }
        if let number = zones.firstIndex(where: { $0.times != nil }), !clock.isKnown {
            throw UserError(
                .badData,
                "\(file): features[\(number)]: properties.schedule needs a time zone; set overspeed.timeZone, e.g. \"Europe/Berlin\""
            )
        }
        self.init(zones: zones, clock: clock)
    }

    private static func zone(_ feature: Feature, number: Int, file: String) throws -> Zone {
        func fail(_ what: String) -> UserError { UserError(.badData, "\(file): features[\(number)]: \(what)") }
        guard let text = feature.properties?.limit else { throw fail("properties.limit is missing, e.g. \"30 km/h\"") }
        guard let limit = Quantity.speed(text) else {
            throw fail("properties.limit \"\(text)\" is no speed; write a number and km/h, mph, kn or m/s")
        }
        guard (1...100).contains(limit.metresPerSecond) else { throw fail("properties.limit \"\(text)\" is not 1 to 100 m/s") }
        let times = try feature.properties?.schedule.map { text in
            guard let times = WeeklyTimes(text) else {
                throw fail("properties.schedule \"\(text)\" is not understood; write e.g. \"Mo-Fr 06:00-18:00; Sa 08:00-12:00\"")
            }
            return times
        }
        guard let geometry = feature.geometry else { throw fail("geometry is missing") }
        let polygons = try geometry.polygons.map { rings in
            let points = try rings.map { ring -> [ZonePolygon.Point] in
                switch positions(of: ring) {
                case .success(let points): return points
                case .failure(let problem): throw fail(problem.text)
                }
            }
            guard let polygon = ZonePolygon(rings: points) else { throw fail("a polygon has no ring") }
            return polygon
        }
        guard !polygons.isEmpty else { throw fail("geometry has no polygon") }
        return Zone(name: feature.properties?.name, limit: limit, polygons: polygons, times: times)
    }

    private struct RingProblem: Error { let text: String }

    private static func positions(of ring: [[Double]]) -> Result<[ZonePolygon.Point], RingProblem> {
        var points: [ZonePolygon.Point] = []
        for position in ring {
            guard position.count >= 2, (-180.0...180).contains(position[0]), (-90.0...90).contains(position[1]) else {
                return .failure(RingProblem(text: "a position is not [longitude, latitude] in degrees: \(position)"))
            }
            points.append(ZonePolygon.Point(longitude: position[0], latitude: position[1]))
        }
        guard points.count >= 4, points.first == points.last else {
            return .failure(RingProblem(text: "a ring must have at least 4 positions and end where it begins"))
        }
        points.removeLast()
        return .success(points)
    }

    private static func describe(_ error: DecodingError) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.reduce(into: "") { text, key in
                if let index = key.intValue {
                    text += "[\(index)]"
                } else {
                    text += (text.isEmpty ? "" : ".") + key.stringValue
                }
            }
        }
        switch error {
        case .keyNotFound(let key, let context):
            let parent = path(context)
            return "\(parent.isEmpty ? "" : parent + ".")\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(path(context).isEmpty ? "the file" : path(context)) has the wrong type"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "not JSON" : "\(path(context)): \(context.debugDescription)"
        @unknown default: return "not readable"
        }
    }
}

private struct FeatureCollection: Decodable {
    var type: String
    var features: [Feature]
}

private struct Feature: Decodable {
    struct Properties: Decodable {
        var limit: String?
        var name: String?
        var schedule: String?
    }

    var properties: Properties?
    var geometry: Geometry?
}

/// A Polygon or MultiPolygon as a list of polygons: each a list of rings, each a list of positions.
private struct Geometry: Decodable {
    var polygons: [[[[Double]]]]

    private enum Key: String, CodingKey { case type, coordinates }

    init(from decoder: any Decoder) throws {
        let c = try decoder.container(keyedBy: Key.self)
        switch try c.decode(String.self, forKey: .type) {
        case "Polygon": polygons = [try c.decode([[[Double]]].self, forKey: .coordinates)]
        case "MultiPolygon": polygons = try c.decode([[[[Double]]]].self, forKey: .coordinates)
        case let other:
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: c, debugDescription: "\"\(other)\" is not Polygon or MultiPolygon")
        }
    }
}
