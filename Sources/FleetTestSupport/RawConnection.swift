import Foundation

/// A TCP connection on which a test says exactly what it wants, HTTP or not.
public final class RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects to 127.0.0.1.
    public init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    /// Sends `text` as it is.
    public func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let n = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard n > 0 else { return }
            bytes = bytes.dropFirst(n)
        }
    }

    /// Everything up to the server's end of the connection, or up to `marker`. Waits on a thread of its own: Dispatch's threads are also
    /// those on which Swift's tasks run, and few.
    public func read(through marker: String? = nil) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                let wanted = marker.map { Array($0.utf8) }
                var all: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 16 * 1024)
                while true {
                    let n = recv(descriptor, &buffer, buffer.count, 0)
                    guard n > 0 else { break }
                    // Only what is new can complete the marker.
                    let start = max(0, all.count - (wanted?.count ?? 0))
                    all += buffer[0..<n]
                    if let wanted, !all[start...].ranges(of: wanted).isEmpty { break }
                }
                continuation.resume(returning: String(decoding: all, as: UTF8.self))
            }
        }
    }

    /// Sends one request and returns the whole answer.
    public static func exchange(_ port: Int, _ head: [String], body: String = "") async throws -> RawAnswer {
        let connection = try RawConnection(port: port)
        var lines = head
        if !lines.contains(where: { $0.hasPrefix("Host:") }) { lines.append("Host: localhost") }
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        lines.append("Connection: close")
        connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return RawAnswer(await connection.read())
    }
}

/// An answer in its parts.
public struct RawAnswer: Sendable {
    /// HTTP status; 0 when the answer is none.
    public let status: Int
    /// Headers by lower-case name.
    public let headers: [String: String]
    /// What came after the headers.
    public let body: String

    /// Takes `text` apart.
    public init(_ text: String) {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = (parts.first ?? "").split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        headers = Dictionary(
            lines.dropFirst().compactMap { line in
                line.firstIndex(of: ":").map {
                    (line[..<$0].lowercased(), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
                }
            }
        ) { $1 }
        body = parts.count > 1 ? String(parts[1]) : ""
    }
}
