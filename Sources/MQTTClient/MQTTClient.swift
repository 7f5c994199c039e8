import FleetRuntime
import Foundation
import Synchronization

/// A connection to a broker that is never dead for good: a supervisor above libmosquitto that builds a new client after every loss, with
/// jittered back-off. Clean start, session expiry 0: what must survive lies in the outbox, not in the broker.
public final class MQTTClient: MQTTTransport {
    /// Seconds that a broker has for its answer to CONNECT.
    static let connectTimeoutS = 10.0
    /// Seconds that a connection must have held before the back-off starts anew: two clients with one id kick each other every second.
    static let stableAfterS = 30.0
    /// Connections lost within that time, or one lost with the reason 0x8E, that speak for another client with the same id.
    static let rivalAfter = 3
    /// Seconds for a goodbye.
    static let goodbyeS = 1.5

    /// What happens, in order; for one reader.
    public let events: AsyncStream<MQTTEvent>
    /// Messages that came in; for one reader.
    public let inbound: InboundQueue

    private struct State {
        var session: MosquittoSession?
        var signals: AsyncStream<MosquittoSession.Signal>.Continuation?
        var pause: Task<Void, any Error>?
        var isConnected = false
        var isStopping = false
        var isRunning = false
        var refusal: MQTTReasonCode?
        var hasRival = false
    }

    private let state = Mutex(State())
    private let announce: AsyncStream<MQTTEvent>.Continuation
    private let settings: @Sendable () async throws -> MQTTSettings
    private let minimumBackoffS: Double
    private let log = Log("mqtt")

    /// A client that asks `settings` before every attempt; it does nothing until `run`.
    ///
    /// The first pause between attempts is `minimumBackoffS`, doubled from there to a minute.
    public init(
        inboundCapacity: Int = 2000, inboundBytes: Int = 64 << 20, minimumBackoffS: Double = 1,
        settings: @escaping @Sendable () async throws -> MQTTSettings
    ) {
        (events, announce) = AsyncStream.makeStream(of: MQTTEvent.self)
        inbound = InboundQueue(capacity: inboundCapacity, capacityBytes: inboundBytes)
        self.minimumBackoffS = minimumBackoffS
        self.settings = settings
    }

    /// Whether messages can be handed over now.
    public var isConnected: Bool { state.withLock { $0.isConnected } }

    /// Why the broker refused the last attempt; nil when it accepted it, or when there was none.
    public var refusal: MQTTReasonCode? { state.withLock { $0.refusal } }

    /// Whether it looks as if another client used the same id, so that the two throw each other out; false once a connection has held.
    public var hasRival: Bool { state.withLock { $0.hasRival } }

