import FleetModel
import Testing

@testable import RoadMap

@Suite struct RoadLimitsTests {
    static func kmh(_ value: Double) -> StatedLimit { .speed(Speed(value, .kilometresPerHour)) }
    /// A Wednesday in May, at `hour`:`minute`.
    static func wednesday(_ hour: Int, _ minute: Int = 0) -> LocalTime {
        LocalTime(month: 5, day: 20, weekday: 2, minute: hour * 60 + minute)
    }

    @Test("Directions have limits of their own; the general one fills in")
    func directions() {
        let limits = RoadLimits(tags: ["maxspeed": "70", "maxspeed:backward": "50"])
        #expect(limits.applied(.forward, at: nil).limit == Self.kmh(70))
        #expect(limits.applied(.backward, at: nil).limit == Self.kmh(50))
        let one = RoadLimits(tags: ["maxspeed:forward": "80"])
        #expect(one.applied(.forward, at: nil).limit == Self.kmh(80))
        #expect(one.applied(.backward, at: nil).limit == .unknown(.untagged))
    }

    @Test("The number goes before the kind of zone or road, and the kind before nothing")
    func precedence() {
        let both = RoadLimits(tags: ["maxspeed": "70", "source:maxspeed": "DE:rural"]).applied(.forward, at: nil)
        #expect(both.limit == Self.kmh(70))
        #expect(!both.isImplicit)
        let kind = RoadLimits(tags: ["maxspeed": "sign", "zone:traffic": "DE:urban"]).applied(.forward, at: nil)
        #expect(kind.limit == Self.kmh(50))
        #expect(kind.isImplicit)
        let text = RoadLimits(tags: ["source:maxspeed": "Order 1977", "zone:traffic": "DE:rural"]).applied(.forward, at: nil)
        #expect(text.limit == Self.kmh(100))
        #expect(
            RoadLimits(tags: ["maxspeed": "120", "maxspeed:variable": "obstacle"]).applied(.forward, at: nil).limit
                == .unknown(.variable))
        #expect(!RoadLimits(tags: ["highway": "service"]).isStated)
    }

    static let hours: [(String, LocalTime, Double)] = [
        ("30 @ (22:00-06:00)", wednesday(21, 59), 50.0), ("30 @ (22:00-06:00)", wednesday(22), 30),
        ("30 @ (22:00-06:00)", wednesday(5, 59), 30), ("30 @ (22:00-06:00)", wednesday(6), 50),
        ("30 @ (Mo-Fr 07:00-16:30)", wednesday(7), 30), ("30 @ (Mo-Fr 07:00-16:30)", wednesday(16, 30), 50),
        ("30 @ (Sa,Su 07:00-16:30)", wednesday(12), 50), ("30 @ (Mo-Fr 07:00-08:00,12:00-13:00)", wednesday(12, 30), 30),
        ("30 @ (Mo-Fr 07:00-08:00, 12:00-13:00)", wednesday(12, 30), 30), ("30 @ (Mo-Fr)", wednesday(3), 30),
        ("80 @ (Nov-Mar)", wednesday(12), 50), ("80 @ (May 15-Jun 10)", wednesday(12), 80), ("80 @ (May 1-15)", wednesday(12), 50),
        ("30 @ (Tu 22:00-06:00)", wednesday(5), 30), ("30 @ (Tu 22:00-06:00)", wednesday(23), 50),
        ("30 @ (22:00-06:00); 40 @ (05:00-06:00)", wednesday(5, 30), 40), ("30 @ (24/7)", wednesday(5, 30), 30),
        ("30 @ (Mo-Fr 07:00-12:00; Sa 08:00-10:00)", wednesday(8), 30), ("none @ (22:00-06:00)", wednesday(12), 50),
    ]

    @Test("A limit for certain hours applies in them and not outside", arguments: hours)
    func times(conditional: String, time: LocalTime, kmh: Double) {
        let applied = RoadLimits(tags: ["maxspeed": "50", "maxspeed:conditional": conditional]).applied(.forward, at: time)
        #expect(applied.limit == Self.kmh(kmh))
        #expect(applied.lowest == nil && applied.highest == nil && applied.open == nil)
    }

    @Test(
        "S4 a condition that cannot be told leaves the limit as it is and makes a range",
        arguments: [
            "80 @ wet", "80 @ (wet)", "80 @ (Mo-Fr 07:00-18:00 AND wet)", "80 @ (sunset-sunrise)", "80 @ (PH off)", "80 @ (SH)",
            "80 @ (weight>7.5)", "80 @ hgv", "80 @", "80",
        ])
    func cannotBeTold(conditional: String) {
        let applied = RoadLimits(tags: ["maxspeed": "130", "maxspeed:conditional": conditional]).applied(
            .forward, at: Self.wednesday(12))
        if conditional == "80" {
            #expect(applied.limit == Self.kmh(80), "without a condition it always holds")
        } else {
            #expect(applied.limit == Self.kmh(130))
            #expect(applied.lowest == Speed(80, .kilometresPerHour))
            #expect(applied.highest == Speed(130, .kilometresPerHour))
            #expect(applied.open?.hasPrefix("80 km/h if ") == true)
        }
    }

    @Test("Without the time, a limit for certain hours is open; a second term that fails settles it")
    func withoutTime() {
        let limits = RoadLimits(tags: ["maxspeed": "50", "maxspeed:conditional": "30 @ (22:00-06:00)"])
        let applied = limits.applied(.forward, at: nil)
        #expect(applied.limit == Self.kmh(50))
        #expect(applied.lowest?.value == 30 && applied.highest?.value == 50)
        #expect(applied.open == "30 km/h if 22:00-06:00")
        let both = RoadLimits(tags: ["maxspeed": "130", "maxspeed:conditional": "80 @ (22:00-06:00 AND wet)"])
        #expect(both.applied(.forward, at: Self.wednesday(12)).open == nil)
    }

    @Test("A road without any bound but for a condition has no highest limit")
    func unbounded() {
        let applied = RoadLimits(tags: ["maxspeed": "none", "maxspeed:conditional": "120 @ wet"]).applied(.forward, at: nil)
        #expect(applied.limit == .unlimited)
        #expect(applied.lowest?.value == 120)
        #expect(applied.highest == nil)
    }

    @Test("Lanes with different limits make a range up to the fastest")
    func lanes() {
        let applied = RoadLimits(tags: ["maxspeed:lanes": "120|120|60"]).applied(.forward, at: nil)
        #expect(applied.limit == Self.kmh(120))
        #expect(applied.lowest?.value == 60 && applied.highest?.value == 120)
        let same = RoadLimits(tags: ["maxspeed:lanes:forward": "80|80"])
        #expect(same.applied(.forward, at: nil).limit == Self.kmh(80))
        #expect(same.applied(.forward, at: nil).highest == nil)
        #expect(same.applied(.backward, at: nil).limit == .unknown(.untagged))
    }

    static let moments: [(Int64, LocalTime)] = [
        (0, LocalTime(month: 1, day: 1, weekday: 3, minute: 0)),
        // 2026-11-30 12:00, a Monday; 2024-02-29 23:59, a Thursday; 1969-12-31 23:00, a Wednesday.
        (1_796_040_000, LocalTime(month: 11, day: 30, weekday: 0, minute: 720)),
        (1_709_251_140, LocalTime(month: 2, day: 29, weekday: 3, minute: 1439)),
        (-3600, LocalTime(month: 12, day: 31, weekday: 2, minute: 1380)),
    ]

    @Test("Seconds since 1970 become month, day, weekday and minute", arguments: moments)
    func localTime(seconds: Int64, expected: LocalTime) { #expect(LocalTime(localSecondsSinceEpoch: seconds) == expected) }

    @Test(
        "Times that are not understood are refused",
        arguments: ["", "foo", "Mo-Fr 25-30", "Mo-Xx", "7-18", "Mo-Fr 07:00+", "dawn-dusk", "week 2-10", "Apr-"])
    func notTimes(text: String) { #expect(WeeklyTimes(text) == nil) }
}
