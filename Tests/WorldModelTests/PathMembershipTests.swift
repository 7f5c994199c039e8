import Testing

@testable import WorldModel

@Suite struct PathMembershipTests {
    /// The answers to a pattern of frames at 20 Hz: `#` inside, `.` outside.
    private func answers(_ pattern: String) -> String {
        var path = PathMembership()
        return String(
            pattern.enumerated().map { i, c in
                path.count(isInside: c == "#", atS: Double(i) / 20)
                return path.isMember ? "#" : "."
            })
    }

    @Test(
        "C2 What flickers about the corridor's edge is not in it; what is in it is soon, and leaves soon",
        arguments: [
            ("##########", "....######"), (".#.#.#.#.#.#", "............"), ("######....", "....####.."),
            ("######.##.###", "....#########"),
        ])
    func overTime(pattern: String, expected: String) { #expect(answers(pattern) == expected) }
}
