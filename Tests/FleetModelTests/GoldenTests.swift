import FleetModel
import Foundation
import Testing

@Suite("Golden files: the contract, byte for byte")
struct GoldenTests {
    static let alerts = [
        "alert-overspeed-start", "alert-overspeed-update", "alert-overspeed-end", "alert-collision-start", "alert-collision-update",
        "alert-collision-end", "alert-headway-start", "alert-headway-end", "alert-landmark-start",
    ]

    @Test("An alert's golden file is read, and written again as the same bytes", arguments: alerts)
    func alertRoundTrip(name: String) throws {
        let bytes = try Samples.golden(name)
        let alert = try WireCodec.decodeAlert(from: bytes)
        #expect(String(decoding: try WireCodec.encode(alert), as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
        let parts = name.split(separator: "-")
        #expect(alert.kind.rawValue == parts[1])
        #expect(alert.phase.rawValue == parts[2])
    }

    @Test(
        "Heartbeats are read and written again as the same bytes, a newer agent's code included",
        arguments: ["heartbeat", "heartbeat-nothing-known", "heartbeat-newer-agent"])
    func heartbeatRoundTrip(name: String) throws {
        let bytes = try Samples.golden(name)
        let again = try WireCodec.encode(WireCodec.decode(Heartbeat.self, from: bytes))
        #expect(String(decoding: again, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
    }

    @Test("Status, gap and receipt are read and written again as the same bytes")
    func othersRoundTrip() throws {
        func again<T: Codable>(_ type: T.Type, _ name: String) throws {
            let bytes = try Samples.golden(name)
            let written = try WireCodec.encode(WireCodec.decode(type, from: bytes))
            #expect(String(decoding: written, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
        }
        try again(VehicleStatus.self, "status-online")
        try again(VehicleStatus.self, "status-lost")
        try again(VehicleStatus.self, "status-stopped")
        try again(GapEvent.self, "gap")
        try again(ReceiptMessage.self, "receipt")
    }

    @Test("The golden files state what the values built in code state")
    func valuesMatch() throws {
        #expect(try WireCodec.encode(Samples.overspeedStart) == Samples.golden("alert-overspeed-start"))
        #expect(try WireCodec.encode(Samples.collisionStart) == Samples.golden("alert-collision-start"))
        #expect(try WireCodec.encode(Samples.headwayStart) == Samples.golden("alert-headway-start"))
        #expect(try WireCodec.encode(Samples.landmarkStart) == Samples.golden("alert-landmark-start"))
        #expect(try WireCodec.encode(Samples.heartbeat) == Samples.golden("heartbeat"))
        #expect(try WireCodec.decode(Heartbeat.self, from: Samples.golden("heartbeat")) == Samples.heartbeat)
        #expect(try WireCodec.decodeAlert(from: Samples.golden("alert-collision-start")) == Samples.collisionStart)
        let gap = GapEvent(identity: Samples.identity, id: Samples.id, fromSeq: 12, toSeq: 40, reason: .outboxFull, at: Samples.at)
        #expect(try WireCodec.encode(gap) == Samples.golden("gap"))
        let status = VehicleStatus(
            identity: Samples.identity, state: .offline, reason: .lost, boot: Samples.boot, session: 17, connectedAt: Samples.at)
        #expect(try WireCodec.encode(status) == Samples.golden("status-lost"))
        let receipts = ReceiptMessage(
            receipts: [
                Receipt(id: Samples.id, revision: 1, result: .stored), Receipt(id: Samples.id, revision: 2, result: .duplicate),
                Receipt(
                    id: .v8(digest: [
                        0x9f, 0x86, 0xd0, 0x81, 0x88, 0x4c, 0x7d, 0x65, 0x9a, 0x2f, 0xea, 0xa0, 0xc5, 0x5a, 0xd0, 0x15,
                    ]),
                    revision: 1, result: .rejected, reason: "speedMps is not 0...200"),
            ], snapshots: [Samples.id])
        #expect(try WireCodec.encode(receipts) == Samples.golden("receipt"))
    }

    @Test("Unknown is null, inapplicable is absent")
    func nullAndAbsent() throws {
        var alert = Samples.overspeedStart
        (alert.position, alert.speedMps, alert.model) = (nil, nil, nil)
        let object = try #require(JSONSerialization.jsonObject(with: WireCodec.encode(alert)) as? [String: Any])
        for key in ["position", "speedMps", "model", "endedAt", "endReason"] { #expect(object[key] is NSNull, "\(key)") }
        for key in ["collision", "headway", "landmark", "snapshot", "sessionTimeS"] { #expect(object[key] == nil, "\(key)") }
        let details = try #require(object["overspeed"] as? [String: Any])
        #expect(details["limitMinMps"] is NSNull)
    }

    @Test("Absent members that may be unknown are read like null, and members of a later version are ignored")
    func tolerantReading() throws {
        let alert = try WireCodec.decodeAlert(
            from: Samples.json(
                "alert-overspeed-start",
                ["position": nil as Any?, "endedAt": nil as Any?, "model": nil as Any?, "weather": ["rain": true]]))
        #expect(alert.position == nil)
        #expect(alert.endedAt == nil)
        #expect(
            alert.overspeed
                == Samples.overspeedStart.overspeed.map {
                    var rounded = $0
                    rounded.limitMps = 13.889
                    return rounded
                })
    }

    @Test("A degraded code that this version does not know is kept and explained")
    func unknownCode() throws {
        let heartbeat = try WireCodec.decode(Heartbeat.self, from: Samples.golden("heartbeat-newer-agent"))
        #expect(heartbeat.degraded.map(\.code.rawValue) == ["radar_blinded", "gps_stale"])
        #expect(heartbeat.degraded[0].code.meaning.contains("radar_blinded"))
        #expect(heartbeat.degraded[1].code == .gpsStale)
        #expect(Set(DegradedCode.allCases.map(\.rawValue)).count == 20)
        #expect(DegradedCode.allCases.allSatisfy { !$0.meaning.contains("does not know") })
    }

    @Test("Measured values are cut to what the contract states, never to a negative zero")
    func rounding() throws {
        #expect(1.0005.rounded(toPlaces: 3) == 1.001 || 1.0005.rounded(toPlaces: 3) == 1.0)
        #expect((2.5).rounded(toPlaces: 0) == 3)
        #expect((-2.5).rounded(toPlaces: 0) == -3)
        #expect((-0.0004).rounded(toPlaces: 3).sign == .plus)
        #expect(Double.greatestFiniteMagnitude.rounded(toPlaces: 3) == .greatestFiniteMagnitude)
        #expect(Double.nan.rounded(toPlaces: 3).isNaN)
        var alert = Samples.collisionStart
        alert.position = AlertPosition(lat: 48.123456789, lon: -0.00000001, headingDeg: 87.26, accuracyM: 3.96)
        alert.collision?.ttcSeries = [[-0.001, 2.404]]
        let text = String(decoding: try WireCodec.encode(alert), as: UTF8.self)
        #expect(text.contains(#""position":{"accuracyM":4,"headingDeg":87.3,"lat":48.1234568,"lon":0}"#))
        #expect(text.contains(#""ttcSeries":[[0,2.4]]"#))
    }
}
