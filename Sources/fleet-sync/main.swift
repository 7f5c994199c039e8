import SyncCore

await SyncProgram.program.main(Array(CommandLine.arguments.dropFirst()))