    /// See `MQTTTransport`.
    public func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
        guard let session = state.withLock({ $0.isConnected ? $0.session : nil }) else { throw .notConnected }
        return try session.publish(message)
    }

    /// Connects and reconnects until `stop` or cancellation.
    public func run() async {
        var backoff = Backoff(minimumS: minimumBackoffS, maximumS: max(60, minimumBackoffS))
        var lastTold = ""
        var lostSoon = 0
        state.withLock { $0.isRunning = true }
        defer { state.withLock { $0.isRunning = false } }
        while !isStopping {
            let begun = MonotonicTime.now()
            let (end, wasConnected) = await connectOnce()
            if wasConnected, MonotonicTime.now() - begun > Self.stableAfterS {
                backoff.reset()
                lastTold = ""
                lostSoon = 0
            }
            if isStopping { break }
            if wasConnected { lostSoon = end.reason == .sessionTakenOver ? max(lostSoon + 1, Self.rivalAfter) : lostSoon + 1 }
            // mosquitto 2.0.11 closes the older of two clients with one id without giving the reason 0x8E.
            if lostSoon == Self.rivalAfter {
                log.warning("connections are lost soon after they are made: does another client run with the same id?")
            }
            state.withLock { $0.hasRival = lostSoon >= Self.rivalAfter }
            if end.words != lastTold { log.warning("\(end.words); trying again") }
            lastTold = end.words
            // A connection that was given up here says nothing of the broker.
            await pause(seconds: end.isOwnDoing ? minimumBackoffS : backoff.next())
            if Task.isCancelled { break }
        }
        announce.finish()
        inbound.close()
    }

    /// Says goodbye and ends `run`; returns within a few seconds whatever the network does.
    public func stop() async {
        let (session, signals) = state.withLock { state in
            state.isStopping = true
            state.pause?.cancel()
            return (state.session, state.signals)
        }
        if isConnected { session?.disconnect() } else { signals?.yield(.ended(.stopped)) }
        // A broker that does not take the goodbye is left without it.
        let deadline = MonotonicTime.now() + Self.goodbyeS
        while state.withLock({ $0.isRunning }), MonotonicTime.now() < deadline { try? await Task.sleep(for: .milliseconds(20)) }
        signals?.yield(.ended(.stopped))
    }

    /// Gives the present connection up and makes a new one, with new settings.
    public func reconnect(because reason: String) {
        state.withLock { $0.signals }?.yield(.ended(ConnectionEnd(words: reason, isOwnDoing: true)))
    }

    private func pause(seconds: Double) async {
        let pause = Task { try await Task.sleep(for: .seconds(seconds)) }
        let isStopping = state.withLock { state in
            state.pause = pause
            return state.isStopping
        }
        if isStopping { pause.cancel() }
        await withTaskCancellationHandler {
            _ = try? await pause.value
        } onCancel: {
            pause.cancel()
        }
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    /// One attempt from connect to loss; returns why it ended, in words, and whether the broker had accepted it.
    private func connectOnce() async -> (end: ConnectionEnd, wasConnected: Bool) {
        let settings: MQTTSettings
        do { settings = try await self.settings() } catch { return (ConnectionEnd(words: "\(error)"), false) }
        let (signals, continuation) = AsyncStream.makeStream(of: MosquittoSession.Signal.self)
        let inbound = inbound
        let session = MosquittoSession(settings: settings, signal: { continuation.yield($0) }, receive: { inbound.put($0) })
        // A stop that came before there was a session could tell nobody but this attempt.
        let isWanted = state.withLock { state in
            guard !state.isStopping else { return false }
            state.session = session
            state.signals = continuation
            return true
        }
        guard isWanted else { return (.stopped, false) }
        Thread.detachNewThread {
            do throws(MQTTError) { try session.open() } catch {
                continuation.yield(.ended(ConnectionEnd(words: Self.words(error, settings))))
            }
        }
        let end = await follow(signals, continuation, settings)
        let wasConnected = state.withLock { state in
            defer {
                state.session = nil
                state.signals = nil
                state.isConnected = false
            }
            return state.isConnected
        }
        if wasConnected { announce.yield(.disconnected(end)) }
        // The library's thread may hang in a connect for minutes; that must hold up neither the next attempt nor the exit.
        Thread.detachNewThread { session.close() }
        return (end, wasConnected)
    }

    private func follow(
        _ signals: AsyncStream<MosquittoSession.Signal>, _ continuation: AsyncStream<MosquittoSession.Signal>.Continuation,
        _ settings: MQTTSettings
    ) async -> ConnectionEnd {
        let timeout = Task {
            try await Task.sleep(for: .seconds(Self.connectTimeoutS))
            continuation.yield(.ended(ConnectionEnd(words: "\(settings.host):\(settings.port) does not answer")))
        }
        // A connection that has held needs no loss to show that nobody throws it out.
        let stable = Task { [self] in
            try await Task.sleep(for: .seconds(Self.stableAfterS))
            if isConnected { state.withLock { $0.hasRival = false } }
        }
        defer {
            timeout.cancel()
            stable.cancel()
        }
        for await signal in signals {
            switch signal {
            case .accepted:
                timeout.cancel()
                state.withLock {
                    $0.isConnected = true
                    $0.refusal = nil
                }
                log.info("connected to \(settings.host):\(settings.port) as \(settings.clientID)")
                announce.yield(.connected)
            case .refused(let reason):
                state.withLock { $0.refusal = reason }
                return ConnectionEnd(
                    words: "\(settings.host):\(settings.port) refuses the connection: \(reason)", reason: reason)
            case .ended(var end):
                let broker = "\(settings.host):\(settings.port)"
                if isConnected { end.words = "connection to \(broker) lost: \(end.words)" }
                if !end.isOwnDoing, !end.words.contains(broker) { end.words = "\(broker): \(end.words)" }
                return end
            case .published(let token, let reason): announce.yield(.published(token: token, reason: reason))
            case .subscriptionRefused(let reason): log.error("the broker refuses a subscription: \(reason); check its ACL")
            }
            if Task.isCancelled { return .stopped }
        }
        return .stopped
    }

    private static func words(_ error: MQTTError, _ settings: MQTTSettings) -> String {
        "cannot connect to \(settings.host):\(settings.port): \(error)"
    }
}

extension ConnectionEnd {
    fileprivate static let stopped = ConnectionEnd(words: "stopped", isOwnDoing: true)
}
