import SparringJSON
import Support
import Testing

/// What `--help` shows.
@Suite(.fewAtATime) struct HelpTests {
    @Test func `examples fit a terminal of 80 columns, and every command says what it does in a sentence`() async throws {
        let dump = try await sparring(["--experimental-dump-help"], environment: [:])
        let root = try #require(try JSON(parsing: dump.output)["command"])
        let commands = Self.all(root, below: [])
        #expect(commands.count > 60)
        for (name, command) in commands {
            let discussion = command["discussion"]?.string ?? ""
            for line in discussion.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(line.count <= 78, "\(name): \(line)")
            }
            #expect(command["abstract"]?.string?.hasSuffix(".") == true, "\(name)")
        }
    }

    private static func all(_ command: JSON, below names: [String]) -> [(name: String, command: JSON)] {
        let names = names + [command["commandName"]?.string ?? ""]
        return [(names.joined(separator: " "), command)] + (command["subcommands"]?.array ?? []).flatMap { all($0, below: names) }
    }
}
