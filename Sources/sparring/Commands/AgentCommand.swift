import ArgumentParser
import SparringJSON

/// `sparring agent`
struct AgentCommand: WordedCommand {
    static let abstract = "Play the agent that a consumer talks to."
    static let discussion = """
        Name the consumer as the brand does. The command acts in the consumer's newest open conversation. An agent who speaks \
        without having joined joins first.
          sparring agent say alice "Hello"
          sparring agent typing alice
          sparring agent read alice
          sparring agent transfer alice 17
          sparring agent close alice
        """
    static var subcommands: [any ParsableCommand.Type] {
        [
            Join.command, Leave.command, Say.command, Card.command, File.command, Form.command, Typing.command, Pause.command,
            Active.command, Inactive.command, Gone.command, Accept.command, Read.command, Transfer.command, Close.command,
        ]
    }

    struct Join: AgentAct {
        static let abstract = "Join a conversation."
        static let discussion = "  sparring agent join alice --agent 55 --role MANAGER"

        @Option(help: "ASSIGNED_AGENT, AGENT, MANAGER or READER. Default: ASSIGNED_AGENT; MANAGER if somebody is already assigned.")
        var role: String?

        var members: KeyValuePairs<String, JSON?> { ["role": role.map(JSON.string)] }
    }

    struct Say: AgentAct {
        static let abstract = "Send a text."
        static let discussion = """
              sparring agent say alice "Hello"
              sparring agent say alice "A call?" --quick-reply Yes --quick-reply No
              sparring agent say alice "She sounds upset" --private
            """

        @Argument(help: "The text.") var text: String
        @Option(name: .customLong("quick-reply"), help: "A button that sends its title; may be given several times.")
        var quickReplies: [String] = []
        @Flag(name: .customLong("private"), help: "Show it to agents and managers only.") var isPrivate = false
        @Option(help: ArgumentHelp("Metadata of the message.", valueName: "{…}"), transform: JSONArgument.object) var metadata: JSON?

        var members: KeyValuePairs<String, JSON?> {
            [
                "text": .string(text), "quickReplies": quickReplies.isEmpty ? nil : .array(quickReplies.map(JSON.string)),
                "messageAudience": isPrivate ? "AGENTS_AND_MANAGERS" : nil, "metadata": metadata.map { [$0] },
            ]
        }
    }

    struct Card: AgentAct {
        static let abstract = "Send structured content."
        static let discussion = """
              sparring agent card alice '{"type":"vertical",
                "elements":[{"type":"text","text":"Your parcel"}]}'
            """

        @Argument(help: ArgumentHelp("The content.", valueName: "{…}"), transform: JSONArgument.object) var content: JSON

        var members: KeyValuePairs<String, JSON?> { ["content": content] }
    }

    struct File: AgentAct {
        static let abstract = "Send the link of a file."
        static let discussion = "  sparring agent file alice /v1/parcel.png PNG --caption 'Your parcel'"

        @Argument(help: "Its path at the file service.") var relativePath: String
        @Argument(help: "Its type, such as JPG or PDF.") var fileType: String
        @Option(help: "Its caption.") var caption: String?
        @Option(help: "A small picture of it, as a data URL.") var preview: String?

        var members: KeyValuePairs<String, JSON?> {
            [
                "relativePath": .string(relativePath), "fileType": .string(fileType), "caption": caption.map(JSON.string),
                "preview": preview.map(JSON.string),
            ]
        }
    }

    struct Form: AgentAct {
        static let abstract = "Send a secure form (LivePerson)."
        static let discussion = "  sparring agent form alice 'Card details' --form-id 1550964770"

        @Argument(help: "The form's title.") var title: String
        @Option(help: "The form's id. Default: 1.") var formId: String?
        @Option(help: "The invitation's id. Default: made up.") var invitationId: String?

        var members: KeyValuePairs<String, JSON?> {
            ["title": .string(title), "formId": formId.map(JSON.string), "invitationId": invitationId.map(JSON.string)]
        }
    }

