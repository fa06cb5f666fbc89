package import SparringContract
import SparringJSON
package import SparringJournal
import SparringVariation

/// A message that is sent unprompted, as it goes out.
struct VariedMessage: Sendable {
    let body: JSON
    let frame: [UInt8]
    /// Those of Sparring's own making that go out before it.
    let before: [[UInt8]]
    let isTwice: Bool
    let frames: FrameVariation?
    /// It goes out before the one that was decided before it.
    let overtakes: Bool
    let changes: [VariedPlace]

    /// - Returns: nil where it goes out as it is.
    init?(_ message: ContractMessage, _ body: JSON, to socket: Socket, _ subject: VariationSubject) {
        let (decided, view) = (message.onWire(body), SchemaView(message.schema))
        let varied = message.isText ? nil : VariedBody.drawn(decided, by: view, subject, addresses: [socket.base])
        let sent = varied?.json ?? decided
        let company = CompanyVariation(subject, sent, by: view, unasked: message.isText ? [] : socket.channel.unasked)
        let frames = socket.isPolled ? nil : FrameVariation.drawn(subject)
        let order = subject.pick(.order, "first", of: 1).map { VariedPlace($0.id, at: "", "before the message that was decided before it") }
        let changes = (varied?.changes ?? []) + company.changes + [order, frames?.change].compactMap(\.self)
        if changes.isEmpty { return nil }
        (self.body, frame, self.changes) = (sent, varied?.bytes ?? message.frame(body), changes)
        before = company.before.map(\.bytes)
        isTwice = company.isTwice
        overtakes = order != nil
        self.frames = frames?.frames
    }
}

extension [VariedPlace] {
    /// The changes in the form that the journal keeps.
    package var recorded: [JournalEntry.Variation] {
        map { JournalEntry.Variation(id: $0.id.description, place: $0.place, words: $0.words) }
    }

    /// Whether something that the contract does not allow was meant: it is where a variation goes beyond the contract.
    package func explains(_ violation: Violation) -> Bool {
        contains { change in
            guard change.id.family.tier != .contract else { return false }
            if change.id.family == .errorPage { return true }
            // That no alternative fits is said of all members of what has them, which lies around the change.
            let around = violation.pointer.prefix(upTo: violation.pointer.lastIndex(of: "/") ?? violation.pointer.startIndex)
            let isAround = violation.kind == .alternative && change.place.hasPrefix(around)
            return violation.part == .body && (isAround || violation.pointer.hasPrefix(change.place))
        }
    }
}
