/// Reads `text/event-stream` byte by byte (HTML Living Standard, section 9.2.6), whatever pieces the network makes of it.
struct EventStreamParser {
    /// Longest line and longest event that are read, in bytes.
    static let limit = 1 << 20

    /// Whether a line or an event was longer than the limit; nothing is read after that.
    private(set) var isOverLimit = false
    private var line: [UInt8] = []
    private var isFirstLine = true
    private var endedWithReturn = false
    private var id: String?
    private var event = ""
    private var data: [String] = []
    private var dataBytes = 0

    /// The events that `bytes` complete.
    mutating func events(in bytes: UnsafeRawBufferPointer) -> [ReceivedEvent] {
        var events: [ReceivedEvent] = []
        for byte in bytes where !isOverLimit {
            // CR, LF and CR LF all end a line.
            if byte == 10 && endedWithReturn {
                endedWithReturn = false
                continue
            }
            endedWithReturn = byte == 13
            if byte == 10 || byte == 13 {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(byte)
                isOverLimit = line.count > Self.limit
            }
        }
        return events
    }

    private mutating func endLine() -> ReceivedEvent? {
        if isFirstLine && line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        defer { line.removeAll(keepingCapacity: true) }
        if line.isEmpty { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data":
            data.append(text)
            dataBytes += text.utf8.count
            if dataBytes > Self.limit { isOverLimit = true }
        case "event": event = text
        case "id" where !text.contains("\0"): id = text
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> ReceivedEvent? {
        defer {
            event = ""
            data.removeAll()
            dataBytes = 0
        }
        guard !data.isEmpty else { return nil }
        return ReceivedEvent(id: id, event: event.isEmpty ? "message" : event, data: data.joined(separator: "\n"))
    }
}