    // Acts that need no more than their names.
    struct Leave: AgentAct { static let abstract = "Leave a conversation; nobody is assigned afterwards." }
    struct Typing: AgentAct { static let abstract = "Show that the agent is typing (COMPOSING)." }
    struct Pause: AgentAct { static let abstract = "Show that the agent has stopped typing (PAUSE)." }
    struct Active: AgentAct { static let abstract = "Show that the agent is present (ACTIVE)." }
    struct Inactive: AgentAct { static let abstract = "Show that the agent is away (INACTIVE)." }
    struct Gone: AgentAct { static let abstract = "Show that the agent is gone (GONE)." }

    struct Accept: AgentAct {
        static let abstract = "Accept what the consumer said: the delivery receipt."

        @Argument(help: "Sequence numbers of the messages. Default: all that no agent has accepted.") var sequences: [Int64] = []

        var members: KeyValuePairs<String, JSON?> { receipt(sequences) }
    }

    struct Read: AgentAct {
        static let abstract = "Read what the consumer said: the read receipt."
        static let discussion = "  sparring agent read alice 0 1"

        @Argument(help: "Sequence numbers of the messages. Default: all that no agent has read.") var sequences: [Int64] = []

        var members: KeyValuePairs<String, JSON?> { receipt(sequences) }
    }

    struct Transfer: AgentAct {
        static let abstract = "Hand a conversation over to a skill, a queue or another agent, whichever the vendor supports."
        static let discussion = """
              sparring agent transfer alice 17
              sparring agent transfer alice --queue q-2 --vendor cxone
            """

        @Argument(help: "The skill's id (LivePerson).") var skill: String?
        @Option(help: "The queue's id (CXone).") var queue: String?
        @Option(help: "Another agent (CXone).") var to: String?

        func validate() throws {
            guard [skill, queue, to].count(where: { $0 != nil }) == 1 else {
                throw ValidationError("name a target: a skill, --queue or --to")
            }
        }

        var members: KeyValuePairs<String, JSON?> {
            ["skill": skill.map(JSON.string), "queue": queue.map(JSON.string), "agentTo": to.map(JSON.string)]
        }
    }

    struct Close: AgentAct {
        static let abstract = "Close a conversation; its engagement's survey follows."
        static let discussion = "  sparring agent close alice --no-survey"

        @Option(help: "The reason that clients see. Default: 'Closed by agent'.") var cause: String?
        @Flag(help: "Close everything, so that no survey follows.") var noSurvey = false

        var members: KeyValuePairs<String, JSON?> { ["closedCause": cause.map(JSON.string), "survey": noSurvey ? false : nil] }
    }
}

/// Something that an agent does, by a vendor's admin operation of the same name.
protocol AgentAct: ParsableArguments, CommandWords {
    /// The members of the operation, beside those that name the conversation.
    var members: KeyValuePairs<String, JSON?> { get }
}

extension AgentAct {
    static var discussion: String { "  sparring agent \(name) alice" }
    static var command: any ParsableCommand.Type { Acting<Self>.command }
    var members: KeyValuePairs<String, JSON?> { [:] }

    /// The member that names messages by their numbers.
    fileprivate func receipt(_ sequences: [Int64]) -> KeyValuePairs<String, JSON?> {
        ["sequenceList": sequences.isEmpty ? nil : .array(sequences.map(JSON.integer))]
    }
}

/// An act in a conversation that is named by its consumer.
struct Acting<Act: AgentAct>: SandboxVerb {
    static var name: String { Act.name }
    static var abstract: String { Act.abstract }
    static var discussion: String { Act.discussion }

    @Argument(help: "The consumer's id at the brand.") var consumer: String
    @Option(help: "One of the consumer's conversations. Default: the newest open one.") var conversation: String?
    @Option(help: "Number, login name or UUID of the agent. Default: the one assigned, else the account's first.") var agent: String?
    @OptionGroup var vendor: VendorOption
    @OptionGroup var act: Act

    func run(_ sandbox: RemoteSandbox) async throws {
        var with = JSON.members([
            "consumer": .string(consumer), "conversation": conversation.map(JSON.string), "agent": agent.map(JSON.string),
        ])
        for (name, value) in act.members { with[name] = value }
        try await sandbox.perform(Self.name, with, of: vendor)
    }
}
