import CLICore

await CLIProgram.program.main(Array(CommandLine.arguments.dropFirst()))
