public import SparringJSON

/// What goes over one kind of socket (AsyncAPI 3.0, a channel).
public final class ContractChannel: Sendable {
    public let name: String
    /// The HTTP operations whose answer of status 101 opens such a socket, never empty: each opens this channel only.
    public let openers: [ContractOperation]
    /// What clients may send, in the contract's order.
    public let received: [ContractOperation]
    /// What the vendor sends of its own accord, in the contract's order.
    public let sent: [ContractMessage]
    /// Where it stands in the contract's `*.asyncapi.yaml`.
    public let line: Int

    /// The first of ``openers``: the one whose path is the channel's address.
    public var opener: ContractOperation { openers[0] }

    /// Of ``received``, in its order.
    private let patterns: [MessagePattern]
    /// A member that is a required constant text of every message (`type`): the messages, as places in `received`, by that text.
    private let discriminator: (name: String, places: [String: [Int]])?

    init(name: String, openers: [ContractOperation], received: [ContractOperation], sent: [ContractMessage], line: Int) {
        self.name = name
        self.openers = openers
        self.received = received
        self.sent = sent
        self.line = line
        patterns = received.map(\.messagePattern)
        discriminator = Self.discriminator(of: patterns)
    }

    private static func discriminator(of patterns: [MessagePattern]) -> (name: String, places: [String: [Int]])? {
        for name in patterns.first?.members.map(\.name) ?? [] {
            let texts = patterns.compactMap { $0.requiredText(of: name) }
            guard texts.count == patterns.count else { continue }
            return (name, Dictionary(grouping: texts.indices) { texts[$0] })
        }
        return nil
    }
}

extension ContractChannel {
    public enum Match: Sendable {
        case found(ContractOperation)
        /// `nearest`: up to three operations that may have been meant, the likeliest first. One that shares constants with the message (its
        /// `type`, but not what stands in its body) comes before one that is only spelled alike.
        case unknown(nearest: [ContractOperation])
    }

    /// Which operation a message is for: by the `const`s of each payload's schema, nested ones included (`/body/event/type`). Of several
    /// that fit, the one most of whose constants the message has. A constant that is not required may be missing.
    public func match(_ message: JSON) -> Match {
        var best: (operation: ContractOperation, score: Int)?
        for place in candidates(for: message) {
            guard let score = patterns[place].score(message), score > best?.score ?? -1 else { continue }
            best = (received[place], score)
        }
        return best.map { .found($0.operation) } ?? .unknown(nearest: nearest(to: message))
    }

    private func candidates(for message: JSON) -> [Int] {
        guard let discriminator else { return Array(received.indices) }
        return message[discriminator.name]?.string.flatMap { discriminator.places[$0] } ?? []
    }

    /// For a message that no operation is for, the nearest of those that share a required constant with it (its `type`): the one by which to
    /// say what is wrong with it, and whose refusals can answer it. Nil where it is like none of them.
    public func kin(of message: JSON) -> ContractOperation? { kin(of: message).first { $0.kinship.shared > 0 }?.operation }

    private func nearest(to message: JSON) -> [ContractOperation] { kin(of: message).prefix(3).map(\.operation) }

    /// The nearest first.
    private func kin(of message: JSON) -> [(operation: ContractOperation, kinship: MessagePattern.Kinship)] {
        let candidates = zip(received, patterns).map { ($0, $1.kinship(with: message)) }.filter { $1.isNear }
        return candidates.sorted { $0.1 < $1.1 }  // stable: the same on every run
    }
}

extension ContractOperation {
    /// By what a message is known to be this operation's.
    var messagePattern: MessagePattern { requestBody?.mediaTypes.first?.schema.map(MessagePattern.init) ?? MessagePattern() }
}
