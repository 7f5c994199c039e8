import FleetRuntime

/// How to reach a broker and what to tell it. Made anew before every attempt, because the last will changes.
public struct MQTTSettings: Sendable {
    /// Certificates of a TLS connection, PEM files.
    public struct TLS: Sendable {
        /// What is trusted; nil for the system's certificates.
        public var caFile: String?
        /// The client's certificate and its key.
        public var certFile: String?
        public var keyFile: String?

        /// All members.
        public init(caFile: String? = nil, certFile: String? = nil, keyFile: String? = nil) {
            self.caFile = caFile
            self.certFile = certFile
            self.keyFile = keyFile
        }
    }

    /// Name or address.
    public var host: String
    /// TCP port.
    public var port: Int
    /// Nil for plain TCP.
    public var tls: TLS?
    /// Client id.
    public var clientID: String
    /// User name and password; nil for a broker that asks for none.
    public var username: String?
    public var password: String?
    /// Seconds between signs of life.
    public var keepAliveS = 20
    /// What the broker publishes when the connection is lost.
    public var will: MQTTMessage?
    /// Topic filters to subscribe to after every connect.
    public var subscriptions: [(filter: String, qos: MQTTQoS)] = []

    /// Reads `mqtt://host[:port]` or `mqtts://host[:port]`. Throws `UserError` for anything else, and for a URL that holds a password.
    public init(url: String, clientID: String, username: String?, passwordFile: String?, tls: TLS = TLS()) throws {
        let address: BrokerAddress
        do { address = try BrokerAddress(url: url) } catch { throw UserError(.configuration, "mqtt.url \(error)") }
        host = address.host
        port = address.port
        self.tls = address.isSecure ? tls : nil
        self.clientID = clientID
        self.username = username
        password = try passwordFile.map(SecretFile.read)
    }
}
