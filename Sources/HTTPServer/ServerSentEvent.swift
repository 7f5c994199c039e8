import FoundationEssentials

/// One event of a `text/event-stream` (HTML Living Standard, section 9.2).
public struct ServerSentEvent: Sendable {
    /// What a client sends back as `Last-Event-ID`; nil to leave it as it is.
    public var id: String?
    /// Name of the event; nil for `message`.
    public var event: String?
    /// The data; lines are split as the format wants it. Nil makes a comment that keeps the connection awake.
    public var data: String?

    /// An event.
    public init(id: String? = nil, event: String? = nil, data: String) {
        self.id = id
        self.event = event
        self.data = data
    }

    private init() {}

    /// A comment: nothing happens at the client.
    static let keepAlive = ServerSentEvent()

    var bytes: Data {
        guard let data else { return Data(": \n\n".utf8) }
        var text = ""
        if let id { text += "id: \(id)\n" }
        if let event { text += "event: \(event)\n" }
        for line in data.split(separator: "\n", omittingEmptySubsequences: false) { text += "data: \(line)\n" }
        return Data((text + "\n").utf8)
    }
}
