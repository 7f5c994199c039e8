import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import Testing

/// How long a fresh critical alert takes to the operator while an outbox full of others is being delivered: a real broker, the built
/// `fleet-sync`, its API.
@Suite(.serialized) struct BacklogTests {
    static let backlog = 10_000
    static let fresh = 60
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Starts `fleet-sync` on `url`; returns it and the port of its API.
    private func startSync(_ url: String) async throws -> (BuiltProgram, Int) {
        try "store:\n  path: \(folder.path("fleet.db"))\nmqtt:\n  url: \(url)\nhttp:\n  bind: 127.0.0.1:0\n"
            .write(toFile: folder.path("sync.yaml"), atomically: true, encoding: .utf8)
        let ready = folder.path("ready")
        let sync = try BuiltProgram("fleet-sync", ["run", "--config", folder.path("sync.yaml"), "--ready-file", ready])
        #expect(
            await eventually(timeout: 30) {
                FileManager.default.fileExists(atPath: ready) && sync.standardError.contains("connected to")
            })
        let page = try String(contentsOfFile: ready, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        return (sync, try #require(URL(string: page)?.port))
    }

    private func isVisible(_ id: AlertID, _ port: Int) async -> Bool {
        (try? await RawConnection.exchange(port, ["GET /api/v1/alerts/\(id) HTTP/1.1"]))?.status == 200
    }

    @Test(
        "A fresh critical alert behind a backlog of 10,000 overtakes it on the way to the API (within 2 s at the 99th percentile on an idle machine), and the backlog arrives whole"
    )
    func freshCritical() async throws {
        let broker = try await MosquittoBroker(settings: ["max_inflight_messages 100", "max_queued_messages 100000"])
        let outbox = folder.path("outbox.db")
        do {
            var settings = OutboxSettings(path: outbox, identity: SampleAlerts.identity)
            settings.diskReserveBytes = 0
            let filling = try DurableOutbox(settings: settings)
            for batch in 0..<Self.backlog / 500 {
                _ = await filling.append(
                    (1...500).map { i in
                        let n = batch * 500 + i
                        return SampleAlerts.alert(n, phase: .end, severity: n % 10 == 0 ? .critical : .warning, at: WallClock.now())
                    })
            }
            #expect(await filling.status().rows == Self.backlog)
        }
        let (sync, port) = try await startSync(broker.url)
        let rig = try await rig(broker.url, outbox)
        let begun = MonotonicTime.now()
        #expect(await rig.isConnected())
        var delaysS: [Double] = []
        for i in 1...Self.fresh {
            let alert = SampleAlerts.alert(1_000_000 + i, severity: .critical, at: WallClock.now())
            let raisedS = MonotonicTime.now()
            _ = await rig.outbox.append(alert)
            #expect(await eventually(timeout: 30) { await isVisible(alert.id, port) })
            delaysS.append(MonotonicTime.now() - raisedS)
        }
        let left = await rig.rows
        delaysS.sort()
        let p99 = delaysS[Int(0.99 * Double(delaysS.count - 1))]
        #expect(await rig.isEmpty(timeout: 240))
        let seconds = MonotonicTime.now() - begun
        print(
            "fresh critical behind \(Self.backlog): p50 \(Int(delaysS[delaysS.count / 2] * 1000)) ms, p99 \(Int(p99 * 1000)) ms, "
                + "\(left) of the backlog left after the last; all delivered in \(Int(seconds)) s")
        // Whatever else the machine is at: they overtook the backlog.
        #expect(left > Self.backlog / 10, "\(left) left when the last fresh alert was visible")
        if ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] == "1" { #expect(p99 <= 2, "\(delaysS)") }
        let count = try await RawConnection.exchange(port, ["GET /metrics HTTP/1.1"]).body
        #expect(count.contains("\(Self.backlog + Self.fresh)"), "\(count)")
        await rig.stop()
        sync.signal(SIGTERM)
        #expect(await sync.status(timeout: 5) == 0)
    }

    /// The rig on the outbox that was filled, whose last owner may still be on its way out.
    private func rig(_ url: String, _ outbox: String) async throws -> DeliveryRig {
        var rig: DeliveryRig?
        _ = try await eventually {
            do { rig = try DeliveryRig(url: url, outbox: outbox) } catch let error as UserError where error.code == .unavailable {
                return false
            }
            return true
        }
        return try #require(rig)
    }
}
