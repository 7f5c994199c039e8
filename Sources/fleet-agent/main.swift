import AgentCore

await AgentProgram.program.main(Array(CommandLine.arguments.dropFirst()))
