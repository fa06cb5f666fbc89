package import SparringJSON

/// Why a client's frame is none of its channel's messages.
package struct ChannelMismatch: Error {
    package enum Kind: Sendable {
        /// The channel has nothing like it.
        case unknown
        /// It is surely meant for this one of the channel's messages: a name in it is misspelt.
        case misspelt(ContractOperation)
        /// It is not JSON, and all of the channel's messages are.
        case syntax
    }

    package let kind: Kind
    package let reason: String
    /// Its JSON; nil if it is not JSON.
    package let message: JSON?
    /// The name of its type, as the client sent it; empty if it has none.
    package let name: String
    /// Those that may have been meant, the likeliest first.
    private let nearest: [ContractOperation]

    package init(
        _ reason: String, _ kind: Kind = .unknown, message: JSON? = nil, name: String = "", nearest: [ContractOperation] = []
    ) {
        (self.reason, self.kind, self.message, self.name, self.nearest) = (reason, kind, message, name, nearest)
    }

    /// The only operation that it is surely meant for.
    package var meant: ContractOperation? {
        guard case .misspelt(let meant) = kind else { return nil }
        return meant
    }

    /// The messages of the contract that it is like, for the end of a sentence; empty where there are none.
    package var hint: String {
        if let meant { return "; did you mean \(meant.qualifiedName)?" }
        return nearest.isEmpty ? "" : "; nearest: " + nearest.map(\.qualifiedName).joined(separator: ", ")
    }
}

extension ContractChannel {
    /// Finds the operation that a client's message is for. Live traffic and recordings are judged by it alike.
    ///
    /// - Parameter frame: one of ``messages(in:)``.
    /// - Returns: with the message, and whether it is the text of its frame.
    package func operation(
        for frame: [UInt8], isBinary: Bool
    ) throws(ChannelMismatch) -> (operation: ContractOperation, message: JSON, isText: Bool) {
        if isBinary { throw ChannelMismatch("a binary message of \(frame.count) bytes: the channel has text only") }
        let (message, isText): (JSON, Bool)
        do { (message, isText) = try read(frame) } catch {
            // Some clients keep a connection alive by frames with nothing in them.
            let isMalformed = isOfJSON && !frame.allSatisfy(\.isBlank)
            throw ChannelMismatch("the message is \(error)", isMalformed ? .syntax : .unknown)
        }
        switch match(message, isText: isText) {
        case .found(let operation): return (operation, message, isText)
        case .unknown(let nearest):
            let type = name(of: message)?.abbreviated(to: 100) ?? message.typeName
            throw ChannelMismatch(
                "no message of channel \(name) is \(type)", meant(by: message).map(ChannelMismatch.Kind.misspelt) ?? .unknown,
                message: message, name: type, nearest: nearest)
        }
    }
}

extension UInt8 {
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
