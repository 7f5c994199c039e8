import FleetModel
import Testing

@testable import Perception

@Suite struct SignProfileTests {
    @Test(
        "The country tells the family of its signs and the unit of a round one",
        arguments: [
            ("DE", true, false, SpeedUnit.kilometresPerHour), ("de", true, false, .kilometresPerHour),
            ("CN", true, false, .kilometresPerHour),
            ("GB", true, false, .milesPerHour), ("gb", true, false, .milesPerHour), ("US", false, true, .kilometresPerHour),
            ("CA", false, true, .kilometresPerHour), ("PR", false, true, .kilometresPerHour),
        ])
    func countries(code: String, hasRounds: Bool, hasPlates: Bool, unit: SpeedUnit) throws {
        let profile = try #require(SignProfile(country: code))
        #expect(profile.hasRoundSigns == hasRounds)
        #expect(profile.hasPlates == hasPlates)
        #expect(profile.roundUnit == unit)
    }

    @Test("What is no code of two letters names no country", arguments: ["", "D", "DEU", "4X", "Ä", "d-", "germany"])
    func noCountry(code: String) { #expect(SignProfile(country: code) == nil) }

    @Test(
        "S8 a plate counts only where plates of its unit set limits (MINIMUM looks like MAXIMUM), a round sign only where round signs do; end signs count everywhere"
    )
    func shapes() throws {
        let (german, american) = (try #require(SignProfile(country: "DE")), try #require(SignProfile(country: "US")))
        #expect([SignShape.round, .plateMph, .plateKmh, nil].map { german.allows($0) } == [true, false, false, true])
        #expect([SignShape.round, .plateMph, .plateKmh, nil].map { american.allows($0) } == [false, true, false, true])
        let canadian = try #require(SignProfile(country: "CA"))
        #expect([SignShape.round, .plateMph, .plateKmh, nil].map { canadian.allows($0) } == [false, false, true, true])
        #expect([SignShape.round, .plateMph, .plateKmh, nil].allSatisfy { SignProfile.anywhere.allows($0) })
    }

    @Test("S1 S13 every number of the reader has a unit on each build of sign in each country's profile")
    func units() throws {
        for value in stride(from: 5, through: 140, by: 5) {
            func unit(_ shape: SignShape, _ country: String) throws -> SpeedUnit? {
                let profile = try #require(SignProfile(country: country))
                return SignReading(kind: .speedLimit, value: value, shape: shape, score: 1).unit(onRoundSigns: profile.roundUnit)
            }
            #expect(try unit(.round, "DE") == .kilometresPerHour)
            #expect(try unit(.round, "GB") == .milesPerHour)
            #expect(try unit(.plateMph, "US") == .milesPerHour)
            #expect(try unit(.plateKmh, "CA") == .kilometresPerHour)
        }
    }
}
