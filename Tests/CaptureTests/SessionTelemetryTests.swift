import FleetModel
import FleetRuntime
import FleetTestSupport
import Testing
import WorldModel

@testable import Capture

struct SessionTelemetryTests {
    @Test("Every key of a line is read, and reports come when their time has come")
    func reading() throws {
        let fixture = try SessionFixture()
        try fixture.write(
            """
            {"t":0.5,"lat":48.1,"lon":11.5,"speedMps":13.9,"headingDeg":87.0,"altM":520,"mode":3,"hdop":0.9,"epsMps":0.3,"ephM":4}

            {"t":1.5,"lat":null,"lon":null,"mode":1,"other":[1,2]}
            {"t":2.5,"speedMps":3,"time":"2026-03-01T08:15:02.120Z"}
            """, as: "telemetry.jsonl")
        let telemetry = try SessionTelemetry(Session.open(fixture.path))
        #expect(try telemetry.fixes(upTo: 0.4).isEmpty)
        let first = try #require(try telemetry.fixes(upTo: 1.4).first)
        #expect(first.timeS == 0.5 && first.latitude == 48.1 && first.longitude == 11.5 && first.speedMps == 13.9)
        #expect(first.headingDeg == 87 && first.altitudeM == 520 && first.mode == 3 && first.hdop == 0.9)
        #expect(first.speedErrorMps == 0.3 && first.positionErrorM == 4)
        let rest = try telemetry.fixes(upTo: 99)
        #expect(rest.map(\.mode) == [1, 3])
        #expect(rest.last?.fixTime == Timestamp("2026-03-01T08:15:02.120Z"))
        #expect(try telemetry.fixes(upTo: 100).isEmpty)
    }

    @Test(
        "A malformed line is an error with file, line and reason",
        arguments: [
            ("junk", "JSON"), ("{\"t\":1", "JSON"), ("[1]", "wrong type"), ("{\"speedMps\":3}", "t is missing"),
            ("{\"t\":\"1\"}", "t has the wrong type"),
            ("{\"t\":1,\"lat\":95,\"lon\":1}", "lat 95.0"), ("{\"t\":1,\"lat\":9}", "only go together"),
            ("{\"t\":1,\"speedMps\":-4}", "speedMps -4.0"), ("{\"t\":1,\"mode\":7}", "mode 7.0"),
            ("{\"t\":1,\"mode\":2.5}", "mode 2.5"),
            ("{\"t\":1e400}", "JSON"), (String(repeating: "x", count: 20_000), "longer than"),
        ])
    func malformed(line: String, says: String) throws {
        let fixture = try SessionFixture()
        try fixture.write("{\"t\":0}\n{\"t\":1}\n\(line)\n{\"t\":2}\n", as: "telemetry.jsonl")
        let error = try userError { _ = try Session.open(fixture.path) }
        #expect(error.code == .badData)
        #expect(error.message.contains("telemetry.jsonl:3: "), "\(error)")
        #expect(error.message.contains(says), "\(error)")
    }

    @Test("A line whose time runs back is left out and counted; equal times stay")
    func lateLines() throws {
        let fixture = try SessionFixture()
        try fixture.write("{\"t\":1}\n{\"t\":3}\n{\"t\":2}\n{\"t\":3}\n{\"t\":4}\n", as: "telemetry.jsonl")
        let telemetry = try SessionTelemetry(Session.open(fixture.path))
        #expect(try telemetry.fixes(upTo: 9).map(\.timeS) == [1, 3, 3, 4])
        #expect(telemetry.lateLines == 1)
    }

    @Test("A session without telemetry has no reports")
    func none() throws {
        let fixture = try SessionFixture()
        let telemetry = try SessionTelemetry(Session.open(fixture.path))
        #expect(try telemetry.fixes(upTo: 1000).isEmpty)
        #expect(telemetry.degraded.isEmpty)
    }
}
