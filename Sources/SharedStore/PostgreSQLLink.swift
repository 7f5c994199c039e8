import PostgreSQL

/// A connection that is made when it is needed, and anew after it was lost. Belongs to one actor or thread at a time.
struct PostgreSQLLink: Sendable {
    let address: PostgreSQLAddress
    let password: String?
    let name: String
    let timeoutS: Double

    func connect() throws -> PostgreSQLConnection {
        try PostgreSQLConnection(address, password: password, name: name, timeoutS: timeoutS)
    }
}

extension PostgreSQLLink {
    /// Runs `body` on the connection in `slot`, which is filled when it is empty and emptied when the connection was lost.
    func use<T>(_ slot: inout PostgreSQLConnection?, _ body: (PostgreSQLConnection) throws -> T) throws -> T {
        let connection = try slot ?? connect()
        slot = connection
        do { return try body(connection) } catch {
            if (error as? PostgreSQLError)?.isConnectionLost == true { slot = nil }
            throw error
        }
    }
}
