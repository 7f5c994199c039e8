import FleetModel
import FoundationEssentials

/// What a batch says of vehicles, put together so that each one's row is written once.
package struct VehicleChanges: Sendable {
    /// What the store knows of a vehicle's connection.
    package struct Known: Sendable {
        package let status: Data?
        package let session: Int64?

        package init(status: Data?, session: Int64?) {
            self.status = status
            self.session = session
        }
    }

    /// How a vehicle's row changes.
    package struct Change: Sendable {
        package let identity: VehicleIdentity
        /// The row goes first; what follows begins a new one.
        package var isCleared = false
        /// When it was last heard of; nil when the batch holds nothing else of it that makes a row.
        package var seenAt: Timestamp?
        package var status: Data?
        package var session: Int64?
        package var heartbeat: Data?
        package var heartbeatAt: Timestamp?
        /// Where the last heartbeat says it is.
        package var whereabouts: Whereabouts?

        fileprivate mutating func see(_ at: Timestamp) { seenAt = max(seenAt ?? at, at) }
    }

    private enum Word {
        case status(VehicleStatus, Timestamp, index: Int)
        case cleared(index: Int)
    }

    private var changes: [VehicleIdentity: Change] = [:]
    /// What was said of connections, with what had been heard of the vehicle before.
    private var words: [VehicleIdentity: [(before: Change, word: Word)]] = [:]

    /// The vehicles of which the store has to be asked what it knows.
    package var asked: [VehicleIdentity] { Array(words.keys) }

    mutating func see(_ identity: VehicleIdentity, _ at: Timestamp) {
        changes[identity, default: Change(identity: identity)].see(at)
    }

    mutating func beat(_ heartbeat: Heartbeat, _ payload: Data, _ at: Timestamp) {
        let identity = heartbeat.identity
        var change = changes[identity] ?? Change(identity: identity)
        change.see(at)
        change.heartbeat = payload
        change.heartbeatAt = at
        change.whereabouts = Whereabouts(heartbeat, receivedAt: at)
        changes[identity] = change
    }

    mutating func tell(_ status: VehicleStatus, _ at: Timestamp, index: Int) {
        add(.status(status, at, index: index), status.identity)
    }

    mutating func clear(_ identity: VehicleIdentity, index: Int) { add(.cleared(index: index), identity) }

    private mutating func add(_ word: Word, _ identity: VehicleIdentity) {
        words[identity, default: []].append((changes.removeValue(forKey: identity) ?? Change(identity: identity), word))
    }

    /// The rows' changes, given what is `known`, and what became of the items.
    func settle(known: [VehicleIdentity: Known]) throws -> ([Change], [(index: Int, outcome: StoreOutcome)]) {
        var settled: [(index: Int, outcome: StoreOutcome)] = []
        var result = changes
        for (identity, said) in words {
            var now = known[identity]
            var change = Change(identity: identity)
            for (before, word) in said {
                change.join(before)
                switch word {
                case .cleared(let index):
                    settled.append((index, now != nil || change.seenAt != nil ? .stored(cursor: 0) : .duplicate))
                    change = Change(identity: identity)
                    change.isCleared = true
                    now = nil
                case .status(let status, let at, let index):
                    settled.append((index, try change.take(status, at, known: &now)))
                }
            }
            if let after = changes[identity] { change.join(after) }
            result[identity] = change
        }
        return (Array(result.values), settled)
    }
}

extension VehicleChanges.Change {
    /// What was heard later is added.
    fileprivate mutating func join(_ later: Self) {
        if let at = later.seenAt { see(at) }
        guard let heartbeat = later.heartbeat else { return }
        (self.heartbeat, heartbeatAt, whereabouts) = (heartbeat, later.heartbeatAt, later.whereabouts)
    }

    /// Whether a lower number is not an older connection but a new count: of a vehicle that has lost its own, with a new disk. It is online,
    /// of another boot, and later; a last will that comes late speaks for an old boot and is never online.
    private static func isNewCount(_ status: VehicleStatus, after known: Data?) -> Bool {
        guard status.state == .online, let last = known.flatMap({ try? WireCodec.decode(VehicleStatus.self, from: $0) }) else {
            return false
        }
        return status.boot != last.boot && status.connectedAt > last.connectedAt
    }

    fileprivate mutating func take(_ status: VehicleStatus, _ at: Timestamp, known: inout VehicleChanges.Known?) throws
        -> StoreOutcome
    {
        let payload = try WireCodec.encode(status)
        // Retained: every connection of a service brings it again, and that says nothing new of the vehicle.
        if let known, known.status == payload { return .duplicate }
        if let session = known?.session, session > status.session, !Self.isNewCount(status, after: known?.status) {
            return .superseded
        }
        // A last will is the broker's word, not the vehicle's.
        see(status.reason == .lost ? min(status.connectedAt, at) : at)
        self.status = payload
        session = status.session
        known = VehicleChanges.Known(status: payload, session: status.session)
        return .stored(cursor: 0)
    }
}
