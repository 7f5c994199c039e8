import FleetModel
import FoundationEssentials

/// A YAML file whose every key is known: read the sections, then call `finish()` to refuse what nobody asked for.
public struct ConfigurationDocument {
    /// The file's mapping.
    public let root: ConfigurationSection

    /// Parses `path`. Throws `UserError` with file, line and reason.
    public init(path: String) throws {
        let data: Data
        do { data = try FilePieces.contents(of: path, limit: 1 << 20) } catch let error as UserError {
            throw UserError(error.code == .noInput ? .noInput : .configuration, error.message)
        }
        try self.init(text: Array(data), file: path)
    }

    /// Parses `text`; `file` names it in messages, and its folder is what relative paths refer to.
    public init(text: [UInt8], file: String) throws {
        let node = try YAMLNode.parse(text, file: file)
        root = try ConfigurationSection(node: node, file: file, path: "")
    }

    /// Refuses keys that were never asked for, in every section that was opened.
    public func finish() throws { try root.finish() }
}
