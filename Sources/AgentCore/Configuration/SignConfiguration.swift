import FleetRuntime
import Perception

/// The section `signs`.
public struct SignConfiguration: Sendable {
    /// Whether limits are taken from signs. Only where the country is known: a round sign does not tell its unit, and a search for every
    /// country's signs at once finds some that are none.
    public var areRead: Bool
    /// What signs look like where the vehicle drives.
    public var profile: SignProfile

    init(_ section: ConfigurationSection) throws {
        let isWanted = try section.bool("read") ?? true
        profile = .anywhere
        areRead = false
        if let country = try section.string("country") {
            areRead = isWanted
            guard let known = SignProfile(country: country) else {
                throw section.error("country", "must be a code of two letters (ISO 3166-1), e.g. DE, GB, US")
            }
            profile = known
        }
    }
}

extension SignDetector {
    /// The detector that the configuration asks for; one thread, because a crop is read in a fraction of a millisecond.
    init(_ configuration: SignConfiguration, engine: DetectorConfiguration.Engine) throws {
        var settings = Settings()
        settings.profile = configuration.profile
        try self.init(reader: SignReader(engine: EngineChoice(engine)), settings: settings)
    }
}

extension AgentConfiguration {
    /// The sign detector that the configuration asks for; nil when signs are not to be read.
    func signDetector() throws -> SignDetector? { signs.areRead ? try SignDetector(signs, engine: detector.engine) : nil }
}
