extension KeyedDecodingContainer {
    /// Fails unless the value of `key` is exactly `expected`.
    func requireSchema(_ expected: String, forKey key: Key) throws {
        let found = try decode(String.self, forKey: key)
        guard found == expected else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "schema is not \(expected)")
        }
    }

    /// Reads fleet and vehicle; fails when a name is not `[A-Za-z0-9_-]{1,64}`.
    func decodeIdentity(fleet: Key, vehicle: Key) throws -> VehicleIdentity {
        let names = (try decode(String.self, forKey: fleet), try decode(String.self, forKey: vehicle))
        guard let identity = VehicleIdentity(fleet: names.0, vehicle: names.1) else {
            throw DecodingError.dataCorruptedError(
                forKey: vehicle, in: self, debugDescription: "fleet and vehicle are names of 1 to 64 letters, digits, _ and -")
        }
        return identity
    }
}
