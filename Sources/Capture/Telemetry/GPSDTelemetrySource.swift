import FleetModel
import FleetRuntime
import Foundation
import Synchronization
import WorldModel

/// The receiver's reports from gpsd, read on a thread of their own.
///
/// While gpsd does not answer, the source says `gps_missing`, tries again with growing pauses, and tells it once in the log. Safe
/// from every thread.
public final class GPSDTelemetrySource: TelemetrySource, Sendable {
    /// Reports that wait for the pipeline; a few minutes at 10 Hz. The oldest go first.
    public static let capacity = 2048
    /// Longest wait for a report before the thread looks whether it is to end, s.
    private static let pollS = 0.5
    /// A connection that has held this long makes the next pause short again, s.
    private static let steadyS = 10.0
    /// Seconds within which a receiver that is there reports something, even without a fix (they report once a second or more often).
    private static let silenceS = 5.0

    private struct State {
        var waiting: [PositionFix] = []
        var isConnected = false
        /// Since when gpsd is connected, as long as it has reported nothing.
        var silentSinceS: Double?
    }

    private let host: String
    private let port: Int
    private let clock: any FleetClock
    private let stopRequest = StopRequest()
    private let state = Mutex(State())
    private static let log = Log("gps")

    /// Reads from gpsd at `host`:`port`; fixes carry the monotonic time of `clock` at arrival.
    public init(host: String, port: Int, clock: any FleetClock = SystemClock()) {
        self.host = host
        self.port = port
        self.clock = clock
    }

    /// Starts the thread. To be called once; the thread ends after `stop`.
    public func start() {
        let thread = Thread { [self] in run() }
        thread.name = "gps"
        thread.start()
    }

    /// Asks the thread to end; it does within half a second, or when a connection attempt in progress returns.
    public func stop() { stopRequest.raise() }

    /// Whether gpsd is connected.
    public var isConnected: Bool { state.withLock { $0.isConnected } }

    /// `gps_missing` while gpsd does not answer, `gps_no_fix` while it answers and has reported nothing yet: its receiver is not plugged in.
    public var degraded: [DegradedCode] {
        let now = clock.monotonicS()
        return state.withLock { state in
            guard state.isConnected else { return [.gpsMissing] }
            guard let since = state.silentSinceS, now - since > Self.silenceS else { return [] }
            return [.gpsNoFix]
        }
    }

    /// The reports that have come since the last call and are not later than `timeS`. Does not block.
    public func fixes(upTo timeS: Double) -> [PositionFix] {
        state.withLock { state in
            let count = state.waiting.firstIndex { $0.timeS > timeS } ?? state.waiting.count
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting[..<count])
        }
    }

    private func run() {
        var pause = Backoff(minimumS: 1, maximumS: 30)
        var isTold = false
        while !stopRequest.isRaised {
            do throws(GPSDConnection.Refused) {
                let connection = try GPSDConnection(host: host, port: port)
                Self.log.info("connected to gpsd at \(host):\(port)")
                isTold = false
                let connectedS = clock.monotonicS()
                read(connection)
                if clock.monotonicS() - connectedS >= Self.steadyS { pause.reset() }
                if !stopRequest.isRaised { Self.log.warning("gpsd at \(host):\(port) closed the connection; trying again") }
            } catch {
                if !isTold {
                    Self.log.warning(
                        "gpsd does not answer at \(host):\(port) (\(error.reason)); speed and position stay unknown until it does")
                }
                isTold = true
            }
            stopRequest.sleep(seconds: pause.next())
        }
    }

    /// Reads until the connection is lost or the thread is to end.
    private func read(_ connection: GPSDConnection) {
        let connectedS = clock.monotonicS()
        state.withLock { state in
            state.isConnected = true
            state.silentSinceS = connectedS
        }
        defer { state.withLock { $0.isConnected = false } }
        while !stopRequest.isRaised {
            switch connection.next(timeoutS: Self.pollS, clock: clock.monotonicS) {
            case .fix(let fix):
                state.withLock { state in
                    state.silentSinceS = nil
                    if state.waiting.count >= Self.capacity { state.waiting.removeFirst() }
                    state.waiting.append(fix)
                }
            case .nothing: break
            case .lost: return
            }
        }
    }
}
