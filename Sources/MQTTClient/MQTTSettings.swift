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

    /// Reads `mqtt://host[:port]` or `mqtts://host[:port]`. Throws `UserError` for anything else, for a URL that holds a password, for
    /// files that others could read or change, and for what would go over a network in the clear.
    public init(url: String, clientID: String, username: String?, passwordFile: String?, tls: TLS = TLS()) throws {
        let address: BrokerAddress
        do { address = try BrokerAddress(url: url) } catch { throw UserError(.configuration, "mqtt.url \(error)") }
        if address.isSecure {
            try Self.check(tls)
        } else {
            try Self.checkUnencrypted(host: address.host, hasPassword: passwordFile != nil, tls)
        }
        host = address.host
        port = address.port
        self.tls = address.isSecure ? tls : nil
        self.clientID = clientID
        self.username = username
        password = try passwordFile.map(SecretFile.read)
    }

    /// The library reads the files by itself; what is wrong with them is told here, by name.
    private static func check(_ tls: TLS) throws {
        if let file = tls.caFile { try SecretFile.checkUnchangeable(file) }
        guard let certFile = tls.certFile, let keyFile = tls.keyFile else { return }
        let pem = String(decoding: try FilePieces.contents(of: certFile, limit: 1 << 20), as: UTF8.self)
        try Certificate.checkKey(SecretFile.text(keyFile), keyFile: keyFile, fits: pem, file: certFile)
    }

    private static func checkUnencrypted(host: String, hasPassword: Bool, _ tls: TLS) throws {
        guard tls.caFile == nil, tls.certFile == nil, tls.keyFile == nil else {
            throw UserError(.configuration, "mqtt.url is mqtt://, without TLS; caFile, certFile and keyFile want mqtts://")
        }
        let isLoopback = host == "localhost" || host == "::1" || host.hasPrefix("127.")
        guard isLoopback || !hasPassword else {
            throw UserError(
                .configuration, "mqtt.url: the password would go to \(host) where others can read it; use mqtts://, or leave it out"
            )
        }
    }
}
