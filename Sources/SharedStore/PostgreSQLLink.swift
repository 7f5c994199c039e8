import PostgreSQL

/// A connection that is made when it is needed, and anew after it was lost. Belongs to one actor or thread at a time.
struct PostgreSQLLink: Sendable {
    let address: PostgreSQLAddress
    let password: String?
    let name: String
    let timeoutS: Double
    /// Whether each statement is planned for the values of each run. By itself the server plans a prepared statement once for all values from
    /// its sixth run on, which for a list may be the wrong way for what is rare: 600 ms and not 15 for one kind in a month of 10 million alerts.
    var plansEachRun = false

    func connect() throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address, password: password, name: name, timeoutS: timeoutS)
        if plansEachRun { try connection.execute("SET plan_cache_mode = force_custom_plan") }
        return connection
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
