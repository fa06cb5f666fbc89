/// What becomes of one message on its way to a socket's client.
package enum MessageChange: Sendable {
    case drop
    case duplicate
    /// After the next one.
    case reorder
    /// At this part of its length, from 0 to 1.
    case corrupt(at: Double)
    /// Nil: half of it.
    case truncate(bytes: Int?)

    init(_ effect: Fault.MessageEffect, _ strike: FaultTable.Strike) {
        switch effect {
        case .drop: self = .drop
        case .duplicate: self = .duplicate
        case .reorder: self = .reorder
        case .corrupt: self = .corrupt(at: strike.draw("byte").fraction)
        }
    }

    /// The client never gets it.
    var isLoss: Bool { if case .drop = self { true } else { false } }
    /// The client gets something else.
    var isDamage: Bool {
        switch self {
        case .corrupt, .truncate: true
        case .drop, .duplicate, .reorder: false
        }
    }

    var words: String {
        switch self {
        case .drop: "lost on its way"
        case .duplicate: "sent twice"
        case .reorder: "sent after the next"
        case .corrupt: "one byte is no UTF-8"
        case .truncate: "cut short"
        }
    }
}
