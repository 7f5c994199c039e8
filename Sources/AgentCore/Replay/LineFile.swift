import FleetModel
import FleetRuntime
import Glibc

/// A file of JSON lines that is written as a replay advances.
final class LineFile {
    private let file: UnsafeMutablePointer<FILE>
    private let path: String

    /// Creates or empties `path`. Throws `UserError` that names it.
    init(path: String) throws {
        guard let file = fopen(path, "we") else {
            throw UserError(.ioError, "\(path): cannot be written (\(String(cString: strerror(errno))))")
        }
        self.file = file
        self.path = path
    }

    deinit { fclose(file) }

    /// Appends `value` as one line.
    func write(_ value: some Encodable) throws {
        let bytes = Array(try WireCodec.encode(value)) + [10]
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw failure() }
    }

    /// Brings everything to the file system; what `deinit` does without telling whether it worked.
    func finish() throws { guard fflush(file) == 0 else { throw failure() } }

    private func failure() -> UserError { UserError(.ioError, "\(path): writing failed (\(String(cString: strerror(errno))))") }
}
