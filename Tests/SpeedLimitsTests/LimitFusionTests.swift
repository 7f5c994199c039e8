import FleetModel
import FleetRuntime
import Foundation
import Testing
import WorldModel

@testable import RoadMap
@testable import SpeedLimits

@Suite struct LimitFusionTests {
    /// 3 km to the east, then another road; a road to the north leaves at 1 km and has no tag.
    static func roads(_ first: [String: String], _ second: [String: String] = [:]) -> ListedRoads {
        ListedRoads([
            ListedRoads.road(1, first, name: "East", (0, 0), (1000, 0), (3000, 0)),
            ListedRoads.road(2, second, name: "Far East", (3000, 0), (12_000, 0)),
            ListedRoads.road(3, [:], name: "North", (1000, 0), (1000, 2000)),
        ])
    }

    static let kmh50 = Speed(50, .kilometresPerHour)

    @Test("S14 the map's limit carries its source, its road and a confidence that asks for confirmation")
    func mapAlone() throws {
        var fusion = LimitFusion(roads: Self.roads(["maxspeed": "50"]), defaultLimit: Speed(30, .kilometresPerHour))
        var vehicle = Vehicle()
        let limit = try #require(vehicle.drive(400, &fusion).last ?? nil)
        #expect(limit.limit == Self.kmh50)
        #expect(limit.source == .map)
        #expect(limit.name == "East")
        #expect((0.6..<0.9).contains(limit.confidence), "\(limit.confidence)")
        #expect(limit.lowest == nil && limit.highest == nil)
        #expect(fusion.decision == .map)
    }

    @Test("G16 the limit changes where the road's limit changes, and to unknown where the map has none")
    func border() {
        var fusion = LimitFusion(roads: Self.roads(["maxspeed": "50"], ["maxspeed": "90"]))
        var vehicle = Vehicle()
        let limits = vehicle.drive(4000, &fusion).map { $0?.limit.value }
        let border = limits.firstIndex(of: 90)
        // 3000 m at 20 m/s: the fix at the very border may count to either side.
        #expect(border.map { (148...151).contains($0) } == true, "\(border ?? -1)")
        #expect(limits.drop { $0 == nil || $0 == 50 }.allSatisfy { $0 == 90 })
        var untagged = LimitFusion(roads: Self.roads(["maxspeed": "50"]))
        var other = Vehicle()
        #expect(other.drive(4000, &untagged).last == .some(nil))
        #expect(untagged.decision == .unknown)
    }

    @Test("S5 the limit of the road before does not go along into a road without one")
    func turnOff() {
        var fusion = LimitFusion(roads: Self.roads(["maxspeed": "50"]))
        var vehicle = Vehicle()
        #expect(vehicle.drive(1000, &fusion).last??.limit == Self.kmh50)
        vehicle.headingDeg = 0
        #expect(vehicle.drive(400, &fusion).last == .some(nil))
    }

    @Test("S5 a sign without a map ends 5 km on, and with a turn of 90 degrees")
    func signWithoutMap() {
        var fusion = LimitFusion()
        var vehicle = Vehicle()
        _ = vehicle.drive(100, &fusion)
        fusion.observe(vehicle.sign(.limit, 30), ego: vehicle.ego)
        let limits = vehicle.drive(5000, &fusion)
        #expect(limits.first??.limit.value == 30)
        #expect(limits.first??.source == .sign)
        #expect(limits[50]?.limit.value == 30)
        #expect(limits.last == .some(nil))
        fusion.observe(vehicle.sign(.limit, 30), ego: vehicle.ego)
        #expect(vehicle.drive(200, &fusion).last??.limit.value == 30)
        vehicle.headingDeg = 0
        #expect(vehicle.drive(200, &fusion).last == .some(nil))
    }

