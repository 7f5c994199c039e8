import FleetRuntime

await Program(
    name: "fleet-chaos", summary: "kills parts of a fleet at random and counts what is lost",
    commands: [MatrixCommand.command, VehicleCommand.command]
).main(Array(CommandLine.arguments.dropFirst()))
