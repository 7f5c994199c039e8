import FleetModel
import FleetRuntime

/// The options that say how times and speeds are shown.
struct ViewOptions: Sendable {
    static let specs: [OptionSpec] = [
        .flag("--utc", "show times in UTC instead of local time"),
        .value("--units", "UNIT", "show speeds in kmh or mph (default kmh)", choices: ["kmh", "mph"]),
    ]

    let time: TimeText
    let speed: SpeedText
    let terminal: Terminal

    init(time: TimeText, speed: SpeedText, terminal: Terminal) {
        self.time = time
        self.speed = speed
        self.terminal = terminal
    }

    init(_ arguments: ParsedArguments) {
        if !arguments.has("--utc"), !TimeText.isZoneKnown {
            Log("cli").warning("TZ names no time zone that is known here; times are UTC")
        }
        time = TimeText(isUTC: arguments.has("--utc"), now: WallClock.now())
        speed = SpeedText(unit: arguments.value("--units") == "mph" ? .milesPerHour : .kilometresPerHour)
        terminal = .current()
    }
}
