import FleetRuntime
import Foundation

/// A new text file that grows by lines; errors name it.
struct LineFile {
    private let path: String
    private let handle: FileHandle

    init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path) else {
            throw UserError(.ioError, "\(path): cannot be created")
        }
        self.path = path
        self.handle = handle
    }

    func append(_ line: Data) throws {
        do {
            try handle.write(contentsOf: line + Data("\n".utf8))
        } catch {
            throw UserError(.ioError, "\(path): cannot be written (\(error.localizedDescription))")
        }
    }

    func close() throws {
        do { try handle.close() } catch { throw UserError(.ioError, "\(path): cannot be closed (\(error.localizedDescription))") }
    }
}
