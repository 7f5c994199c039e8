import FleetRuntime
import Foundation
import Glibc
import Synchronization

/// TCP ports of the loopback interface that nobody uses.
public enum FreePort {
    /// A port that was free a moment ago.
    public static func next() -> Int {
        let (descriptor, port) = listener()
        close(descriptor)
        return port
    }

    /// Connects `descriptor` to a port of 127.0.0.1; false when nobody listens.
    public static func connect(_ descriptor: Int32, to port: Int) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// A listening socket on 127.0.0.1 and its port; the caller closes it.
    public static func listener() -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, length)
                _ = getsockname(descriptor, $0, &length)
            }
        }
        listen(descriptor, 16)
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}

/// A listener that accepts connections, reads, and never answers.
public final class SilentListener: Sendable {
    /// Its port on 127.0.0.1.
    public let port: Int
    private let descriptor: Int32
    private let received = Atomic<Int>(0)

    /// Starts listening.
    public init() {
        (descriptor, port) = FreePort.listener()
        Thread.detachNewThread { [descriptor, weak self] in
            while true {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { return }
                Thread.detachNewThread { [weak self] in
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    while true {
                        let count = recv(accepted, &buffer, buffer.count, 0)
                        guard count > 0 else { break }
                        self?.received.add(count, ordering: .relaxed)
                    }
                    close(accepted)
                }
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// Whether a client has said something.
    public var hasReceived: Bool { received.load(ordering: .relaxed) > 0 }
}

/// A port on which connections hang: nobody accepts, and the kernel's queue is full, so that it drops every further SYN, as a network
/// does that swallows packets.
public final class BlackHole: Sendable {
    /// Its port on 127.0.0.1.
    public let port: Int
    private let descriptors: [Int32]

    /// Fills the queue.
    public init() {
        let (listener, port) = FreePort.listener()
        // A second listen makes the queue shorter; it holds one more than it is told.
        listen(listener, 0)
        self.port = port
        descriptors =
            [listener]
            + (0..<4).map { _ in
                let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
                _ = FreePort.connect(filler, to: port)
                return filler
            }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// How many try to connect: sockets in the state SYN_SENT towards this port, as the kernel lists them.
    private var callers: Int {
        let hex = String(port, radix: 16, uppercase: true)
        let target = "0100007F:" + String(repeating: "0", count: 4 - hex.count) + hex
        // Read in pieces: the kernel states a size of 0.
        let table = (try? FilePieces.contents(of: "/proc/net/tcp", limit: 64 << 20)) ?? Data()
        return String(decoding: table, as: UTF8.self).split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            return words.count > 3 && words[2] == target && words[3] == "02"
        }
    }

    /// Whether somebody else than the fillers that found no place tries to connect.
    public var hasCaller: Bool { callers > descriptors.count - 1 - 1 }
}
