import ArgumentParser
import SparringJSON

/// Acts that need no more than their name, and receipts.
extension AgentCommand {
    struct Leave: PlainAct {
        static let configuration = CommandConfiguration(
            commandName: "leave",
            abstract: "Leave a conversation; nobody is assigned afterwards.", discussion: "  sparring agent leave alice")
        static let act = "leave"
        @OptionGroup var aim: AgentAimOptions
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions
    }

    struct Typing: PlainAct {
        static let configuration = CommandConfiguration(
            commandName: "typing",
            abstract: "Show that the agent is typing (COMPOSING).", discussion: "  sparring agent typing alice")
        static let act = "typing"
        @OptionGroup var aim: AgentAimOptions
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions
    }

    struct Pause: PlainAct {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Show that the agent has stopped typing (PAUSE).", discussion: "  sparring agent pause alice")
        static let act = "pause"
        @OptionGroup var aim: AgentAimOptions
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions
    }

    struct Active: PlainAct {
        static let configuration = CommandConfiguration(
            commandName: "active",
            abstract: "Show that the agent is present (ACTIVE).", discussion: "  sparring agent active alice")
        static let act = "active"
        @OptionGroup var aim: AgentAimOptions
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions
    }

    struct Inactive: PlainAct {
        static let configuration = CommandConfiguration(
            commandName: "inactive",
            abstract: "Show that the agent is away (INACTIVE).", discussion: "  sparring agent inactive alice")
        static let act = "inactive"
        @OptionGroup var aim: AgentAimOptions
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions
    }

    struct Gone: PlainAct {
        static let configuration = CommandConfiguration(
            commandName: "gone",
            abstract: "Show that the agent is gone (GONE).", discussion: "  sparring agent gone alice")
        static let act = "gone"
        @OptionGroup var aim: AgentAimOptions
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions
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

/// An act that needs no more than its name.
protocol PlainAct: ServerCommand {
    static var act: String { get }
    var aim: AgentAimOptions { get }
    var sandbox: SandboxOptions { get }
}

extension PlainAct {
    func run(_ server: AdminClient) async throws { try await perform(Self.act, [:], aim, sandbox, server) }
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
