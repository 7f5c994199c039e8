import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import Glibc
import Synchronization

/// `fleet-cli export`: alerts as a file for other programs, however many.
enum ExportCommand {
    static let command = Command(
        "export", "write alerts as CSV or JSON Lines, all of them",
        discussion: """
            The alerts of the filters, the one that changed last first, without a bound on their number. The server notes in its audit log who
            exported what; it wants the role reviewer. With --db the file is read and nothing is noted. An export that breaks off ends with
            status 69 and leaves no FILE.
            """,
        options: AlertFilters.specs + [
            .value("--format", "FORMAT", "csv or jsonl (default csv)", choices: AlertFile.allCases.map(\.rawValue)),
            .value("--out", "FILE", "write to FILE, readable by you alone, instead of standard output"),
            .flag("--utc", "read days in --since and --until as UTC"),
        ] + SourceOptions.specs
    ) { arguments in
        let view = ViewOptions(arguments)
        let query = try AlertFilters.query(arguments, view)
        let format = arguments.value("--format").flatMap(AlertFile.init(rawValue:)) ?? .csv
        let source = try SourceOptions.source(arguments)
        guard let path = arguments.value("--out") else {
            return try await source.export(query, as: format) { StandardStreams.write($0) }
        }
        let file = try NewFile(path)
        do {
            try await source.export(query, as: format) { file.write($0) }
            try file.finish()
        } catch {
            file.remove()
            throw error
        }
    }

    /// A file that appears under its name when it is complete.
    private final class NewFile: Sendable {
        private let path: String
        private let partial: String
        private let descriptor: Int32
        /// The first error number, 0 for none.
        private let failure = Atomic<Int32>(0)

        init(_ path: String) throws {
            (self.path, partial) = (path, path + ".partial")
            descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw UserError(.ioError, "\(path): \(String(cString: strerror(errno)))") }
        }

        deinit { close(descriptor) }

        func write(_ bytes: UnsafeRawBufferPointer) {
            var rest = bytes[...]
            while !rest.isEmpty, failure.load(ordering: .relaxed) == 0 {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { failure.store(errno, ordering: .relaxed) }
            }
        }

        func finish() throws {
            let code = failure.load(ordering: .relaxed)
            guard code == 0, fsync(descriptor) == 0, rename(partial, path) == 0 else {
                throw UserError(.ioError, "\(path): \(String(cString: strerror(code == 0 ? errno : code)))")
            }
        }

        func remove() { unlink(partial) }
    }
}
