import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Synchronization

/// A live camera, read on a thread of its own into a `LatestFrame`.
///
/// A camera that cannot be opened or stops is opened again with growing pauses. The read may block for long: only this thread
/// waits, and `degraded(at:)` tells a stall from the age of the newest frame. Safe from every thread.
public final class CameraFrameSource: Sendable {
    /// What is asked of a V4L2 device; it may give something else.
    public struct Wish: Hashable, Sendable {
        /// Pixels; nil leaves the choice to the device.
        public var width: Int?
        /// Pixels; nil leaves the choice to the device.
        public var height: Int?
        /// Frames per second; nil leaves the choice to the device.
        public var framesPerSecond: Double?

        /// All three.
        public init(width: Int? = nil, height: Int? = nil, framesPerSecond: Double? = nil) {
            self.width = width
            self.height = height
            self.framesPerSecond = framesPerSecond
        }
    }

    /// Time in which a stream has to answer, at opening and at every frame, s.
    private static let streamTimeoutS = 10.0
    /// Frames after which the next pause is short again.
    private static let steadyFrames = 30

    /// Where frames are put.
    public let mailbox = LatestFrame()

    private let address: CameraAddress
    private let wish: Wish
    private let clock: any FleetClock
    private let stopRequest = StopRequest()
    private let health: Mutex<CameraHealth>
    private static let log = Log("camera")

    /// A camera at `address`; frames carry the monotonic time of `clock`.
    public init(_ address: CameraAddress, wish: Wish = Wish(), clock: any FleetClock = SystemClock()) {
        self.address = address
        self.wish = wish
        self.clock = clock
        health = Mutex(CameraHealth(nowS: clock.monotonicS()))
    }

    /// Starts the thread. To be called once; `CameraAddress.check` before it tells what a person has to put right.
    public func start() {
        let thread = Thread { [self] in run() }
        thread.name = "camera"
        thread.start()
    }

    /// Asks the thread to end and closes the mailbox. Returns at once, also while the thread is stuck in a read.
    public func stop() {
        stopRequest.raise()
        mailbox.close()
    }

    /// `camera_missing` while it cannot be opened, `camera_stalled` while it gives no frames.
    public func degraded(at nowS: Double) -> [DegradedCode] { health.withLock { $0.degraded(at: nowS) } }

    /// Whether a file that stands in for a camera is over.
    public var hasEnded: Bool { health.withLock { $0.hasEnded } }

    /// What the log says, which names the camera once.
    private static func words(_ problem: String, _ address: CameraAddress) -> String {
        problem.contains("\(address)") ? String(problem.trimmingPrefix("camera: ")) : "\(address): \(problem)"
    }

    private func run() {
        var pause = Backoff(minimumS: 1, maximumS: 30)
        var index = 0
        while !stopRequest.isRaised {
            let firstIndex = index
            if let problem = readUntilFailure(&index) {
                let isNews = health.withLock { health in
                    defer { health.problem = problem }
                    return health.problem != problem
                }
                if isNews, !stopRequest.isRaised { Self.log.warning("\(Self.words(problem, address)); trying again") }
            } else {
                health.withLock { $0.hasEnded = true }
                break
            }
            if index - firstIndex >= Self.steadyFrames { pause.reset() }
            stopRequest.sleep(seconds: pause.next())
        }
        mailbox.close()
    }

    /// Opens the camera and delivers its frames. Returns why it went no further; nil when it is over for good.
    private func readUntilFailure(_ index: inout Int) -> String? {
        do {
            try address.check()
            let reader = try open()
            let openedS = clock.monotonicS()
            health.withLock { health in
                if health.problem != nil || health.latestFrameS == nil { health.waitingSinceS = openedS }
                if health.problem != nil { health.latestFrameS = nil }
                health.problem = nil
            }
            Self.log.info("\(address) is open: \(reader.info.width) x \(reader.info.height)")
            try deliver(from: reader, &index)
            if case .file = address { return nil }
            return stopRequest.isRaised ? nil : "it gives no more frames"
        } catch let error as UserError {
            return error.message
        } catch let error as ImagingError {
            return error.detail.isEmpty ? "it cannot be opened or read" : error.detail
        } catch {
            return "\(error)"
        }
    }

    private func open() throws -> VideoReader {
        switch address {
        case .device(let path):
            try VideoReader(
                .camera(device: path, width: wish.width, height: wish.height, framesPerSecond: wish.framesPerSecond))
        case .stream(let place), .file(let place): try VideoReader(.stream(place), timeoutS: Self.streamTimeoutS)
        }
    }

    private func deliver(from reader: VideoReader, _ index: inout Int) throws {
        var fileClock = PresentationClock(framesPerSecond: reader.info.framesPerSecond)
        let startS = clock.monotonicS()
        while !stopRequest.isRaised, let timed = try reader.next() {
            var timeS = clock.monotonicS()
            if case .file = address {
                let dueS = startS + fileClock.time(of: timed.timeS)
                if stopRequest.sleep(seconds: dueS - timeS) { return }
                timeS = dueS
            }
            health.withLock { $0.latestFrameS = clock.monotonicS() }
            mailbox.put(CapturedFrame(frame: timed.takeFrame(), index: index, timeS: timeS))
            index += 1
        }
    }
}
