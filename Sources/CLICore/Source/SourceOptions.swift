import FleetRuntime
import FleetStore
import Glibc
import HTTPClient

/// The options that say where to read from, the same for every command.
enum SourceOptions {
    static let serverSpecs: [OptionSpec] = [
        .value("--server", "URL", "the fleet server (default $FLEET_SERVER or \(defaultServer))"),
        .value("--ca", "FILE", "trust the authorities in FILE (PEM) for https"),
    ]

    static let specs: [OptionSpec] =
        serverSpecs + [
            .value("--db", "FILE", "read the store's file instead of asking a server")
        ]

    private static let defaultServer = "http://127.0.0.1:8080"

    static func source(_ arguments: ParsedArguments) throws -> any FleetSource {
        if let path = arguments.value("--db") {
            guard !arguments.has("--server"), !arguments.has("--ca") else {
                throw UserError(.usage, "--db reads a file; leave --server and --ca out")
            }
            return try DatabaseSource(path: path)
        }
        return try server(arguments)
    }

    static func server(_ arguments: ParsedArguments) throws -> ServerSource {
        let fromEnvironment = variable("FLEET_SERVER")
        let text = arguments.value("--server") ?? fromEnvironment ?? defaultServer
        let address: ServerAddress
        do throws(HTTPClientError) { address = try ServerAddress(text) } catch {
            guard case .badAddress(let reason) = error else { throw UserError(.usage, "the server's address is not usable") }
            let name = arguments.has("--server") || fromEnvironment == nil ? "--server" : "FLEET_SERVER"
            // What stands before an @ may be a password.
            throw UserError(.usage, text.contains("@") ? "\(name): \(reason)" : "\(name) \(text.shortened): \(reason)")
        }
        var settings = HTTPClient.Settings()
        settings.userAgent = "fleet-cli"
        if let file = arguments.value("--ca") {
            guard access(file, R_OK) == 0 else { throw UserError(.noInput, "--ca \(file): \(String(cString: strerror(errno)))") }
            settings.caFile = file
        }
        if let file = variable("FLEET_TOKEN_FILE") {
            settings.token = try SecretFile.read(file)
            if !address.isEncrypted, !address.isLoopback {
                Log("cli").warning("the token goes to \(address) unencrypted; use https where others can listen")
            }
        }
        return ServerSource(client: HTTPClient(server: address, settings: settings))
    }

    private static func variable(_ name: String) -> String? {
        guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
        return text
    }
}
