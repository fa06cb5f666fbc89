import SparringContract
import SparringJSON
import SparringJournal

/// One way in which Sparring's answer is not the recorded one.
struct Difference {
    enum Kind: String, CaseIterable {
        /// Another answer of the contract, or another status.
        case answer
        /// A value that was recorded and did not come.
        case missing
        /// A value that came and was not recorded.
        case surplus
        case type
        case value
        /// One id where there were two, or two where there was one.
        case reference
        /// Another time from now, such as a token's end.
        case time
        /// Messages of a socket came in another order.
        case order
        /// Not a byte came back, or something did where nothing had.
        case silence

        /// ``Finding/code``
        var code: String { Finding.replayed + rawValue }
    }

    var kind: Kind
    /// `answer body.expires_in`.
    var place: String
    /// ``Finding/member``
    var member: String
    var words: String
    /// How many values are missing, or are there besides.
    var size = 1
    /// How much it counts when a recorded message is looked for among those of the replay.
    var weight: Int { kind == .value || kind == .time || kind == .reference ? 1 : 3 + size }

    var finding: Finding {
        var finding = Finding(kind.code, at: place, words)
        finding.member = member
        return finding
    }
}

/// Differences between any two runs, which say nothing.
enum Noise: String, CaseIterable {
    case ids, credentials, times, addresses

    /// `1 id`, `2 ids`.
    func words(_ count: Int) -> String {
        let one =
            switch self {
            case .ids: "id"
            case .credentials: "credential"
            case .times: "time"
            case .addresses: "address"
            }
        return "\(count) \(count == 1 ? one : rawValue)"
    }
}
