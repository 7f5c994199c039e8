import FleetModel
import FleetRuntime
import MQTTClient

/// What `config/sync.yaml` says, checked.
public struct SyncConfiguration: Sendable {
    /// Name of this instance; part of its MQTT client id.
    public var instance: String
    /// Where alerts are kept, and how much of them.
    public var store: SyncStoreConfiguration
    /// The broker.
    public var mqtt: SyncMQTTConfiguration
    /// The API and the page.
    public var http: SyncHTTPConfiguration
    /// Who else is told of alerts.
    public var webhooks: [WebhookRule]
    /// What the page shows behind its vehicles.
    public var view: SyncViewConfiguration

    /// Reads `path`. Throws `UserError` with file, line, key and what is allowed.
    public init(path: String) throws { try self.init(document: ConfigurationDocument(path: path)) }

    /// Reads `document` and refuses keys that nobody knows.
    public init(document: ConfigurationDocument) throws {
        let root = document.root
        instance = try root.string("instance") ?? "sync-1"
        guard VehicleIdentity.isValid(instance) else { throw root.error("instance", "must be 1 to 64 letters, digits, _ and -") }
        store = try SyncStoreConfiguration(root)
        mqtt = try SyncMQTTConfiguration(root.section("mqtt"))
        http = try SyncHTTPConfiguration(root.section("http"))
        let groups = try VehicleGroups(root.section("groups"))
        webhooks = try root.sections("webhooks").map { try WebhookRule($0, groups: groups) }
        let names = webhooks.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw root.error("webhooks", "the name \(twice) stands twice")
        }
        view = try SyncViewConfiguration(root.section("view"))
        try document.finish()
    }
}

/// The section `mqtt`.
public struct SyncMQTTConfiguration: Sendable {
    /// `mqtt://host:port` or `mqtts://host:port`.
    public var url: String
    /// User name; nil for a broker that asks for none.
    public var username: String?
    /// File whose first line is the password.
    public var passwordFile: String?
    /// Certificates that are trusted, PEM.
    public var caFile: String?
    /// The service's certificate and its key, PEM.
    public var certFile: String?
    public var keyFile: String?

    /// How to connect as `clientID`. Throws `UserError` for a wrong URL or an unreadable password file.
    func settings(clientID: String) throws -> MQTTSettings {
        try MQTTSettings(
            url: url, clientID: clientID, username: username, passwordFile: passwordFile,
            tls: .init(caFile: caFile, certFile: certFile, keyFile: keyFile))
    }

    init(_ section: ConfigurationSection) throws {
        url = try section.requiredString("url")
        do { _ = try BrokerAddress(url: url) } catch { throw section.error("url", "\(error)") }
        username = try section.string("username", maximumLength: 256)
        passwordFile = try section.path("passwordFile")
        caFile = try section.path("caFile")
        certFile = try section.path("certFile")
        keyFile = try section.path("keyFile")
        if (certFile == nil) != (keyFile == nil) {
            throw section.error(certFile == nil ? "keyFile" : "certFile", "certFile and keyFile go together")
        }
    }
}
