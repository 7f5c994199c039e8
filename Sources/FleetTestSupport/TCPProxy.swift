import Foundation
import Glibc
import Synchronization

/// Passes TCP connections on to another port of 127.0.0.1, and can cut them all: the network of a vehicle that drives into a tunnel.
public final class TCPProxy: Sendable {
    /// The port it listens on.
    public let port: Int
    private let target: Int
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
        var sockets: Set<Int32> = []
        var isOpen = true
    }

    /// Passes on to `target`.
    public init(to target: Int) {
        self.target = target
        (listener, port) = FreePort.listener()
        Thread.detachNewThread { [listener, weak self] in
            while true {
                let accepted = accept(listener, nil, nil)
                guard accepted >= 0, let self else { return }
                self.take(accepted)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        state.withLock { for socket in $0.sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    /// Cuts every connection without a goodbye; new ones are refused while `isOpen` is false.
    public func cut(isOpen: Bool = true) {
        state.withLock { state in
            state.isOpen = isOpen
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Lets connections through again.
    public func open() { state.withLock { $0.isOpen = true } }

    private func take(_ accepted: Int32) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard state.withLock({ $0.isOpen }), FreePort.connect(server, to: target) else {
            close(accepted)
            close(server)
            return
        }
        state.withLock { $0.sockets.formUnion([accepted, server]) }
        let ends = Mutex(0)
        let finished: @Sendable () -> Void = { [weak self] in
            shutdown(accepted, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
            let isLast = ends.withLock { count in
                count += 1
                return count == 2
            }
            guard isLast else { return }
            self?.state.withLock { $0.sockets.subtract([accepted, server]) }
            close(accepted)
            close(server)
        }
        Thread.detachNewThread {
            Self.copy(accepted, server)
            finished()
        }
        Thread.detachNewThread {
            Self.copy(server, accepted)
            finished()
        }
    }

    private static func copy(_ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(from, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            var sent = 0
            while sent < count {
                let n = buffer.withUnsafeBytes {
                    send(to, $0.baseAddress! + sent, count - sent, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
                }
                guard n > 0 else { return }
                sent += n
            }
        }
    }
}
