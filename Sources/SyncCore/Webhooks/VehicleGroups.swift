import FleetModel
import FleetRuntime

/// Named groups of vehicles, the section `groups`: `north: [demo/truck-17, demo/bus-*]`. A `*` stands for any run of characters.
public struct VehicleGroups: Sendable {
    /// Patterns by the group's name.
    private var patterns: [String: [String]] = [:]

    /// Names in the file's order.
    public private(set) var names: [String] = []

    init(_ section: ConfigurationSection) throws {
        for name in section.keys {
            guard VehicleIdentity.isValid(name) else {
                throw section.error(name, "a group's name is 1 to 64 letters, digits, _ and -")
            }
            let list = try section.strings(name) ?? []
            guard !list.isEmpty else { throw section.error(name, "must be a list of vehicles such as [demo/truck-17, demo/bus-*]") }
            if let wrong = list.first(where: { !Self.isPattern($0) }) {
                throw section.error(name, "\(wrong) is no vehicle; give FLEET/VEHICLE, e.g. demo/truck-17 or demo/bus-*")
            }
            names.append(name)
            patterns[name] = list
        }
    }

    /// Whether `vehicle` belongs to one of `groups`.
    func contains(_ vehicle: VehicleIdentity, in groups: [String]) -> Bool {
        let name = Array(vehicle.description.utf8)
        return groups.contains { group in (patterns[group] ?? []).contains { Self.matches(Array($0.utf8)[...], name[...]) } }
    }

    private static func isPattern(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { VehicleIdentity.isValid(String($0).replacing("*", with: "x")) }
    }

    /// Names are at most 129 characters and patterns a person's: going back over each `*` is short enough.
    static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        guard first == UInt8(ascii: "*") else { return name.first == first && matches(pattern.dropFirst(), name.dropFirst()) }
        let rest = pattern.drop { $0 == UInt8(ascii: "*") }
        // A star stays within the fleet or the vehicle.
        let run = name.prefix { $0 != UInt8(ascii: "/") }
        return (0...run.count).contains { matches(rest, name.dropFirst($0)) }
    }
}
