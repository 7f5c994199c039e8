import FleetModel

/// What a person who looked at an alert says of it.
public enum ReviewState: String, Codable, Hashable, Sendable, CaseIterable {
    /// Nobody has looked yet, or the judgement was taken back.
    case new
    /// It happened as the vehicle says.
    case confirmed
    /// It did not: the vehicle was wrong.
    case falseAlarm = "false_alarm"
    /// It did, and the driver was spoken to.
    case coached

    /// The number in the stores' columns.
    package var number: Int64 {
        switch self {
        case .new: 0
        case .confirmed: 1
        case .falseAlarm: 2
        case .coached: 3
        }
    }

    /// The state with that number; one that this version does not know counts as new.
    package init(number: Int64) { self = Self.allCases.first { $0.number == number } ?? .new }
}

/// One entry in the history of an alert's reviews; the last one holds.
public struct AlertReview: Codable, Hashable, Sendable {
    /// Most characters of a note.
    public static let maximumNote = 2000
    /// Most characters of a name.
    public static let maximumName = 100

    /// Grows with every review of the store.
    public var number: Int64
    /// The alert's vehicle.
    public var fleet: String
    public var vehicle: String
    /// The alert.
    public var id: AlertID
    /// The judgement.
    public var state: ReviewState
    /// Why, in the reviewer's words; may be empty.
    public var note: String
    /// Who; may be empty where nobody has to sign in.
    public var name: String
    /// When, by the server's clock.
    public var at: Timestamp

    /// A review that a store has not numbered yet.
    public init(of id: AlertID, by identity: VehicleIdentity, state: ReviewState, note: String, name: String, at: Timestamp) {
        number = 0
        fleet = identity.fleet
        vehicle = identity.vehicle
        self.id = id
        self.state = state
        self.note = note
        self.name = name
        self.at = at
    }
}
