import HTTPTypes
import SparringContract
import SparringJSON
import SparringJournal

/// Holds what the replay brought against what was recorded at the same place, and learns which value stands for which.
struct Comparison {
    var correspondence: Correspondence
    private(set) var differences: [Difference] = []
    private(set) var noise: [Noise: Int] = [:]
    /// The sandbox's time at which both were sent.
    private let now: Timestamp
    /// Two times may differ by so much: the recorded clock ran on while the call was answered.
    private let tolerance: Duration

    init(_ correspondence: Correspondence, at now: Timestamp, tolerance: Duration) {
        (self.correspondence, self.now, self.tolerance) = (correspondence, now, tolerance)
    }

    // MARK: JSON

    /// - Parameter place: in words, such as `answer body`.
    mutating func compare(_ recorded: JSON, _ replayed: JSON, at place: Place) {
        switch (recorded, replayed) {
        case (.object(let members), .object(let others)): compare(members, others, at: place)
        case (.array(let items), .array(let others)): compare(items, others, at: place)
        case (.string(let text), .string(let other)): compare(text, other, at: place)
        case (.integer, .integer), (.number, .number), (.integer, .number), (.number, .integer):
            compare(numbers: recorded, replayed, at: place)
        default:
            guard recorded != replayed else { return }
            differ(recorded.typeName == replayed.typeName ? .value : .type, place, is: replayed, recorded: recorded)
        }
    }

    private mutating func compare(numbers recorded: JSON, _ replayed: JSON, at place: Place) {
        guard let number = recorded.double, let other = replayed.double else { return }
        if let (time, otherTime) = Self.times(number, other, near: now) { return compare(time, otherTime, at: place) }
        if number == other { return }
        let (text, otherText) = (Self.shown(recorded), Self.shown(replayed))
        if text.count >= Self.shortestID, otherText.count >= Self.shortestID { return pair(text, otherText, .ids, at: place) }
        differ(.value, place, is: replayed, recorded: recorded)
    }

    // MARK: Texts

    private static let shortestID = 8

    mutating func compare(_ recorded: String, _ replayed: String, at place: Place) {
        // The claims of a token stay in a recording without credentials.
        if let claims = Self.claims(recorded), let others = Self.claims(replayed) {
            count(.credentials)
            correspondence.note(recorded, replayed)
            return compare(claims, others, at: place.inside("claims"))
        }
        if recorded.contains("«") { return compare(template: recorded, replayed, at: place) }
        if let time = Self.time(recorded), let other = Self.time(replayed) { return compare(time, other, at: place) }
        if recorded == replayed {
            if Self.isID(recorded) { pair(recorded, replayed, nil, at: place) }
            return
        }
        if Self.isID(recorded), Self.isID(replayed) { return pair(recorded, replayed, .ids, at: place) }
        compare(words: recorded, replayed, at: place)
    }

    /// A text that has ids, addresses and times in it.
    private mutating func compare(words recorded: String, _ replayed: String, at place: Place) {
        let translated = correspondence.translate(recorded)
        if translated == replayed { return count(.ids) }
        let (words, others) = (TextPiece.pieces(of: recorded), TextPiece.pieces(of: replayed))
        guard words.count == others.count, zip(words, others).allSatisfy({ $0.isLike($1, Self.isID) }) else {
            return differ(.value, place, is: .string(replayed), recorded: .string(recorded))
        }
        for (word, other) in zip(words, others) where word.text != other.text {
            pair(word.text, other.text, word.isAddress ? .addresses : .ids, at: place)
        }
    }

    /// A text in which placeholders stand for credentials.
    private mutating func compare(template: String, _ replayed: String, at place: Place) {
        var (rest, other) = (template[...], replayed[...])
        while let mark = rest.firstIndex(of: "«"), let close = rest[mark...].firstIndex(of: "»") {
            let open = Self.beginning(ofTokenBefore: mark, in: rest)
            let before = correspondence.translate(String(rest[..<open]))
            guard other.hasPrefix(before) else { break }
            other = other.dropFirst(before.count)
            let placeholder = String(rest[open...close])
            rest = rest[rest.index(after: close)...]
            // Up to what follows it, or to the end.
            let next = rest[..<(rest.firstIndex(of: "«").map { Self.beginning(ofTokenBefore: $0, in: rest) } ?? rest.endIndex)]
            let end = next.isEmpty ? other.endIndex : other.firstRange(of: correspondence.translate(String(next)))?.lowerBound
            guard let end else { break }
            if placeholder.hasPrefix("«") {
                pair(placeholder, String(other[..<end]), .credentials, at: place)
            } else {
                compare(placeholder, String(other[..<end]), at: place)
            }
            other = other[end...]
        }
        guard !rest.contains("«"), correspondence.translate(String(rest)) == other else {
            return differ(.value, place, is: .string(replayed), recorded: .string(template))
        }
    }

    /// The beginning of a JWT whose signature is the placeholder: header and claims stand before that.
    private static func beginning(ofTokenBefore mark: Substring.Index, in text: Substring) -> Substring.Index {
        let token = text[..<mark].reversed().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        let start = text.index(mark, offsetBy: -token.count)
        return text[start..<mark].hasPrefix("eyJ") && text[start..<mark].hasSuffix(".") ? start : mark
    }

