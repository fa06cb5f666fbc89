public import SparringJSON

/// One kind of socket and the messages on it (AsyncAPI 3.0, a channel).
public final class ContractChannel: Sendable {
    public let name: String
    /// The HTTP operations whose answer of status 101 opens such a socket, never empty: each opens this channel only.
    public let openers: [ContractOperation]
    /// The HTTP operations whose requests bring messages of this channel, and whose answers take them along (`x-polled-by`).
    public let pollers: [ContractOperation]
    /// The messages that clients may send, in the contract's order.
    public let received: [ContractOperation]
    /// The messages that the vendor sends unprompted, in the contract's order.
    public let sent: [ContractMessage]
    /// The channel's line in the contract's `*.asyncapi.yaml`.
    public let line: Int

    /// The first of ``openers``: the one whose path is the channel's address.
    public var opener: ContractOperation { openers[0] }

    /// The reaction to anything else that a client sends.
    public let misunderstanding: ChannelMisunderstanding
    /// A frame may be an array of messages (`x-batched`).
    let isBatched: Bool
    /// The codes that go over the wire in place of those that Sparring's code closes sockets with (`x-rewrite`).
    private let closeCodes: [UInt16: UInt16]

    /// Messages that may be sent at any time, and change nothing, by the message's id.
    package var unasked: [(name: String, body: JSON)] {
        sent.flatMap { message in message.unasked.map { (message.id, message.onWire($0)) } }
    }

    /// A spelling of an operation.
    private struct Spelling {
        let operation: ContractOperation
        let pattern: MessagePattern
        let isText: Bool
    }

    /// In the order of ``received``, those that are JSON first.
    private let spellings: [Spelling]
    /// A member that is a required constant text of every JSON message (`type`): their places in ``spellings``, by that text.
    private let discriminator: (name: String, places: [String: [Int]])?
    /// The messages that are the text of their frames.
    private let texts: Set<String>

    init(
        name: String, openers: [ContractOperation], pollers: [ContractOperation] = [], received: [ContractOperation],
        sent: [ContractMessage],
        misunderstanding: ChannelMisunderstanding, isBatched: Bool = false, closeCodes: [UInt16: UInt16] = [:], line: Int
    ) {
        self.name = name
        self.openers = openers
        self.pollers = pollers
        self.received = received
        self.sent = sent
        self.misunderstanding = misunderstanding
        self.isBatched = isBatched
        self.closeCodes = closeCodes
        self.line = line
        let all = received.flatMap { operation in
            operation.spellings.map { Spelling(operation: operation, pattern: $0.pattern, isText: $0.isText) }
        }
        spellings = all.filter { !$0.isText } + all.filter(\.isText)
        discriminator = Self.discriminator(of: spellings.prefix { !$0.isText }.map(\.pattern))
        texts = Set(all.compactMap { $0.isText ? $0.pattern.constant?.string : nil })
    }

    /// Whether all that clients may send is JSON. Of a channel on which they may send nothing it is not known.
    var isOfJSON: Bool { !spellings.isEmpty && spellings.allSatisfy { !$0.isText } }

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

    /// The code of a close frame as it goes over the wire.
    public func onWire(closeCode code: UInt16) -> UInt16 { closeCodes[code] ?? code }

    /// The messages of a frame: its one, or each of its array where the channel is batched.
    public func messages(in frame: [UInt8]) -> [[UInt8]] {
        guard isBatched, frame.first(where: { !$0.isBlank }) == UInt8(ascii: "["),
            let messages = (try? JSON(parsing: frame))?.array, !messages.isEmpty
        else { return [frame] }
        return messages.map(\.bytes)
    }

    /// A frame's text: a message that is text as it stands, else JSON.
    public func read(_ frame: [UInt8]) throws(JSONSyntaxError) -> (message: JSON, isText: Bool) {
        if !texts.isEmpty, let text = String(validating: frame, as: UTF8.self), texts.contains(text) { return (.string(text), true) }
        return (try JSON(parsing: frame), false)
    }

