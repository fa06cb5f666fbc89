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

    /// The journal's reason for refusing the call, without credentials, such as `: redirect_uri differs by a trailing slash`. Empty if it was not refused.
    var reason: String {
        guard kind == .call, outcome?.isSuccess != true, let cause = record.string("cause"), !cause.isEmpty, !isStruck else { return "" }
        var redaction = Redaction(.plain)
        return ": " + redaction.text(cause)
    }

    /// The client got it whole.
    var isReceived: Bool { record.object("answer")?.string("received") == nil }
}
