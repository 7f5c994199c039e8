import FleetRuntime

await Program(
    name: "vision-bench", summary: "Measures what one frame costs, stage by stage.",
    commands: [ChainCommand.command, BlurCommand.command, SignCommand.command, PeerCommand.command]
).main(Array(CommandLine.arguments.dropFirst()))
