import SimCore

await SimProgram.program.main(Array(CommandLine.arguments.dropFirst()))
