import ArgumentParser
import SparringJSON

/// Acts that need no more than their name, and receipts.
extension AgentCommand {
    enum Leave: PlainActWords {
        static let name = "leave"
        static let abstract = "Leave a conversation; nobody is assigned afterwards."
    }

    enum Typing: PlainActWords {
        static let name = "typing"
        static let abstract = "Show that the agent is typing (COMPOSING)."
    }

    enum Pause: PlainActWords {
        static let name = "pause"
        static let abstract = "Show that the agent has stopped typing (PAUSE)."
    }

    enum Active: PlainActWords {
        static let name = "active"
        static let abstract = "Show that the agent is present (ACTIVE)."
    }

    enum Inactive: PlainActWords {
        static let name = "inactive"
        static let abstract = "Show that the agent is away (INACTIVE)."
    }

    enum Gone: PlainActWords {
        static let name = "gone"
        static let abstract = "Show that the agent is gone (GONE)."
    }

    struct Accept: Receipt {
        static let configuration = CommandConfiguration(
            commandName: "accept",
            abstract: "Accept what the consumer said: the delivery receipt.", discussion: "  sparring agent accept alice")
        static let act = "accept"
        @OptionGroup var aim: AgentAimOptions
        @Argument(help: "Sequence numbers of the messages. Default: all that no agent has accepted.") var sequences: [Int64] = []
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions
    }

    struct Read: Receipt {
        static let configuration = CommandConfiguration(
            commandName: "read",
            abstract: "Read what the consumer said: the read receipt.", discussion: "  sparring agent read alice 0 1")
        static let act = "read"
        @OptionGroup var aim: AgentAimOptions
        @Argument(help: "Sequence numbers of the messages. Default: all that no agent has read.") var sequences: [Int64] = []
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions
    }
}

/// The words of an act that needs no more than its name.
protocol PlainActWords {
    static var name: String { get }
    static var abstract: String { get }
}

/// `sparring agent NAME CONSUMER`
struct PlainAct<Words: PlainActWords>: ServerCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: Words.name, abstract: Words.abstract, discussion: "  sparring agent \(Words.name) alice")
    }

    @OptionGroup var aim: AgentAimOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup var sandbox: SandboxOptions

    func run(_ server: AdminClient) async throws { try await perform(Words.name, [:], aim, sandbox, server) }
}

/// What is said of messages by their numbers.
protocol Receipt: ServerCommand {
    static var act: String { get }
    var aim: AgentAimOptions { get }
    var sequences: [Int64] { get }
    var sandbox: SandboxOptions { get }
}

extension Receipt {
    func run(_ server: AdminClient) async throws {
        let list: JSON? = sequences.isEmpty ? nil : .array(sequences.map { .integer($0) })
        try await perform(Self.act, ["sequenceList": list], aim, sandbox, server)
    }
}
