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

    let kind: Kind
    let place: Place
    /// Sparring's value; nil: it has none there.
    let replayed: String?
    /// The recorded value; nil: there was none.
    let recorded: String?
    /// Words that say more than the two, for a recording.
    let words: String?
    /// How many values are missing, or are there besides.
    var size = 1
    /// The values themselves, where they are of a body; of two times, the seconds from now.
    var values: (replayed: JSON?, recorded: JSON?)
    /// The differences of the bodies of two answers with different statuses.
    var inner: [Difference] = []

    /// How much it counts when a recorded message is looked for among those of the replay.
    var weight: Int { kind == .value || kind == .time || kind == .reference ? 1 : 3 + size }

    init(_ kind: Kind, _ place: Place, is replayed: String?, recorded: String?, _ words: String? = nil, size: Int = 1) {
        (self.kind, self.place, self.replayed, self.recorded) = (kind, place, replayed, recorded)
        (self.words, self.size) = (words, size)
    }

    /// A difference between two values of a body, or between one and none.
    init(_ kind: Kind, _ place: Place, is replayed: JSON?, recorded: JSON?) {
        let isType = kind == .type
        func shown(_ value: JSON?) -> String? { value.map { isType ? $0.typeName : Comparison.shown($0) } }
        let size = kind == .missing ? recorded?.leaves : kind == .surplus ? replayed?.leaves : nil
        self.init(kind, place, is: shown(replayed), recorded: shown(recorded), size: size ?? 1)
        values = (replayed, recorded)
    }

    var finding: Finding {
        let text =
            switch (words, replayed, recorded) {
            case (let words?, _, _): words
            case (_, let replayed?, let recorded?): "is \(replayed): recorded \(recorded)"
            case (_, nil, let recorded): "is missing" + (recorded.map { ": recorded \($0)" } ?? "")
            case (_, let replayed?, nil): "was not recorded: replayed \(replayed)"
            }
        var finding = Finding(kind.code, at: place.text, "\(place.text) \(text)")
        finding.member = place.member
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
