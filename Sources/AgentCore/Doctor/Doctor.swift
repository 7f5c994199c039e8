import Capture
import DurableOutbox
import FleetModel
import FleetRuntime
import Foundation
import Imaging
import MQTTClient
import Perception
import RoadMap

/// Looks at everything that the agent needs, one after another, and says what to do about what is wrong.
struct Doctor: Sendable {
    /// Seconds granted to camera, receiver and broker each.
    private static let patienceS = 8.0
    /// Free space below which the outbox will soon be in trouble, in bytes.
    private static let leastFreeBytes: Int64 = 100 << 20

    let configuration: AgentConfiguration

    /// Every finding, in the order of the way from camera to broker.
    func examine() async -> [Finding] {
        let (seen, frame) = await onThread { examineCamera() }
        var findings = [seen]
        findings.append(examineAim())
        findings.append(await onThread { examineModel(frameSize: frame) })
        findings.append(await onThread { examineReceiver() })
        findings.append(examineLimits())
        findings.append(await examineBroker())
        findings.append(examineDisk())
        findings.append(examineClock())
        return findings
    }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in Thread.detachNewThread { continuation.resume(returning: body()) } }
    }

    private func examineCamera() -> (Finding, (width: Int, height: Int)?) {
        let settings = configuration.camera
        let address: CameraAddress
        do {
            address = try settings.address()
            try address.check()
        } catch { return (Finding(part: "camera", verdict: .bad, words: "\(error)"), nil) }
        let camera = CameraFrameSource(
            address, wish: .init(width: settings.width, height: settings.height, framesPerSecond: settings.framesPerSecond))
        camera.start()
        defer { camera.stop() }
        guard let captured = camera.mailbox.take(timeoutS: Self.patienceS) else {
            return (Finding(part: "camera", verdict: .bad, words: "\(address) gives no frame within \(Int(Self.patienceS)) s"), nil)
        }
        let size = (captured.frame.width, captured.frame.height)
        let calibration =
            settings.focalLengthPx == nil ? "; not calibrated, distances stay unknown (camera.focalLengthPx, camera.heightM)" : ""
        return (Finding(part: "camera", verdict: .good, words: "\(address) gives \(size.0) x \(size.1)\(calibration)"), size)
    }

    private func examineAim() -> Finding {
        guard let aim = AimFile(configuration).read() else {
            return Finding(
                part: "aim", verdict: .note,
                words:
                    "straight ahead is not known yet: the agent finds it within the first minute of driving, until then the middle serves"
            )
        }
        return Finding(
            part: "aim", verdict: aim.isFound ? .good : .note,
            words: "straight ahead is at \(aim.words), from \(aim.samples) looks while driving")
    }

    private func examineModel(frameSize: (width: Int, height: Int)?) -> Finding {
        do {
            var detector = try RoadUserDetector(configuration.detector)
            guard let frame = Frame(width: frameSize?.width ?? 1280, height: frameSize?.height ?? 720) else {
                return Finding(part: "model", verdict: .bad, words: "out of memory")
            }
            _ = try detector.detect(in: frame)
            let begun = MonotonicTime.now()
            _ = try detector.detect(in: frame)
            let tookMs = ((MonotonicTime.now() - begun) * 1000).rounded(toPlaces: 1)
            return Finding(
                part: "model", verdict: .good, words: "\(detector.modelName), \(tookMs) ms a frame, \(detector.engineDescription)")
        } catch { return Finding(part: "model", verdict: .bad, words: "\(error)") }
    }

    private func examineReceiver() -> Finding {
        let place = "gpsd at \(configuration.gps.host):\(configuration.gps.port)"
        let receiver = GPSDTelemetrySource(host: configuration.gps.host, port: configuration.gps.port)
        receiver.start()
        defer { receiver.stop() }
        let end = MonotonicTime.now() + Self.patienceS
        var best: Int?
        while MonotonicTime.now() < end {
            for fix in receiver.fixes(upTo: MonotonicTime.now()) { best = max(best ?? 0, fix.mode) }
            if let best, best >= 2 { return Finding(part: "gps", verdict: .good, words: "\(place) reports a fix of mode \(best)") }
            Thread.sleep(forTimeInterval: 0.1)
        }
        guard receiver.isConnected else {
            return Finding(
                part: "gps", verdict: .bad,
                words: "\(place) does not answer; start gpsd, or set gps.host and gps.port. Without it the own speed is unknown")
        }
        return Finding(
            part: "gps", verdict: .bad,
            words: best == nil
                ? "\(place) reports nothing; is a receiver attached to it?" : "\(place) has no fix yet; it needs a view of the sky")
    }

    private func examineLimits() -> Finding {
        let overspeed = configuration.overspeed
        var sources: [String] = []
        if overspeed.zonesPath != nil { sources.append("zones") }
        if let path = overspeed.mapPath {
            do {
                let about = try MapFile(path: path).about()
                sources.append("the map of \(about["source"] ?? "unknown origin") with \(about["ways"] ?? "?") roads")
            } catch {
                return Finding(part: "limits", verdict: .bad, words: "\(error)")
            }
        }
        if let limit = overspeed.defaultLimit {
            let words = sources.isEmpty ? "\(limit) everywhere" : sources.joined(separator: ", ") + ", else \(limit)"
            return Finding(part: "limits", verdict: .good, words: words)
        }
        guard !sources.isEmpty else {
            return Finding(
                part: "limits", verdict: .note,
                words: "none: overspeed is never warned of (overspeed.map, overspeed.zones, overspeed.defaultLimit)")
        }
        let isMapped = overspeed.mapPath != nil
        return Finding(
            part: "limits", verdict: isMapped ? .good : .note,
            words: sources.joined(separator: ", ")
                + (isMapped ? "" : " only; elsewhere the limit is unknown (overspeed.map, overspeed.defaultLimit)"))
    }

    private func examineBroker() async -> Finding {
        let mqtt = configuration.mqtt
        let identity = configuration.identity
        @Sendable func settings() throws -> MQTTSettings {
            try mqtt.checkCertificate()
            // An id of its own: the agent's would throw a running agent off the broker.
            return try MQTTSettings(
                url: mqtt.url, clientID: "check-\(identity.fleet)-\(identity.vehicle)", username: mqtt.username,
                passwordFile: mqtt.passwordFile,
                tls: .init(caFile: mqtt.caFile, certFile: mqtt.certFile, keyFile: mqtt.keyFile))
        }
        do { _ = try settings() } catch { return Finding(part: "broker", verdict: .bad, words: "\(error)") }
        // A broker that takes the client id from the certificate would take a second connection for the first and end that.
        if DurableOutbox.isInUse(path: configuration.outbox.path) {
            return Finding(
                part: "broker", verdict: .note,
                words: "\(mqtt.url) is not tried: the agent runs and would be thrown off; its log tells how the broker answers")
        }
        let client = MQTTClient(settings: settings)
        let running = Task { await client.run() }
        let end = MonotonicTime.now() + Self.patienceS
        while !client.isConnected, MonotonicTime.now() < end { try? await Task.sleep(for: .milliseconds(50)) }
        let isConnected = client.isConnected
        await client.stop()
        await running.value
        // The ACL lets a vehicle write under its own name only, and a broker refuses a publish, not the connection.
        if isConnected, mqtt.username != identity.description {
            return Finding(
                part: "broker", verdict: .note,
                words:
                    "\(mqtt.url) accepts \(mqtt.username), which is not \(identity): with the shipped ACL its alerts will be refused (mqtt.username)"
            )
        }
        return isConnected
            ? Finding(part: "broker", verdict: .good, words: "\(mqtt.url) accepts \(mqtt.username)\(certificateConcern(mqtt))")
            : Finding(
                part: "broker", verdict: .bad,
                words: "no connection to \(mqtt.url) as \(mqtt.username) (the reason stands above); alerts would wait in the outbox"
            )
    }

    /// What has to be said about the end of the vehicle's certificate; empty when nothing has.
    private func certificateConcern(_ mqtt: MQTTConfiguration) -> String {
        guard let file = mqtt.certFile, let pem = try? FilePieces.contents(of: file, limit: 1 << 20),
            let certificate = try? Certificate(pem: String(decoding: pem, as: UTF8.self), file: file),
            let concern = certificate.concern(at: WallClock.now())
        else { return "" }
        return "; \(file) \(concern)"
    }

    private func examineDisk() -> Finding {
        let folder = URL(filePath: configuration.outbox.path).deletingLastPathComponent()
        let path = folder.path()
        guard FileManager.default.isWritableFile(atPath: path) else {
            return Finding(
                part: "outbox", verdict: .bad,
                words: "\(path) is not there or not writable for this user; make it, or change outbox.path")
        }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
        let words = "\(path) has \(free >> 20) MiB free"
        return free < Self.leastFreeBytes
            ? Finding(part: "outbox", verdict: .bad, words: words + "; make room")
            : Finding(part: "outbox", verdict: .good, words: words)
    }

    private func examineClock() -> Finding {
        KernelClock.state() == .ntp
            ? Finding(part: "clock", verdict: .good, words: "synchronised")
            : Finding(
                part: "clock", verdict: .note,
                words: "not synchronised; run chrony or systemd-timesyncd, or let gpsd feed the clock. Alerts are marked until then"
            )
    }
}