    @Test("A zone's sign goes along into the next road")
    func zoneSign() {
        var fusion = LimitFusion(roads: Self.roads([:]))
        var vehicle = Vehicle()
        _ = vehicle.drive(100, &fusion)
        fusion.observe(vehicle.sign(.zone, 30), ego: vehicle.ego)
        _ = vehicle.drive(900, &fusion)
        vehicle.headingDeg = 0
        #expect(vehicle.drive(300, &fusion).last??.limit.value == 30)
    }

    @Test("A sign that the map bears out is nearly certain; one that it contradicts holds until the next junction")
    func signAndMap() throws {
        var fusion = LimitFusion(roads: Self.roads(["maxspeed": "50"]))
        var vehicle = Vehicle()
        _ = vehicle.drive(200, &fusion)
        fusion.observe(vehicle.sign(.limit, 50, confidence: 0.95), ego: vehicle.ego)
        let both = try #require(vehicle.drive(20, &fusion).last ?? nil)
        #expect(both.source == .sign)
        #expect(both.confidence > 0.98)
        #expect(fusion.decision == .signAndMap)
        fusion.observe(vehicle.sign(.limit, 70), ego: vehicle.ego)
        let contrary = try #require(vehicle.drive(20, &fusion).last ?? nil)
        #expect(contrary.limit.value == 70)
        #expect(contrary.lowest == Self.kmh50)
        #expect(contrary.confidence >= 0.9)
        // The junction with the road to the north lies at 1000 m.
        let after = try #require(vehicle.drive(1000, &fusion).last ?? nil)
        #expect(after.limit == Self.kmh50)
        #expect(after.source == .map)
        #expect(after.lowest?.value == 50 && after.highest?.value == 70)
        #expect(fusion.decision == .mapAgainstSign)
    }

    @Test("S12 an end sign clears the limit, and the map's same number is not taken for the new one")
    func endSign() {
        var fusion = LimitFusion(roads: Self.roads(["maxspeed": "80"]))
        var vehicle = Vehicle()
        _ = vehicle.drive(200, &fusion)
        fusion.observe(vehicle.sign(.limit, 80), ego: vehicle.ego)
        #expect(vehicle.drive(100, &fusion).last??.limit.value == 80)
        fusion.observe(vehicle.sign(.endOfLimit, 80), ego: vehicle.ego)
        #expect(vehicle.drive(200, &fusion).allSatisfy { $0 == nil })
        #expect(vehicle.drive(300, &fusion).last??.limit.value == 80, "the map is believed again 300 m on")

        var without = LimitFusion()
        var other = Vehicle()
        _ = other.drive(20, &without)
        without.observe(other.sign(.limit, 80), ego: other.ego)
        #expect(other.drive(20, &without).last??.limit.value == 80)
        without.observe(other.sign(.endOfAll, nil), ego: other.ego)
        #expect(other.drive(1000, &without).allSatisfy { $0 == nil })
    }

    @Test(
        "S4 S12 a limit for lorries, when wet or in certain hours sets no limit: the one before becomes a range until the next sign"
    )
    func restrictedSign() throws {
        var fusion = LimitFusion()
        var vehicle = Vehicle()
        _ = vehicle.drive(20, &fusion)
        fusion.observe(vehicle.sign(.limit, 120), ego: vehicle.ego)
        #expect(vehicle.drive(100, &fusion).last??.confidence ?? 0 > 0.9)
        fusion.observe(vehicle.sign(.restricted, 80), ego: vehicle.ego)
        let range = try #require(vehicle.drive(100, &fusion).last ?? nil)
        #expect(range.limit.value == 120 && range.source == .sign)
        #expect(range.lowest?.value == 80 && range.highest?.value == 120)
        #expect(range.confidence < 0.9, "unconfirmed")
        #expect(fusion.decision == .restricted)
        // One above the limit before may hold too: no alert below it.
        fusion.observe(vehicle.sign(.restricted, 130), ego: vehicle.ego)
        let wide = try #require(vehicle.drive(100, &fusion).last ?? nil)
        #expect(wide.limit.value == 120 && wide.highest?.value == 130)
        fusion.observe(vehicle.sign(.limit, 100), ego: vehicle.ego)
        let plain = try #require(vehicle.drive(40, &fusion).last ?? nil)
        #expect(plain.limit.value == 100 && plain.lowest == nil && plain.highest == nil)
        #expect(fusion.decision == .sign)
    }

