import ArgumentParser
import SparringJSON

extension JournalCommand {
    struct World: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "world",
            abstract: "Print the sandbox as it was once an entry had been written.",
            discussion: """
                Clock, faults, consumers, conversations and devices, as JSON. 'sparring sandbox fork' makes a sandbox of it.
                  sparring journal world 42
                """)

        @Argument(help: "The entry's number.") var number: Int
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.call(.readPast, in: sandbox.name, ["number": number])) { $0.prettyText }
        }
    }

    struct Mark: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "mark",
            abstract: "Report what is not visible on the network, as a client under test does.",
            discussion: """
                  sparring journal mark badge --as ada --set value=0
                """)

        @Argument(help: "The mark's name.") var mark: String
        @Option(name: .customLong("as"), help: ArgumentHelp("The lane of the client that reports it.", valueName: "lane")) var caller:
            String?
        @Option(
            name: .customLong("set"),
            help: ArgumentHelp(
                "A further member; may be given several times. A value that is not JSON is a string.", valueName: "name=JSON"),
            transform: JSONArgument.namedValue)
        var members: [(name: String, value: JSON)] = []
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            var form: JSON = [:]
            for member in members { form[member.name] = member.value }
            form["mark"] = .string(mark)
            if let caller { form["lane"] = .string(caller) }
            try await server.call(.mark, in: sandbox.name, body: form)
            try confirm("marked '\(mark)' in \(sandbox.name)")
        }
    }

    struct Clear: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Empty the journal; later entries continue the numbers.", discussion: "  sparring journal clear --sandbox checkout")

        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try await server.call(.clearJournal, in: sandbox.name)
            try confirm("emptied the journal of \(sandbox.name)")
        }
    }
}
