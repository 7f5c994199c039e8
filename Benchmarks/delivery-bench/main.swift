import FleetRuntime

await Program(
    name: "delivery-bench", summary: "measures the way from the broker into the store, and from an alert to its reader",
    commands: [IngestCommand.command, LatencyCommand.command]
).main(Array(CommandLine.arguments.dropFirst()))
