import Capture
import FleetModel
import FleetRuntime
import Foundation
import Glibc
import Imaging
import Synchronization
import WorldModel

/// Keeps the last seconds of the drive in a ring of pictures on disk, and cuts a clip out of it around every alert.
///
/// A clip is a session, which `fleet-agent replay` reads. It stays in the vehicle: nothing here sends anything. Encoding and writing
/// happen on a thread of their own; a disk that is too slow costs pictures, never alerts.
actor ClipRecorder {
    /// Pictures that may wait for the disk: each holds a frame in memory.
    private static let mostWaiting = 8
    /// Fixes and alerts that may wait, which are small.
    private static let backlog = 4096
    /// JPEG quality of the ring: good enough to be judged, and to be replayed.
    private static let quality = 85
    /// Longest clip in s, however often the severity rises.
    private static let longestS = 120.0
    /// Seconds between two looks for clips that have become too old.
    private static let tidyEveryS = 3600.0

    private enum Input: Sendable {
        case frame(SharedFrame, timeS: Double)
        case fix(PositionFix)
        case alert(Alert)
    }

    /// A clip whose end has not come yet.
    private struct Pending {
        var firstS: Double
        var untilS: Double
        var alert: Alert
    }

    private let executor = BlockingExecutor(label: "clips")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let settings: ClipConfiguration
    private let vehicle: String
    private let camera: CameraConfiguration
    private let clock: any FleetClock
    private let shelf: ClipShelf
    private let inputs: AsyncStream<Input>
    private let feed: AsyncStream<Input>.Continuation
    private let nextFrameS = Mutex(-Double.infinity)
    private let waiting = Atomic<Int>(0)
    private let log = Log("clips")

    private var ring: [ClipWriter.Picture] = []
    private var fixes: [PositionFix] = []
    private var alerts: [Alert] = []
    private var pending: Pending?
    private var severities: [AlertID: Severity] = [:]
    private var lastFailure = ""
    private var tidiedS: Double?

    /// The recorder that the configuration asks for; nil when no clips are to be kept. Throws `UserError` when its folder cannot be used.
    init?(_ configuration: AgentConfiguration, clock: any FleetClock) throws {
        guard let path = configuration.clips.path, !configuration.hasPrivacy else { return nil }
        settings = configuration.clips
        vehicle = configuration.identity.vehicle
        camera = configuration.camera
        self.clock = clock
        shelf = try ClipShelf(path: path, maximumAgeS: settings.maximumAgeS, maximumBytes: settings.maximumBytes)
        (inputs, feed) = AsyncStream.makeStream(of: Input.self, bufferingPolicy: .bufferingOldest(Self.backlog))
    }

    /// Takes a frame into the ring, when it is time for one. Called on the pipeline's thread; returns at once.
    nonisolated func offer(_ frame: SharedFrame, atS timeS: Double) {
        let isDue = nextFrameS.withLock { next in
            guard timeS >= next else { return false }
            next = max(next, timeS - 1) + 1 / settings.framesPerSecond
            if next < timeS { next = timeS }
            return true
        }
        guard isDue, waiting.load(ordering: .relaxed) < Self.mostWaiting else { return }
        waiting.add(1, ordering: .relaxed)
        if case .enqueued = feed.yield(.frame(frame, timeS: timeS)) { return }
        waiting.subtract(1, ordering: .relaxed)
    }

    /// Takes note of a fix.
    nonisolated func note(_ fix: PositionFix) { feed.yield(.fix(fix)) }

    /// Takes note of an alert: its start, and every rise of its severity, makes or prolongs a clip.
    nonisolated func note(_ alert: Alert) { feed.yield(.alert(alert)) }

    /// No more comes; `run` cuts the last clip and ends.
    nonisolated func close() { feed.finish() }

    /// Works until `close`.
    func run() async {
        for await input in inputs {
            do {
                try take(input)
                lastFailure = ""
            } catch {
                // Told once, and again when it changes: a full disk must not fill the log.
                let failure = (error as? UserError)?.message ?? "\(error)"
                if failure != lastFailure { log.error(failure) }
                lastFailure = failure
            }
        }
        do { try cut() } catch { log.error("\(error)") }
        shelf.emptyRing()
    }

    private func take(_ input: Input) throws {
        switch input {
        case .fix(let fix):
            fixes.append(fix)
        case .alert(let alert):
            note(alert, isWorse: alert.phase != .end && alert.severity > (severities[alert.id] ?? .info))
        case .frame(let frame, let timeS):
            defer { waiting.subtract(1, ordering: .relaxed) }
            let path = shelf.ringFile(timeS: timeS)
            try ClipWriter.writeFile(path, frame.frame.jpeg(quality: Self.quality))
            ring.append(.init(path: path, timeS: timeS))
            if let pending, timeS >= pending.untilS { try cut() }
            forget(before: min(pending?.firstS ?? .infinity, timeS - settings.beforeS))
            tidyInTime(timeS)
        }
    }

    /// Clips grow old without an alert too.
    private func tidyInTime(_ timeS: Double) {
        let sinceS = tidiedS ?? timeS
        if timeS - sinceS >= Self.tidyEveryS {
            shelf.tidy()
            tidiedS = timeS
        } else {
            tidiedS = sinceS
        }
    }

    private func note(_ alert: Alert, isWorse: Bool) {
        alerts.append(alert)
        severities[alert.id] = alert.phase == .end ? nil : alert.severity
        guard alert.phase == .start || isWorse else { return }
        let untilS = alert.monotonicS + settings.afterS
        if let one = pending {
            pending?.untilS = max(one.untilS, min(untilS, one.firstS + Self.longestS))
        } else {
            pending = Pending(firstS: alert.monotonicS - settings.beforeS, untilS: untilS, alert: alert)
        }
    }

    /// Writes the pending clip with what there is of it.
    private func cut() throws {
        guard let clip = pending else { return }
        pending = nil
        let pictures = ring.filter { $0.timeS >= clip.firstS && $0.timeS <= clip.untilS }
        guard let first = pictures.first, let last = pictures.last else { return }
        let now = (wall: clock.wallTime(), monotonicS: clock.monotonicS())
        let path = try shelf.newClip(
            named: "\(clip.alert.at.fileName)-\(clip.alert.kind.rawValue)-\(clip.alert.id.description.suffix(8))")
        try ClipWriter.write(
            to: path, vehicle: vehicle, startedAt: now.wall.advanced(bySeconds: first.timeS - now.monotonicS), pictures: pictures,
            fixes: fixes.filter { $0.timeS >= first.timeS && $0.timeS <= last.timeS },
            alerts: alerts.filter { $0.monotonicS >= clip.firstS && $0.monotonicS <= clip.untilS }, camera: camera.calibration())
        log.info("\(path): \(pictures.count) pictures around alert \(clip.alert.id)")
        shelf.tidy()
    }

    private func forget(before timeS: Double) {
        let kept = ring.firstIndex { $0.timeS >= timeS } ?? ring.endIndex
        for picture in ring[..<kept] { unlink(picture.path) }
        ring.removeFirst(kept)
        fixes.removeAll { $0.timeS < timeS }
        alerts.removeAll { $0.monotonicS < timeS }
    }
}

extension Timestamp {
    /// The time as a part of a file's name: `20260301T081502Z`.
    fileprivate var fileName: String { String(description.prefix(19)).filter { $0 != "-" && $0 != ":" } + "Z" }
}
