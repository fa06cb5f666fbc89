import ArgumentParser
import SparringAdmin
import SparringContract
import SparringJSON

extension ContractCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write contracts, or what a client used of them, for other tools.",
            discussion: """
                A document as JSON, after its overlays, for tools that compare two versions:
                  sparring contract export khoros.openapi.yaml --overlay ours.yaml
                From the journal of a run, a Pact or an HTTP Archive:
                  sparring contract export pact khoros --consumer shop-app
                  sparring contract export har > traffic.har
                """,
            subcommands: [Document.self, Pact.self, HAR.self], defaultSubcommand: Document.self)
    }
}

extension ContractCommand.Export {
    struct Document: LocalCommand {
        static let abstract = "Print a contract's document after its overlays, as JSON."
        static let discussion = "  sparring contract export khoros.openapi.yaml --overlay ours.yaml"

        @Argument(help: "The document: its file's name.") var document: String
        @OptionGroup var source: ContractCommand.Source

        func perform() async throws {
            let folder = try source.folder()
            guard let found = folder.documents[document] else {
                let hint = Self.hint(for: document, in: folder.documents.keys.sorted())
                throw CommandFailure(text: "there is no contract '\(Terminal.printable(document))'\(hint)", status: 64)
            }
            try Terminal.print(found.withQueryConstants.prettyText)
        }

        /// Documents that a word may be meant for: those that are spelt like it, else those of the vendor that it begins with.
        static func hint(for word: String, in documents: [String]) -> String {
            let like = Nearest.hint(for: word, in: documents)
            return like.isEmpty ? Nearest.hint(for: String(word.prefix { $0 != "." }), in: documents) : like
        }
    }

    struct HAR: ServerCommand {
        static let abstract = "Print a sandbox's calls and sockets as an HTTP Archive (HAR 1.2)."
        static let discussion = """
            The messages of a socket are in `_webSocketMessages`, as browsers' tools write them; what Sparring knows of a call is in `_sparring`.
              sparring contract export har > traffic.har
              sparring contract export har --database run.db > traffic.har
            """

        @OptionGroup var journal: JournalSource
        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func validate() throws { try connection.exclude(database: journal.database) }

        func run(_ server: AdminClient) async throws {
            let (entries, sandbox) = try await journal.recording(server)
            try Terminal.print(ArchiveWriter(entries, of: sandbox, version: sparringVersion).json.prettyText)
        }
    }

    struct Pact: ServerCommand {
        static let abstract = "Print what a client used of a vendor as a Pact (version 4)."
        static let discussion = """
            One interaction for each shape of request and each answer that the client got whole. A message of a socket names its operation of the AsyncAPI document under \
            `comments`. An unhappy answer has a provider state.
              sparring contract export pact liveperson --consumer shop > shop.json
            """

        @Argument(help: "The vendor, which becomes the provider.") var vendor: String
        @Option(help: ArgumentHelp("What to call the client.", valueName: "name")) var consumer: String
        @OptionGroup var journal: JournalSource
        @OptionGroup var source: ContractCommand.Source
        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func validate() throws { try connection.exclude(database: journal.database) }

        func run(_ server: AdminClient) async throws {
            let contracts = try source.folder().contracts
            guard let contract = contracts.first(where: { $0.vendor == vendor }) else {
                let hint = Nearest.hint(for: vendor, in: contracts.map(\.vendor))
                throw CommandFailure(text: "there is no vendor '\(Terminal.printable(vendor))'\(hint)", status: 64)
            }
            let pact = PactExport(try await journal.entries(server), of: contract, consumer: consumer)
            if pact.isEmpty { throw CommandFailure(text: "the client made no calls to \(vendor)", status: 1) }
            try Terminal.print(pact.json.prettyText)
        }
    }
}

extension JSON {
    /// An OpenAPI document whose operations declare the constants of their queries (`x-query`) as parameters too: other tools know nothing of Sparring's keys.
    fileprivate var withQueryConstants: JSON {
        guard let paths = self["paths"]?.object else { return self }
        var document = self
        document["paths"] = .object(
            paths.mapValues { item in
                guard let operations = item.object else { return item }
                return .object(operations.mapValues(\.declaringQueryConstants))
            })
        return document
    }

    /// An operation with parameters for the constants of its query.
    private var declaringQueryConstants: JSON {
        guard let constants = self["x-query"]?.object else { return self }
        var operation = self
        let parameters: [JSON] = constants.map { name, value in
            ["name": .string(name), "in": "query", "required": true, "schema": ["type": "string", "const": value], "example": value]
        }
        operation["parameters"] = .array((self["parameters"]?.array ?? []) + parameters)
        return operation
    }
}
