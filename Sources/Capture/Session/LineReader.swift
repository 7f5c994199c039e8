import FleetRuntime
import Foundation
import Glibc

/// The lines of a text file, one after another, in bounded memory.
///
/// A line ends with LF or CRLF; the last one may end with the file. One thread at a time.
final class LineReader {
    /// Longest line in bytes; far above any that is written.
    static let maximumLineBytes = 16 * 1024

    let path: String
    /// Number of the line that was read last, from 1.
    private(set) var lineNumber = 0
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// Opens `path`; a `UserError` names it when that fails.
    init(path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw UserError(errno == ENOENT ? .noInput : .ioError, "\(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// The next line without its end; nil after the last. A line over the limit is an error.
    func next() throws -> Data? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                let line = start..<end
                start = end + 1
                return try taken(line)
            }
            searched = buffer.count
            let rest = start..<buffer.count
            if isAtEnd || rest.count > Self.maximumLineBytes {
                guard !rest.isEmpty else { return nil }
                start = buffer.count
                return try taken(rest)
            }
            searched -= start
            try refill()
        }
    }

    /// An error about the line that was read last.
    func malformed(_ reason: String) -> UserError { UserError(.badData, "\(path):\(lineNumber): \(reason)") }

    private func refill() throws {
        buffer.removeFirst(start)
        start = 0
        let wanted = 64 * 1024
        let count = try withUnsafeTemporaryAllocation(byteCount: wanted, alignment: 1) { piece in
            while true {
                let n = read(descriptor, piece.baseAddress, wanted)
                if n >= 0 {
                    buffer.append(contentsOf: piece[0..<n])
                    return n
                }
                guard errno == EINTR else { throw UserError(.ioError, "\(path): \(String(cString: strerror(errno)))") }
            }
        }
        isAtEnd = count == 0
    }

    private func taken(_ line: Range<Int>) throws -> Data {
        lineNumber += 1
        guard line.count <= Self.maximumLineBytes else { throw malformed("longer than \(Self.maximumLineBytes) bytes") }
        let bytes = buffer[line]
        return Data(bytes.last == 13 ? bytes.dropLast() : bytes)
    }
}
