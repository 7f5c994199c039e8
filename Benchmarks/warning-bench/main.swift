import FleetRuntime

// How well collisions are warned of on simulated drives, judged by the truth; `make bench-warnings` runs it.
await Program(
    name: "warning-bench", summary: "Drives simulated roads and judges every collision warning by the truth.",
    commands: [DriveCommand.boxes, DriveCommand.pictures]
).main(Array(CommandLine.arguments.dropFirst()))