    @Test("S4 S12 a restricted limit where nothing is known leaves the limit unknown, and ends with a turn and with an end sign")
    func restrictedAlone() throws {
        var unknown = LimitFusion()
        var vehicle = Vehicle()
        _ = vehicle.drive(20, &unknown)
        unknown.observe(vehicle.sign(.restricted, 30), ego: vehicle.ego)
        #expect(vehicle.drive(300, &unknown).allSatisfy { $0 == nil })

        for isTurn in [true, false] {
            var fusion = LimitFusion(defaultLimit: Speed(50, .kilometresPerHour))
            var other = Vehicle()
            _ = other.drive(100, &fusion)
            fusion.observe(other.sign(.restricted, 30), ego: other.ego)
            #expect(other.drive(100, &fusion).last??.lowest?.value == 30)
            if isTurn { other.headingDeg = 0 } else { fusion.observe(other.sign(.endOfAll, nil), ego: other.ego) }
            let after = try #require(other.drive(400, &fusion).last ?? nil)
            #expect(after.limit.value == 50 && after.lowest == nil)
        }
    }

    @Test("The end of another limit than the one in force leaves that one")
    func otherEnd() {
        var fusion = LimitFusion()
        var vehicle = Vehicle()
        _ = vehicle.drive(20, &fusion)
        fusion.observe(vehicle.sign(.limit, 60), ego: vehicle.ego)
        _ = vehicle.drive(20, &fusion)
        fusion.observe(vehicle.sign(.endOfLimit, 80), ego: vehicle.ego)
        #expect(vehicle.drive(20, &fusion).last??.limit.value == 60)
    }

    @Test("S4 a limit for wet roads makes a range and no lower limit")
    func conditional() throws {
        var fusion = LimitFusion(roads: Self.roads(["maxspeed": "130", "maxspeed:conditional": "80 @ wet"]))
        var vehicle = Vehicle()
        let limit = try #require(vehicle.drive(300, &fusion).last ?? nil)
        #expect(limit.limit.value == 130)
        #expect(limit.lowest?.value == 80 && limit.highest?.value == 130)
    }

    @Test(
        "A limit for certain hours follows the local clock",
        arguments: [("2026-06-01T20:30:00Z", 30.0), ("2026-06-01T12:00:00Z", 50)])
    func hours(start: String, kmh: Double) throws {
        let clock = try #require(LocalClock(timeZone: "Europe/Berlin"))
        // 22:30 and 14:00 in Berlin in summer.
        var fusion = LimitFusion(roads: Self.roads(["maxspeed": "50", "maxspeed:conditional": "30 @ (22:00-06:00)"]), clock: clock)
        var vehicle = Vehicle()
        vehicle.fixTime = Timestamp(start)
        #expect(vehicle.drive(300, &fusion).last??.limit.value == kmh)
    }

    @Test(
        "Where the map says that there is no limit, or that signs set it, the default does not apply",
        arguments: [("none", LimitFusion.Decision.unlimited), ("signals", .variable)])
    func notTheDefault(tag: String, decision: LimitFusion.Decision) {
        var fusion = LimitFusion(roads: Self.roads(["maxspeed": tag]), defaultLimit: Self.kmh50)
        var vehicle = Vehicle()
        #expect(vehicle.drive(300, &fusion).last == .some(nil))
        #expect(fusion.decision == decision)
        var untagged = LimitFusion(roads: Self.roads([:]), defaultLimit: Self.kmh50)
        var other = Vehicle()
        #expect(other.drive(300, &untagged).last??.source == .configuration)
    }

