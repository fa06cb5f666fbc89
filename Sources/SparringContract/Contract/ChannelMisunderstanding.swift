public import SparringJSON

/// The reaction to a client's message that is not one of the channel's (`x-misunderstood`).
public enum ChannelMisunderstanding: Sendable {
    /// The socket is closed with this code (RFC 6455 §7.4).
    case close(UInt16)
    /// Sparring sends this message, and the socket stays open. If the client's message lacks one of the members of `having`, or has one of the values
    /// of `unless`, Sparring closes the socket with the code instead.
    case answer(DeclaredAnswer, having: [JSONPointer] = [], unless: [JSONPointer: [JSON]] = [:], elseClose: UInt16 = 1003)
    /// Nothing.
    case ignore

    /// RFC 6455 §7.4.1: data of a type that cannot be accepted.
    static let usual = ChannelMisunderstanding.close(1003)

    /// The reaction to this message, with the conditions of an answer applied.
    public func reaction(to message: [UInt8]) -> ChannelMisunderstanding {
        guard case .answer(_, let members, let excepted, let code) = self, !members.isEmpty || !excepted.isEmpty else { return self }
        let json = try? JSON(parsing: message)
        let isExcepted = excepted.contains { pointer, values in json?[pointer].map { values.contains($0) } ?? false }
        return !isExcepted && members.allSatisfy { json?[$0] != nil } ? self : .close(code)
    }
}
