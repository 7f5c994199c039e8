import CPostgreSQL
import Glibc

/// One connection to a PostgreSQL server.
///
/// Not Sendable: it belongs to one actor or thread at a time. Every call blocks until the server has answered or `timeoutS` is over, so the
/// owner keeps it off the cooperative pool. Everything throws `PostgreSQLError`; after one with `isConnectionLost` the object is of no
/// more use.
public final class PostgreSQLConnection {
    /// Seconds within which the server has to answer one statement.
    public let timeoutS: Double
    private let handle: OpaquePointer
    private var prepared: [String: String] = [:]
    private var isBroken = false

    /// Seconds for one attempt to connect.
    private static let connectTimeoutS = 10
    /// Seconds within a transaction in which a client may say nothing.
    private static let idleInTransactionS = 10
    /// Bound on the statements that are kept prepared; a program uses a few dozen texts.
    private static let preparedStatements = 256

    /// Connects. `password` is used where the server asks for one; `name` shows in the server's list of connections.
    public init(_ address: PostgreSQLAddress, password: String?, name: String, timeoutS: Double = 60) throws(PostgreSQLError) {
        self.timeoutS = timeoutS
        var parameters = [
            ("dbname", address.url), ("connect_timeout", String(Self.connectTimeoutS)), ("fallback_application_name", name),
            ("client_encoding", "UTF8"),
            // A network that swallows everything is noticed within half a minute.
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "30000"),
        ]
        if let password { parameters.append(("password", password)) }
        guard let opened = Self.connect(parameters) else {
            throw PostgreSQLError(state: nil, message: "out of memory", isConnectionLost: true)
        }
        handle = opened
        // The library writes the server's notices to standard error by itself.
        PQsetNoticeProcessor(opened, { _, _ in }, nil)
        guard PQstatus(opened) == CONNECTION_OK, PQsetnonblocking(opened, 1) == 0 else {
            throw PostgreSQLError(
                state: nil, message: PostgreSQLError.oneLine(String(cString: PQerrorMessage(opened))), isConnectionLost: true)
        }
        try execute(Self.serverSide(timeoutS: timeoutS))
    }

    /// What the server does by itself when this client stands still or has gone, so that what it holds does not hold up others: a
    /// transaction in which nothing happens is ended, a network that swallows everything noticed, and a statement that nobody waits for any
    /// more comes to an end. (The settings of TCP do nothing on a socket of this machine.)
    private static func serverSide(timeoutS: Double) -> String {
        """
        SET idle_in_transaction_session_timeout = '\(idleInTransactionS)s'; SET statement_timeout = '\(Int(timeoutS))s';
        SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = '30s'
        """
    }

    deinit { PQfinish(handle) }

    private static func connect(_ parameters: [(String, String)]) -> OpaquePointer? {
        let names = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in names + values { free(text) } }
        // The first parameter is the URL: what follows counts more than what it says.
        return PQconnectdbParams(names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
    }

    /// The server's version, e.g. 150018.
    public var serverVersion: Int { Int(PQserverVersion(handle)) }

    /// Runs a script of any number of statements without values.
    public func execute(_ script: String) throws(PostgreSQLError) { _ = try finish(PQsendQuery(handle, script)) }

    /// Runs one statement; its text is prepared at the first use and kept.
    @discardableResult
    public func query(_ sql: String, _ values: [PostgreSQLValue] = []) throws(PostgreSQLError) -> PostgreSQLResult {
        let name = try prepare(sql, values)
        var buffer: [UInt8] = []
        var offsets: [Int] = []
        for value in values {
            offsets.append(buffer.count)
            value.append(to: &buffer)
        }
        // A pointer that is nil would be NULL.
        if buffer.isEmpty { buffer.append(0) }
        let lengths = zip(offsets, offsets.dropFirst() + [buffer.count]).map { Int32($1 - $0) }
        let sent = buffer.withUnsafeBytes { bytes in
            let pointers = offsets.map {
                bytes.baseAddress?.advanced(by: min($0, bytes.count - 1)).assumingMemoryBound(to: CChar.self)
            }
            return PQsendQueryPrepared(
                handle, name, Int32(values.count), pointers, values.isEmpty ? [] : lengths,
                [Int32](repeating: 1, count: values.count), 1)
        }
        return try finish(sent)
    }

    private func prepare(_ sql: String, _ values: [PostgreSQLValue]) throws(PostgreSQLError) -> String {
        if let name = prepared[sql] { return name }
        if prepared.count >= Self.preparedStatements {
            try execute("DEALLOCATE ALL")
            prepared.removeAll()
        }
        let name = "s\(prepared.count)"
        _ = try finish(PQsendPrepare(handle, name, sql, Int32(values.count), values.map(\.type)))
        prepared[sql] = name
        return name
    }

    /// Runs `body` within one transaction: all of it is stored when this returns, none when it throws; when the connection is lost at the
    /// very end, nobody knows which. Does not nest.
    public func transaction<T>(_ body: () throws -> T) throws -> T {
        try execute("BEGIN")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            if !isBroken, PQtransactionStatus(handle) != PQTRANS_IDLE { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Waits for a notification on a channel that was listened to; false when none came within `timeoutS`.
    public func waitForNotification(timeoutS: Double) throws(PostgreSQLError) -> Bool {
        let end = Self.now() + timeoutS
        while true {
            guard PQconsumeInput(handle) == 1 else { throw lost() }
            var found = false
            while let notification = PQnotifies(handle) {
                found = true
                PQfreemem(notification)
            }
            if found { return true }
            guard try wait(for: Int16(POLLIN), until: end) else { return false }
        }
    }

    /// Sees a statement through: sends the rest of it, waits for its last result and takes the connection back to idle.
    private func finish(_ sent: Int32) throws(PostgreSQLError) -> PostgreSQLResult {
        guard sent == 1, !isBroken else { throw lost() }
        let end = Self.now() + timeoutS
        while true {
            let rest = PQflush(handle)
            if rest == 0 { break }
            guard rest > 0 else { throw lost() }
            guard try wait(for: Int16(POLLIN | POLLOUT), until: end) else { throw late() }
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        var last: PostgreSQLResult?
        var failure: PostgreSQLError?
        while true {
            while PQisBusy(handle) == 1 {
                guard try wait(for: Int16(POLLIN), until: end) else { throw late() }
                guard PQconsumeInput(handle) == 1 else { throw lost() }
            }
            guard let result = PQgetResult(handle) else { break }
            // Of several the first error counts.
            if failure == nil { failure = error(in: result) }
            last = PostgreSQLResult(result)
        }
        if let failure { throw failure }
        guard let last else { throw lost() }
        return last
    }

    private func error(in result: OpaquePointer) -> PostgreSQLError? {
        let status = PQresultStatus(result)
        if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY { return nil }
        func field(_ letter: Unicode.Scalar) -> String? {
            PQresultErrorField(result, Int32(letter.value)).map { PostgreSQLError.oneLine(String(cString: $0)) }
        }
        if PQstatus(handle) != CONNECTION_OK { isBroken = true }
        // "C" is SQLSTATE, "M" the primary message (PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY).
        return PostgreSQLError(
            state: field("C"), message: field("M") ?? PostgreSQLError.oneLine(String(cString: PQresultErrorMessage(result))),
            isConnectionLost: isBroken)
    }

    /// Waits until the socket is ready; false when the time is over.
    private func wait(for events: Int16, until end: Double) throws(PostgreSQLError) -> Bool {
        while true {
            var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
            let leftMs = (end - Self.now()) * 1000
            guard leftMs > 0 else { return false }
            let ready = poll(&descriptor, 1, Int32(min(leftMs.rounded(.up), 1e9)))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { throw lost() }
        }
    }

    private func lost() -> PostgreSQLError {
        isBroken = true
        let words = PostgreSQLError.oneLine(String(cString: PQerrorMessage(handle)))
        return PostgreSQLError(state: nil, message: words.isEmpty ? "the connection is lost" : words, isConnectionLost: true)
    }

    private func late() -> PostgreSQLError {
        isBroken = true
        return PostgreSQLError(state: nil, message: "no answer within \(Int(timeoutS)) s", isConnectionLost: true)
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