    @Test("The operator's zone goes before sign and map")
    func zoneFirst() throws {
        let text = """
            {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"limit":"10 km/h","name":"yard"},"geometry":
            {"type":"Polygon","coordinates":[[[10.9,47.9],[11.1,47.9],[11.1,48.1],[10.9,48.1],[10.9,47.9]]]}}]}
            """
        let zones = try ZoneLimits(geoJSON: Data(text.utf8), file: "z")
        var fusion = LimitFusion(zones: zones, roads: Self.roads(["maxspeed": "50"]))
        var vehicle = Vehicle()
        _ = vehicle.drive(100, &fusion)
        fusion.observe(vehicle.sign(.limit, 70), ego: vehicle.ego)
        #expect(vehicle.drive(100, &fusion).last??.limit.value == 10)
        #expect(fusion.decision == .zone)
    }

    @Test("A parallel road and a bridge over the road do not take the vehicle away")
    func parallelAndBridge() {
        let roads = ListedRoads([
            ListedRoads.road(1, ["maxspeed": "100"], .trunk, name: "Trunk", (0, 0), (4000, 0)),
            ListedRoads.road(2, ["maxspeed": "30"], .residential, name: "Parallel", (0, 18), (4000, 18)),
            ListedRoads.road(3, ["maxspeed": "50"], .secondary, name: "Bridge", (2000, -500), (2000, 500)),
        ])
        var fusion = LimitFusion(roads: roads)
        var vehicle = Vehicle()
        var generator = SeededGenerator(seed: 4, purpose: "noise")
        var limits: [Double?] = []
        for _ in 0..<180 {
            vehicle.east += 20
            vehicle.timeS += 1
            var ego = vehicle.ego
            ego.position = ListedRoads.place(vehicle.east + generator.normal(sd: 5), generator.normal(sd: 5))
            limits.append(fusion.limit(for: ego)?.limit.value)
        }
        #expect(limits.dropFirst(5).allSatisfy { $0 == 100 }, "\(limits)")
    }

    @Test("Through a tunnel without fixes the limit is unknown, and behind it the road is the tunnel's, not the one above")
    func tunnel() {
        var tunnel = ListedRoads.road(2, ["maxspeed": "80"], .trunk, name: "Tunnel", (1000, 0), (1200, 0))
        tunnel.isTunnel = true
        let roads = ListedRoads([
            ListedRoads.road(1, ["maxspeed": "80"], .trunk, name: "Trunk", (0, 0), (1000, 0)), tunnel,
            ListedRoads.road(3, ["maxspeed": "80"], .trunk, name: "Trunk", (1200, 0), (3000, 0)),
            ListedRoads.road(4, ["maxspeed": "30"], .residential, name: "Above", (900, 12), (3000, 12)),
        ])
        var fusion = LimitFusion(roads: roads)
        var vehicle = Vehicle()
        #expect(vehicle.drive(1000, &fusion).last??.limit.value == 80)
        for _ in 0..<8 {
            vehicle.east += 20
            vehicle.timeS += 1
            #expect(fusion.limit(for: EgoState(mode: 1, degraded: [.gpsNoFix])) == nil)
        }
        // The fixes behind it are nearer to the road above.
        vehicle.north = 7
        let behind = vehicle.drive(600, &fusion)
        #expect(behind.dropFirst(2).allSatisfy { $0?.limit.value == 80 }, "\(behind.map { $0?.limit.value })")
    }

    @Test("Without a position only the sign and the default are left")
    func noPosition() {
        var fusion = LimitFusion(roads: Self.roads(["maxspeed": "50"]), defaultLimit: Speed(80, .kilometresPerHour))
        #expect(fusion.limit(for: .unknown)?.source == .configuration)
        fusion.observe(Vehicle().sign(.limit, 60), ego: .unknown)
        #expect(fusion.limit(for: .unknown)?.limit.value == 60)
    }
}
