import Dispatch
import Glibc
import Synchronization

/// SIGTERM, SIGINT and SIGHUP as an event that a service waits for. A second signal, a second later or more, ends the process at once. For a service without a
/// terminal that wants it, SIGHUP asks to read certificates and tokens again instead.
///
/// A handler that only counts and writes to a pipe, instead of a dispatch source over an ignored signal: the latter loses signals
/// whenever one thread of the process, made by any library, does not block them. One object a process at a time.
public final class StopSignals: Sendable {
    /// One element for a SIGHUP that asks to read files again (several that come close together are one); for one reader.
    public let reloads: AsyncStream<Void>
    private let stream: AsyncStream<Int32>
    // Written once in init and only kept alive afterwards; nothing reads it.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Signals since the last `init`; the handler counts here.
    private static let count = Atomic<Int>(0)
    /// A second signal this long after the first ends the process at once, in ms.
    private static let impatienceMs: Int64 = 1000
    /// When the first one came, on the monotonic clock, in ms.
    private static let firstAtMs = Atomic<Int64>(0)
    /// The first one's number since the last `init`; 0 for none.
    private static let first = Atomic<Int32>(0)
    /// Seconds that the process has to end after the first signal, since the last `init`; 0 for as long as it takes.
    private static let endsWithinS = Atomic<UInt32>(0)
    /// Whether SIGHUP asks to read files again, since the last `init`.
    private static let hangUpReloads = Atomic<Bool>(false)
    /// The handler writes the signal's number into one end; -1 when there is no pipe, and then the count alone tells.
    private static let pipe: (read: Int32, write: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    /// Takes over SIGTERM, SIGINT and SIGHUP (unless it is ignored, as under `nohup`), and ignores SIGPIPE, for the whole process.
    ///
    /// With `takesReload`, and where there is no terminal whose end SIGHUP could tell of, SIGHUP appears in `reloads`.
    ///
    /// With `endsWithinS`, a process that is still there so many seconds after the first signal is ended as a kill would, with a line on
    /// standard error and status 70. The kernel's alarm does it: it comes also when every thread waits for something that never answers.
    public init(takesReload: Bool = false, endsWithinS: UInt32? = nil) {
        let (reloads, reload) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.reloads = reloads
        Self.hangUpReloads.store(takesReload && !Self.hasTerminal, ordering: .relaxed)
        Self.endsWithinS.store(endsWithinS ?? 0, ordering: .relaxed)
        if endsWithinS != nil { signal(SIGALRM, Self.overdue) }
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        // Both are made here, so that the handler finds them made.
        let readEnd = Self.pipe.read
        Self.count.store(0, ordering: .relaxed)
        Self.first.store(0, ordering: .relaxed)
        source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: .global())
        source.setEventHandler {
            var number: UInt8 = 0
            while read(readEnd, &number, 1) == 1 {
                if Int32(number) == SIGHUP, Self.hangUpReloads.load(ordering: .relaxed) {
                    reload.yield()
                } else {
                    continuation.yield(Int32(number))
                }
            }
        }
        source.resume()
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT, SIGHUP] {
            var action = sigaction()
            sigaction(number, nil, &action)
            if number == SIGHUP, !Self.hangUpReloads.load(ordering: .relaxed),
                unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
            {
                continue
            }
            action = sigaction()
            action.__sigaction_handler = .init(sa_handler: Self.handler)
            // What blocks in a system call goes on; it is told through the stream.
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
    }

    deinit { source.cancel() }

    /// Whether the process belongs to a terminal; a service manager's processes do not.
    private static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }

    /// Only what POSIX allows in a handler: atomics, write, _exit.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        let before = errno
        let isReload = number == SIGHUP && hangUpReloads.load(ordering: .relaxed)
        if !isReload {
            // A signal to a process group, or through a wrapper, comes twice in one moment; a person's second one comes later.
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let nowMs = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
            if count.wrappingAdd(1, ordering: .relaxed).oldValue > 0 {
                if nowMs - firstAtMs.load(ordering: .relaxed) >= impatienceMs { _exit(128 + number) }
                errno = before
                return
            }
            firstAtMs.store(nowMs, ordering: .relaxed)
            first.store(number, ordering: .relaxed)
            _ = alarm(endsWithinS.load(ordering: .relaxed))
        }
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipe.write, &byte, 1)
        errno = before
    }

    /// Ends a process that did not end in time. Only what POSIX allows in a handler; says so only where that does not wait, for whoever
    /// should read standard error may be what holds the end up.
    private static let overdue: @convention(c) (Int32) -> Void = { _ in
        var errors = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        if poll(&errors, 1, 0) == 1, errors.revents & Int16(POLLOUT) != 0 {
            overdueWords.withUTF8Buffer { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
        _exit(70)
    }
    private static let overdueWords: StaticString =
        "error: something that does not answer holds the end up; ending as a kill would, nothing that was confirmed is lost\n"

    /// Whether a signal has arrived; for loops that are not asynchronous.
    public var isRaised: Bool { Self.count.load(ordering: .relaxed) > 0 }

    /// The number of the signal that has arrived; nil before.
    public var raised: Int32? {
        let number = Self.first.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Returns the number of the first signal; at most one task may wait. Zero when the task is cancelled.
    public func wait() async -> Int32 {
        for await number in stream { return number }
        return 0
    }
}
