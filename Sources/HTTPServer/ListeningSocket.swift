import FleetRuntime
import Glibc

/// A TCP socket that listens; closed with the object.
///
/// The server opens it itself, so that the daemon behind it can be changed for one with another certificate while nobody is refused.
final class ListeningSocket: Sendable {
    /// Connections that the kernel keeps while nobody has taken them yet.
    private static let backlog: Int32 = 511

    private let descriptor: Int32
    /// The port that was given.
    let port: Int

    /// Listens on a numeric IPv4 or IPv6 address; port 0 takes a free one. Throws `UserError` when the address cannot be taken.
    init(address: String, port: Int) throws {
        let opened = try Self.withSocketAddress(address, port) { family, pointer, length -> (descriptor: Int32, failure: Int32) in
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return (-1, errno) }
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            guard bind(descriptor, pointer, length) == 0, listen(descriptor, Self.backlog) == 0 else {
                let failure = errno
                close(descriptor)
                return (-1, failure)
            }
            return (descriptor, 0)
        }
        guard opened.descriptor >= 0 else {
            throw UserError(.unavailable, "cannot listen on \(address) port \(port): \(Self.words(opened.failure))")
        }
        descriptor = opened.descriptor
        self.port = Self.port(of: opened.descriptor)
    }

    deinit { close(descriptor) }

    /// Another descriptor for the same socket; the caller closes it.
    func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    private static func words(_ failure: Int32) -> String {
        switch failure {
        case EADDRINUSE: "another program listens there"
        case EADDRNOTAVAIL: "this machine does not have that address"
        case EACCES: "not permitted; ports below 1024 need rights"
        default: String(cString: strerror(failure))
        }
    }

    private static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        // The port lies at the same place in both families' addresses.
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        return Int(UInt16(bigEndian: address.sin6_port))
    }

    private static func withSocketAddress<R>(
        _ address: String, _ port: Int, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> R
    ) throws -> R {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = in_port_t(port).bigEndian
        if inet_pton(AF_INET, address, &four.sin_addr) == 1 {
            return withUnsafePointer(to: &four) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body(AF_INET, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = in_port_t(port).bigEndian
        guard inet_pton(AF_INET6, address, &six.sin6_addr) == 1 else {
            throw UserError(.configuration, "\(address) is no numeric IP address to listen on")
        }
        return withUnsafePointer(to: &six) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(AF_INET6, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) }
        }
    }
}
