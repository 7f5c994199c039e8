/// One thing that `fleet-agent check` looked at.
struct Finding: Sendable {
    enum Verdict: String, Sendable {
        case good = "ok"
        case note
        case bad = "FAILED"
    }

    /// What was looked at, one word.
    let part: String
    let verdict: Verdict
    /// What was found, and what to do where something is wrong.
    let words: String
}