    mutating func pair(_ recorded: String, _ replayed: String, _ kind: Noise?, at place: Place) {
        // A vendor has several hosts where Sparring has one.
        if kind == .addresses || Self.isAddress(recorded) && Self.isAddress(replayed) {
            if recorded == replayed { return }
            if !correspondence.knows(recorded) { correspondence.note(recorded, replayed) }
            return count(.addresses)
        }
        switch correspondence.pair(recorded, replayed) {
        case .renamed where kind == .credentials, .merged where kind == .credentials:
            differ(.reference, place, is: replayed, recorded: recorded, "is not what stands for \(recorded) elsewhere")
        case .same: if recorded != replayed, let kind { count(kind) }
        case .renamed(let before):
            differ(
                .reference, place, is: replayed, recorded: recorded,
                "is \(replayed), which is not what stands for \(recorded) elsewhere (\(before))")
        case .merged(let with):
            differ(
                .reference, place, is: replayed, recorded: recorded,
                "is \(replayed), which stands for \(with) elsewhere: recorded \(recorded)")
        }
    }

    private mutating func compare(_ recorded: Timestamp, _ replayed: Timestamp, at place: Place) {
        let distance = recorded - replayed
        if abs(distance.milliseconds) <= tolerance.milliseconds {
            correspondence.note(recorded, replayed)
            return count(.times)
        }
        // The time of a notification that came late, which is read again later.
        if correspondence.knows(recorded, as: replayed) { return count(.times) }
        let (own, vendors) = (Self.rounded(replayed - now), Self.rounded(recorded - now))
        var difference = Difference(.time, place, is: Self.offset(own), recorded: Self.offset(vendors))
        difference.values = (.integer(own.milliseconds / 1000), .integer(vendors.milliseconds / 1000))
        note(difference)
    }

    // MARK: Heads

    /// Compares the header fields that the contract declares, and those that say what a client should do.
    mutating func compare(_ recorded: HTTPFields, _ replayed: HTTPFields, declared: [String]) {
        let names = Self.fields + declared.map { $0.lowercased() }.filter { !Self.fields.contains($0) }
        for name in names {
            guard let field = HTTPField.Name(name) else { continue }
            let place = Place("answer header \(name)")
            switch (recorded[field], replayed[field]) {
            case (.none, .none): break
            case (.some(let value), .none): differ(.missing, place, is: nil, recorded: value)
            case (.none, .some(let value)): differ(.surplus, place, is: value, recorded: nil)
            case (.some(let value), .some(let other)):
                if name == "content-type" {
                    let (essence, otherEssence) = (MediaTypes.essence(of: value), MediaTypes.essence(of: other))
                    if essence != otherEssence { differ(.value, place, is: otherEssence, recorded: essence) }
                } else {
                    compare(value.unescapedPlaceholders, other.unescapedPlaceholders, at: place)
                }
            }
        }
    }

    private static let fields = ["content-type", "location", "retry-after", "www-authenticate", "set-cookie"]

    // MARK: What they are

    mutating func differ(
        _ kind: Difference.Kind, _ place: Place, is replayed: String?, recorded: String?, _ words: String? = nil, size: Int = 1
    ) {
        differences.append(Difference(kind, place, is: replayed, recorded: recorded, words, size: size))
    }

    /// - Parameters:
    ///   - replayed: nil: it has none there.
    ///   - recorded: nil: it has none there.
    mutating func differ(_ kind: Difference.Kind, _ place: Place, is replayed: JSON?, recorded: JSON?) {
        differences.append(Difference(kind, place, is: replayed, recorded: recorded))
    }

    mutating func note(_ difference: Difference) { differences.append(difference) }

    mutating func count(_ kind: Noise) { noise[kind, default: 0] += 1 }

    static func shown(_ json: JSON) -> String { json.text.abbreviated(to: 80) }

    private static func offset(_ distance: Duration) -> String {
        Duration.milliseconds(abs(distance.milliseconds)).words + (distance >= .zero ? " from then" : " before")
    }

    /// To seconds, or to minutes: a token's hour began when it was made, not when it was sent.
    private static func rounded(_ distance: Duration) -> Duration {
        let seconds = (abs(distance.milliseconds) + 500) / 1000
        let minutes = (seconds + 30) / 60
        let length = minutes > 0 && abs(minutes * 60 - seconds) <= 2 ? minutes * 60 : seconds
        return .seconds(distance >= .zero ? length : -length)
    }

    /// A UUID, a hash, a number that is drawn: nobody chose it to be read.
    static func isID(_ text: String) -> Bool {
        text.utf8.count >= shortestID && text.utf8.contains(where: \.isDigit)
            && text.utf8.allSatisfy { $0.isDigit || $0.isLetter || "-_.~+/=:".utf8.contains($0) } && !text.contains("://")
    }

    /// A host with its port.
    private static func isAddress(_ text: String) -> Bool {
        text.contains(":") && Authority(text).map { $0.port != nil && $0.host.contains(".") } ?? false
    }

    private static func claims(_ text: String) -> JSON? {
        guard text.hasPrefix("eyJ"), let claims = JSONWebSignature.unverifiedPayload(of: text), claims.object != nil else { return nil }
        return claims
    }

    private static func time(_ text: String) -> Timestamp? {
        guard text.utf8.count >= 10, text.utf8.first?.isDigit == true || text.hasSuffix("GMT") else { return nil }
        return Timestamp(text) ?? Timestamp(httpDate: text, now: Timestamp(milliseconds: 0))
    }

    /// Seconds or milliseconds since 1970, if both are within some years of now.
    private static func times(_ number: Double, _ other: Double, near now: Timestamp) -> (Timestamp, Timestamp)? {
        for factor in [1.0, 1000.0] {
            let near = [number, other].allSatisfy { abs($0 * factor - Double(now.milliseconds)) < 20 * 365 * 86_400_000 }
            if near {
                return (Timestamp(milliseconds: Int64(clamped: number * factor)), Timestamp(milliseconds: Int64(clamped: other * factor)))
            }
        }
        return nil
    }
}