    /// Finds the operation that a message is for, by the `const`s of each payload's schema, nested ones included (`/body/event/type`). If
    /// several match, the one with the most constants in the message wins. A constant that is not required may be missing.
    ///
    /// - Parameter isText: the same as for ``read(_:)``.
    public func match(_ message: JSON, isText: Bool = false) -> Match {
        var best: (operation: ContractOperation, score: Int)?
        for place in candidates(for: message, isText) {
            let spelling = spellings[place]
            guard spelling.isText == isText, let score = spelling.pattern.score(message), score > best?.score ?? -1 else { continue }
            best = (spelling.operation, score)
        }
        return best.map { .found($0.operation) } ?? .unknown(nearest: nearest(to: message))
    }

    private func candidates(for message: JSON, _ isText: Bool) -> [Int] {
        guard let discriminator, !isText else { return Array(spellings.indices) }
        return message[discriminator.name]?.string.flatMap { discriminator.places[$0] } ?? []
    }

    /// The name that a message gives itself: the member that distinguishes this channel's messages, or all that do; nil if it has none.
    public func name(of message: JSON) -> String? {
        guard let discriminator else { return constants(of: message, as: spellings.filter { !$0.isText })?.joined(separator: ", ") }
        let name = message[discriminator.name]
        // Where that member is right, something else is not.
        let alike = (name?.string.flatMap { discriminator.places[$0] } ?? []).map { spellings[$0] }
        return constants(of: message, as: alike)?.map { JSON.string($0).text }.joined(separator: ", ") ?? name?.text
    }

    /// The texts in a message at the places where these spellings have constants; nil if there are none.
    private func constants(of message: JSON, as spellings: [Spelling]) -> [String]? {
        var places: [JSONPointer] = []
        for place in spellings.flatMap({ $0.pattern.places() }) where !places.contains(place) { places.append(place) }
        let words = places.compactMap { message[$0]?.string }
        return words.isEmpty ? nil : words
    }

    /// For a message that no operation is for, the nearest of those that share a required constant with it (its `type`): the one by which to
    /// say what is wrong with it, and whose refusals can answer it. Nil where it is like none of them.
    public func kin(of message: JSON) -> ContractOperation? { kin(of: message).first { $0.kinship.shared > 0 }?.operation }

    /// For a message that no operation is for, the only one that it is surely meant for: one name in it is misspelt.
    public func meant(by message: JSON) -> ContractOperation? {
        let meant = spellings.filter { !$0.isText && $0.pattern.misspellings(message) == 1 }.map(\.operation)
        return meant.first.flatMap { first in meant.allSatisfy { $0 == first } ? first : nil }
    }

    private func nearest(to message: JSON) -> [ContractOperation] { kin(of: message).prefix(3).map(\.operation) }

    /// The nearest first.
    private func kin(of message: JSON) -> [(operation: ContractOperation, kinship: MessagePattern.Kinship)] {
        let near = spellings.map { ($0.operation, $0.pattern.kinship(with: message)) }.filter { $1.isNear }
        var all: [(operation: ContractOperation, kinship: MessagePattern.Kinship)] = []
        for (operation, kinship) in near.sorted(by: { $0.1 < $1.1 }) where !all.contains(where: { $0.operation == operation }) {
            all.append((operation, kinship))  // stable: the same on every run
        }
        return all
    }
}

extension ContractOperation {
    /// The patterns that identify a message as this operation's, one for each spelling.
    var spellings: [(pattern: MessagePattern, isText: Bool)] {
        (requestBody?.mediaTypes ?? []).map { ($0.schema.map(MessagePattern.init) ?? MessagePattern(), $0.type == "text/plain") }
    }

    /// Whether some message could be of either.
    func mayBeTaken(for other: ContractOperation) -> Bool {
        spellings.contains { own in other.spellings.contains { own.isText == $0.isText && own.pattern.isAmbiguous(with: $0.pattern) } }
    }
}
