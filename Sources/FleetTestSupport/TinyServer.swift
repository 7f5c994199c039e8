import Dispatch
import FleetRuntime
import Glibc
import Synchronization

/// A server for tests that says what it is told to, right or wrong: one request a connection, the answer in pieces, then closed.
///
/// An empty answer keeps the connection open and says nothing. Listens until the process ends.
public final class TinyServer: Sendable {
    private let seen = Mutex<[String]>([])
    /// Where it listens, e.g. `http://127.0.0.1:40123`.
    public let url: String

    /// The heads of the requests so far.
    public var requests: [String] { seen.withLock { $0 } }

    /// Listens on a free port; `answer` gets the head of each request and gives the pieces of the answer.
    public init(_ answer: @escaping @Sendable (String) -> [String]) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw UserError(.unavailable, "no port for the test server") }
        let port = UInt16(bigEndian: address.sin_port)
        url = "http://127.0.0.1:\(port)"
        DispatchQueue(label: "tiny-server").async { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = read(connection, &buffer, buffer.count)
                guard count > 0 else {
                    close(connection)
                    continue
                }
                let request = String(decoding: buffer[0..<count], as: UTF8.self)
                seen.withLock { $0.append(request) }
                let pieces = answer(request)
                // Kept open until the client gives up.
                if pieces.isEmpty { _ = read(connection, &buffer, buffer.count) }
                for piece in pieces {
                    _ = Array(piece.utf8).withUnsafeBytes {
                        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                }
                close(connection)
            }
        }
    }

    /// A whole answer with a JSON body.
    public static func answer(_ status: Int, _ body: String) -> String {
        "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }
}
