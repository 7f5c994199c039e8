import FleetRuntime
import FoundationEssentials

/// How a client connects.
public struct MQTTClientOptions: Sendable {
    /// Where to.
    public var address: BrokerAddress
    /// Unique on the broker.
    public var clientID: String
    /// User name; nil for none.
    public var username: String?
    /// File whose first line is the password; read at every attempt, so that it can be changed while the program runs.
    public var passwordFile: String?
    /// Trusted certificates, PEM; nil for the system's.
    public var caFile: String?
    /// The client's certificate, PEM.
    public var certFile: String?
    /// Its key, PEM.
    public var keyFile: String?
    /// Seconds of silence after which a sign of life is sent; the broker gives up after one and a half times as much.
    public var keepAliveS: Int32 = 30
    /// Seconds within which the broker must have accepted.
    public var connectTimeoutS = 10.0
    /// Seconds before the second attempt; doubled from there.
    public var minimumBackoffS = 1.0
    /// Longest time between attempts, in s.
    public var maximumBackoffS = 60.0
    /// Seconds that a connection must have held for the next back-off to start from the minimum again: a connection that is lost right
    /// after each success must not be tried again at once for ever.
    public var stableAfterS = 30.0
    /// Messages that wait for the consumer before the network thread blocks.
    public var incomingCapacity = 1024
    /// Largest packet that the broker may send, in bytes.
    public var maximumIncomingPacketBytes: UInt32 = 1 << 20

    /// For `address` as `clientID`, the rest as above.
    public init(address: BrokerAddress, clientID: String) {
        self.address = address
        self.clientID = clientID
    }

    /// Throws `UserError` naming the first file that cannot be read; to be called once at start.
    public func checkFiles() throws {
        for path in [passwordFile, caFile, certFile, keyFile].compactMap({ $0 }) {
            _ = try FilePieces.contents(of: path, limit: 1 << 20)
        }
    }

    /// The first line of `passwordFile`; nil without one. Throws `UserError` naming the file.
    func password() throws -> String? {
        guard let passwordFile else { return nil }
        let bytes = try FilePieces.contents(of: passwordFile, limit: 4096)
        return String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
    }
}
