import Foundation
import Glibc
import Synchronization

/// A broker that answers as a test tells it to, right or wrong: MQTT 5, just enough of it. For what mosquitto cannot be made to say.
public final class ScriptedBroker: Sendable {
    /// What a client sent.
    public enum Packet: Sendable {
        case connect(clientID: String)
        /// `id` is 0 for QoS 0.
        case publish(topic: String, payload: Data, id: UInt16)
        case subscribe(id: UInt16, filters: Int)
        case ping
        case disconnect
        case other(UInt8)
    }

    /// What is sent back.
    public enum Reply: Sendable {
        case connectAnswer(UInt8)
        /// Accepts, and takes nothing but QoS 0.
        case connectAnswerMaximumQoS0
        case publishAnswer(id: UInt16, reason: UInt8)
        case subscribeAnswer(id: UInt16, count: Int)
        case pingAnswer
        /// QoS 0.
        case publish(topic: String, payload: Data)
        /// A DISCONNECT with its reason, then the end.
        case disconnect(UInt8)
        /// The end without a word.
        case hangUp
    }

    /// A packet and the number of the connection, from 1, that it came on.
    public typealias Script = @Sendable (_ packet: Packet, _ connection: Int) -> [Reply]

    /// Its port on 127.0.0.1.
    public let port: Int
    private let listener: Int32
    private let script: Script
    private let seen = Mutex<(connections: Int, packets: [Packet])>((0, []))

    /// Listens and answers by `script`.
    public init(_ script: @escaping Script) {
        self.script = script
        (listener, port) = FreePort.listener()
        Thread.detachNewThread { [listener, weak self] in
            while true {
                let accepted = accept(listener, nil, nil)
                guard accepted >= 0 else { return }
                guard let self else {
                    close(accepted)
                    return
                }
                let number = self.seen.withLock {
                    $0.connections += 1
                    return $0.connections
                }
                Thread.detachNewThread { [weak self] in
                    Self.serve(accepted) { packet in self?.answer(packet, number) ?? [.hangUp] }
                    close(accepted)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// `mqtt://127.0.0.1:port`.
    public var url: String { "mqtt://127.0.0.1:\(port)" }
    /// Connections so far.
    public var connections: Int { seen.withLock { $0.connections } }
    /// Payloads published so far on topics that end in `suffix`.
    public func payloads(_ suffix: String) -> [Data] {
        seen.withLock { $0.packets }.compactMap {
            if case .publish(let topic, let payload, _) = $0, topic.hasSuffix(suffix) { payload } else { nil }
        }
    }

    /// What a broker says that has nothing against anything.
    public static func polite(_ packet: Packet) -> [Reply] {
        switch packet {
        case .connect: [.connectAnswer(0)]
        case .publish(_, _, let id): id == 0 ? [] : [.publishAnswer(id: id, reason: 0)]
        case .subscribe(let id, let count): [.subscribeAnswer(id: id, count: count)]
        case .ping: [.pingAnswer]
        case .disconnect: [.hangUp]
        case .other: []
        }
    }

    private func answer(_ packet: Packet, _ connection: Int) -> [Reply] {
        seen.withLock { $0.packets.append(packet) }
        return script(packet, connection)
    }

    private static func serve(_ descriptor: Int32, _ answer: (Packet) -> [Reply]) {
        while let (header, body) = readPacket(descriptor) {
            for reply in answer(packet(header, body)) {
                let bytes = encode(reply)
                _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                switch reply {
                case .disconnect, .hangUp:
                    shutdown(descriptor, Int32(SHUT_RDWR))
                    return
                default: break
                }
            }
        }
    }

    // MARK: MQTT 5, section 2 and 3

    private static func readPacket(_ descriptor: Int32) -> (UInt8, [UInt8])? {
        func read(_ count: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            var got = 0
            while got < count {
                let n = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + got, count - got, 0) }
                guard n > 0 else { return nil }
                got += n
            }
            return bytes
        }
        guard let header = read(1)?[0] else { return nil }
        var (length, shift) = (0, 0)
        while true {
            guard let byte = read(1)?[0], shift <= 21 else { return nil }
            length |= Int(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 { break }
        }
        return read(length).map { (header, $0) }
    }

    private static func packet(_ header: UInt8, _ body: [UInt8]) -> Packet {
        var reader = Reader(bytes: body[...])
        switch header >> 4 {
        case 1:
            _ = reader.string()
            reader.skip(4)
            reader.skipProperties()
            return .connect(clientID: reader.string())
        case 3:
            let topic = reader.string()
            let id = header & 0x06 == 0 ? 0 : reader.number()
            reader.skipProperties()
            return .publish(topic: topic, payload: Data(reader.bytes), id: id)
        case 8:
            let id = reader.number()
            reader.skipProperties()
            var count = 0
            while !reader.bytes.isEmpty {
                _ = reader.string()
                reader.skip(1)
                count += 1
            }
            return .subscribe(id: id, filters: count)
        case 12: return .ping
        case 14: return .disconnect
        default: return .other(header)
        }
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func skip(_ count: Int) { bytes = bytes.dropFirst(count) }
        mutating func number() -> UInt16 {
            defer { skip(2) }
            return bytes.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
        }
        mutating func string() -> String {
            let count = Int(number())
            defer { skip(count) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        mutating func skipProperties() {
            var (length, shift) = (0, 0)
            while let byte = bytes.popFirst() {
                length |= Int(byte & 0x7F) << shift
                shift += 7
                if byte & 0x80 == 0 { break }
            }
            skip(length)
        }
    }

    private static func encode(_ reply: Reply) -> [UInt8] {
        func two(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        switch reply {
        case .connectAnswer(let reason): return [0x20, 3, 0, reason, 0]
        case .connectAnswerMaximumQoS0: return [0x20, 5, 0, 0, 2, 0x24, 0]
        case .publishAnswer(let id, let reason): return [0x40, 4] + two(id) + [reason, 0]
        case .subscribeAnswer(let id, let count):
            return [0x90, UInt8(3 + count)] + two(id) + [0] + [UInt8](repeating: 1, count: count)
        case .pingAnswer: return [0xD0, 0]
        case .publish(let topic, let payload):
            var length = 2 + topic.utf8.count + 1 + payload.count
            var head: [UInt8] = [0x30]
            repeat {
                head.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
                length >>= 7
            } while length > 0
            return head + two(UInt16(topic.utf8.count)) + Array(topic.utf8) + [0] + payload
        case .disconnect(let reason): return [0xE0, 2, reason, 0]
        case .hangUp: return []
        }
    }
}
