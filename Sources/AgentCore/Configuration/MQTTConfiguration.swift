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

    /// Refuses a certificate that speaks for somebody else than `username`: the broker would refuse every alert, and the two vehicles would
    /// throw each other off. Throws `UserError`.
    func checkCertificate() throws {
        guard let certFile else { return }
        let pem = String(decoding: try FilePieces.contents(of: certFile, limit: 1 << 20), as: UTF8.self)
        let name = try Certificate(pem: pem, file: certFile).commonName
        guard name == username else {
            throw UserError(
                .configuration,
                "\(certFile): is the certificate of \(name.printable), not of \(username) (mqtt.certFile, or mqtt.username where the broker knows it by another name)"
            )
        }
    }
}
