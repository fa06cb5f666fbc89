import SparringJSON
import SparringJournal

extension Event {
    /// In a report's sentence.
    var words: String {
        switch kind {
        case .call, .vendorCall, .gaveUp: operation + (outcome.map { " (\($0.words))" } ?? "")
        case .notification: operation
        case .socketEnd: "the end of socket \(socket ?? 0)" + (closeCode.map { " with \($0)" } ?? " without a close frame")
        case .socketFrozen: "socket \(socket ?? 0) going dead"
        case .connection: operation == "taken" ? "a connection whose handshake never ends" : "a connection left without a request"
        case .mark: "the mark '\(operation)'"
        case .other: findings.first?.words ?? "entry \(number)"
        }
    }

    /// The client got it whole.
    var isReceived: Bool { record.object("answer")?.string("received") == nil }
}
