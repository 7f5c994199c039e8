/// Exit status of a program, after BSD `sysexits.h`.
public enum ExitCode: Int32, Sendable {
    case ok = 0
    /// What was examined did not pass: the verdict of a check, not a failure of the program that checks.
    case failed = 1
    /// The command line is wrong.
    case usage = 64
    /// The input is there but not what it should be.
    case badData = 65
    /// The input is not there or not readable.
    case noInput = 66
    /// A service that is needed does not answer.
    case unavailable = 69
    /// A defect of the program.
    case software = 70
    /// Reading or writing failed.
    case ioError = 74
    /// The configuration is wrong.
    case configuration = 78
}

/// Something that a person can put right: one line that says what, where and what to do, and the exit status that goes with it.
///
/// `main` alone prints it; everything below throws.
public struct UserError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Status of the program when this ends it.
    public var code: ExitCode
    /// One line without a full stop at its end; control characters are replaced when it is printed.
    public var message: String

    /// `message`, to end with `code`.
    public init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
