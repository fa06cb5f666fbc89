import ArgumentParser
import SparringJSON

/// `sparring agent`
struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Play the agent that a consumer talks to.",
        discussion: """
            Name the consumer as the brand does. The command acts in the consumer's newest open conversation. An agent who says something \
            without having joined joins first.
              sparring agent say alice "Hello"
              sparring agent typing alice
              sparring agent read alice
              sparring agent transfer alice 17
              sparring agent close alice
            """,
        subcommands: [
            Join.self, PlainAct<Leave>.self, Say.self, Card.self, File.self, Form.self, PlainAct<Typing>.self, PlainAct<Pause>.self,
            PlainAct<Active>.self, PlainAct<Inactive>.self, PlainAct<Gone>.self,
            Accept.self, Read.self, Transfer.self, Close.self,
        ])

    struct Join: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "join",
            abstract: "Join a conversation.", discussion: "  sparring agent join alice --agent 55 --role MANAGER")

        @OptionGroup var aim: AgentAimOptions
        @Option(help: "ASSIGNED_AGENT, AGENT, MANAGER or READER. Default: ASSIGNED_AGENT; MANAGER if somebody is already assigned.")
        var role: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try await perform("join", ["role": role.map { .string($0) }], aim, sandbox, server)
        }
    }

    struct Say: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "say",
            abstract: "Send a text.",
            discussion: """
                  sparring agent say alice "Hello"
                  sparring agent say alice "A call?" --quick-reply Yes --quick-reply No
                  sparring agent say alice "She sounds upset" --private
                """)

        @OptionGroup var aim: AgentAimOptions
        @Argument(help: "The text.") var text: String
        @Option(name: .customLong("quick-reply"), help: "A button that says its title; may be given several times.")
        var quickReplies: [String] = []
        @Flag(name: .customLong("private"), help: "For agents and managers only.") var isPrivate = false
        @Option(help: ArgumentHelp("Metadata of the message.", valueName: "{…}"), transform: JSONArgument.object) var metadata: JSON?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try await perform(
                "say",
                [
                    "text": .string(text), "quickReplies": quickReplies.isEmpty ? nil : .array(quickReplies.map { .string($0) }),
                    "messageAudience": isPrivate ? "AGENTS_AND_MANAGERS" : nil, "metadata": metadata.map { .array([$0]) },
                ], aim, sandbox, server)
        }
    }

    struct Card: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "card",
            abstract: "Send structured content.",
            discussion: """
                  sparring agent card alice '{"type":"vertical",
                    "elements":[{"type":"text","text":"Your parcel"}]}'
                """)

        @OptionGroup var aim: AgentAimOptions
        @Argument(help: ArgumentHelp("The content.", valueName: "{…}"), transform: JSONArgument.object) var content: JSON
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try await perform("card", ["content": content], aim, sandbox, server)
        }
    }

    struct File: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "file",
            abstract: "Send the link of a file.",
            discussion: "  sparring agent file alice /v1/parcel.png PNG --caption 'Your parcel'")

        @OptionGroup var aim: AgentAimOptions
        @Argument(help: "Its path at the file service.") var relativePath: String
        @Argument(help: "Its type, such as JPG or PDF.") var fileType: String
        @Option(help: "Its caption.") var caption: String?
        @Option(help: "A small picture of it, as a data URL.") var preview: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try await perform(
                "file",
                [
                    "relativePath": .string(relativePath), "fileType": .string(fileType), "caption": caption.map { .string($0) },
                    "preview": preview.map { .string($0) },
                ], aim, sandbox, server)
        }
    }

    struct Form: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "form",
            abstract: "Send a secure form (LivePerson).",
            discussion: "  sparring agent form alice 'Card details' --form-id 1550964770")

        @OptionGroup var aim: AgentAimOptions
        @Argument(help: "The form's title.") var title: String
        @Option(help: "The form's id. Default: 1.") var formId: String?
        @Option(help: "The invitation's id. Default: made up.") var invitationId: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try await perform(
                "form",
                [
                    "title": .string(title), "formId": formId.map { .string($0) }, "invitationId": invitationId.map { .string($0) },
                ], aim, sandbox, server)
        }
    }

    struct Transfer: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "transfer",
            abstract: "Hand a conversation over to a skill, a queue or another agent, whichever the vendor supports.",
            discussion: """
                  sparring agent transfer alice 17
                  sparring agent transfer alice --queue q-2 --vendor cxone
                """)

        @OptionGroup var aim: AgentAimOptions
        @Argument(help: "The skill's id (LivePerson).") var skill: String?
        @Option(help: "The queue's id (CXone).") var queue: String?
        @Option(help: "Another agent (CXone).") var to: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func validate() throws {
            guard [skill, queue, to].count(where: { $0 != nil }) == 1 else {
                throw ValidationError("name a target: a skill, --queue or --to")
            }
        }

        func run(_ server: AdminClient) async throws {
            let text = { (value: String?) in value.map { JSON.string($0) } }
            try await perform("transfer", ["skill": text(skill), "queue": text(queue), "agentTo": text(to)], aim, sandbox, server)
        }
    }

    struct Close: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "close",
            abstract: "Close a conversation; its engagement's survey follows.",
            discussion: "  sparring agent close alice --no-survey")

        @OptionGroup var aim: AgentAimOptions
        @Option(help: "The reason that clients see. Default: 'Closed by agent'.") var cause: String?
        @Flag(help: "Close everything, so that no survey follows.") var noSurvey = false
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try await perform(
                "close", ["closedCause": cause.map { .string($0) }, "survey": noSurvey ? false : nil], aim, sandbox, server)
        }
    }
}

/// In whose conversation which agent acts.
struct AgentAimOptions: ParsableArguments {
    @Argument(help: "The consumer, as the brand calls them.") var consumer: String
    @Option(help: "One of the consumer's conversations. Default: the newest open one.") var conversation: String?
    @Option(help: "Number, login name or UUID of the agent. Default: the one assigned, else the account's first.") var agent: String?
    @OptionGroup var vendor: VendorOption
}

extension ServerCommand {
    /// Has an act performed and prints what was done.
    func perform(
        _ act: String, _ members: KeyValuePairs<String, JSON?>, _ aim: AgentAimOptions, _ sandbox: SandboxOptions, _ server: AdminClient
    ) async throws {
        var with: JSON = ["consumer": .string(aim.consumer)]
        with["conversation"] = aim.conversation.map { .string($0) }
        with["agent"] = aim.agent.map { .string($0) }
        for (name, value) in members { with[name] = value }
        try show(try await server.act(act, with, of: aim.vendor, in: sandbox)) { json in
            // A push is said already where it was decided.
            (json["done"]?.array ?? []).compactMap(\.string).map(Terminal.printable).joined(separator: "\n")
                + (json["delivery"] == "socket" ? " (by socket)" : "")
        }
    }
}
