import FleetModel
import FleetRuntime
import MQTTClient

/// The section `mqtt`: the broker and how the vehicle proves who it is.
public struct MQTTConfiguration: Sendable {
    /// `mqtt://host:port` or `mqtts://host:port`.
    public var url: String
    /// User name; by contract `fleet/vehicle`.
    public var username: String
    /// File whose first line is the password; nil for a broker that asks for none.
    public var passwordFile: String?
    /// Certificates that are trusted, PEM.
    public var caFile: String?
    /// The vehicle's certificate, PEM.
    public var certFile: String?
    /// The certificate's key, PEM.
    public var keyFile: String?

    init(_ section: ConfigurationSection, identity: VehicleIdentity) throws {
        url = try section.requiredString("url")
        do { _ = try BrokerAddress(url: url) } catch { throw section.error("url", "\(error)") }
        username = try section.string("username", maximumLength: 256) ?? identity.description
        passwordFile = try section.path("passwordFile")
        caFile = try section.path("caFile")
        certFile = try section.path("certFile")
        keyFile = try section.path("keyFile")
        if (certFile == nil) != (keyFile == nil) {
            throw section.error(certFile == nil ? "keyFile" : "certFile", "certFile and keyFile go together")
        }
    }
}
