import ArgumentParser

/// The command line.
@main
struct Sparring: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sparring",
        abstract: "A mock vendor backend for contract testing.",
        version: sparringVersion,
        subcommands: [Serve.self])
}
