import FleetModel
import FleetRuntime
import Foundation
import Testing
import WorldModel

@testable import SpeedLimits

@Suite struct ZoneLimitsTests {
    static func feature(_ coordinates: String, limit: String = "\"30 km/h\"", type: String = "Polygon") -> String {
        """
        {"type":"Feature","properties":{"limit":\(limit),"name":"yard"},"geometry":{"type":"\(type)","coordinates":\(coordinates)}}
        """
    }

    static func zones(_ features: String...) throws -> ZoneLimits {
        let text = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
        return try ZoneLimits(geoJSON: Data(text.utf8), file: "zones.geojson")
    }

    static func ego(_ latitude: Double, _ longitude: Double) -> EgoState {
        var ego = EgoState(mode: 3, degraded: [])
        ego.position = GeoPoint(latitude: latitude, longitude: longitude)
        return ego
    }

    /// A square from 11 to 12 degrees east and 48 to 49 north with a hole in its middle.
    static let square = "[[[11,48],[12,48],[12,49],[11,49],[11,48]],[[11.4,48.4],[11.6,48.4],[11.6,48.6],[11.4,48.6],[11.4,48.4]]]"

    @Test(
        "A place is in a zone inside the outer ring and outside of holes",
        arguments: [
            (48.1, 11.1, true), (48.5, 11.5, false), (48.5, 11.3, true), (47.9, 11.5, false), (48.5, 12.1, false),
            (48.9, 11.9, true),
        ])
    func inside(latitude: Double, longitude: Double, isInside: Bool) throws {
        let limit = try Self.zones(Self.feature(Self.square)).limit(for: Self.ego(latitude, longitude))
        #expect(limit == (isInside ? SpeedLimit(Speed(30, .kilometresPerHour), source: .zone, name: "yard") : nil))
    }

    @Test("A place on the border of two zones is in one of them")
    func border() throws {
        let west = "[[[11,48],[12,48],[12,49],[11,49],[11,48]]]"
        let east = "[[[12,48],[13,48],[13,49],[12,49],[12,48]]]"
        let zones = try Self.zones(Self.feature(west), Self.feature(east, limit: "\"50 km/h\""))
        #expect(zones.limit(for: Self.ego(48.5, 12))?.limit.value == 50)
    }

    @Test("Several polygons make one zone; the lowest limit of overlapping zones applies")
    func multiAndOverlap() throws {
        let two = "[[[[1,1],[2,1],[2,2],[1,2],[1,1]]],[[[5,5],[6,5],[6,6],[5,6],[5,5]]]]"
        let zones = try Self.zones(
            Self.feature(two, limit: "\"20 mph\"", type: "MultiPolygon"),
            Self.feature("[[[0,0],[9,0],[9,9],[0,9],[0,0]]]", limit: "\"50 km/h\""))
        #expect(zones.count == 2)
        #expect(zones.limit(for: Self.ego(5.5, 5.5))?.limit == Speed(20, .milesPerHour))
        #expect(zones.limit(for: Self.ego(3, 3))?.limit == Speed(50, .kilometresPerHour))
    }

    @Test("Zone goes before default; without either the limit is unknown")
    func precedence() throws {
        var both = LimitPrecedence([try Self.zones(Self.feature(Self.square)), DefaultLimit(Speed(50, .kilometresPerHour))])
        #expect(both.limit(for: Self.ego(48.1, 11.1))?.source == .zone)
        #expect(both.limit(for: Self.ego(40, 11.1))?.source == .configuration)
        #expect(both.limit(for: .unknown)?.limit.value == 50)
        var zonesOnly = LimitPrecedence([try Self.zones(Self.feature(Self.square))])
        #expect(zonesOnly.limit(for: .unknown) == nil)
        #expect(zonesOnly.limit(for: Self.ego(40, 11.1)) == nil)
    }

    @Test(
        "A bad file is refused with the file, the place in it and what is wrong",
        arguments: [
            ("nonsense", "zones.geojson: not JSON"),
            ("[]", "zones.geojson: the file has the wrong type"),
            ("{\"type\":\"FeatureCollection\"}", "zones.geojson: features is missing"),
            ("{\"type\":\"Topology\",\"features\":[]}", "type is \"Topology\""),
            (
                "{\"type\":\"FeatureCollection\",\"features\":[\(feature(square, limit: "30"))]}",
                "features[0].properties.limit has the wrong type"
            ),
            (
                "{\"type\":\"FeatureCollection\",\"features\":[\(feature(square, limit: "\"30\""))]}",
                "features[0]: properties.limit \"30\" is no speed"
            ),
            ("{\"type\":\"FeatureCollection\",\"features\":[\(feature(square, limit: "null"))]}", "properties.limit is missing"),
            (
                "{\"type\":\"FeatureCollection\",\"features\":[\(feature("[[[0,0],[1,1],[0,0]]]"))]}",
                "a ring must have at least 4 positions"
            ),
            (
                "{\"type\":\"FeatureCollection\",\"features\":[\(feature("[[[0,0],[1,0],[1,95],[0,0]]]"))]}",
                "a position is not [longitude, latitude]"
            ),
            (
                "{\"type\":\"FeatureCollection\",\"features\":[\(feature("[1,2]", type: "Point"))]}",
                "\"Point\" is not Polygon or MultiPolygon"
            ),
            ("{\"type\":\"FeatureCollection\",\"features\":[\(feature("[]"))]}", "a polygon has no ring"),
        ])
    func badFile(text: String, expected: String) {
        let error = #expect(throws: UserError.self) { try ZoneLimits(geoJSON: Data(text.utf8), file: "zones.geojson") }
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
        #expect(error?.code == .badData)
    }
}
