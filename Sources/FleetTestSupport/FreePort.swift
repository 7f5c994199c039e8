import Glibc

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

/// A listener that accepts connections (the kernel does) and never answers.
public final class SilentListener: Sendable {
    /// Its port on 127.0.0.1.
    public let port: Int
    private let descriptor: Int32

    /// Starts listening.
    public init() { (descriptor, port) = FreePort.listener() }

    deinit { close(descriptor) }
}
