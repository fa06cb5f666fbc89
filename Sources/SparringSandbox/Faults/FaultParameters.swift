import HTTPTypes
import SparringJSON
import SparringJournal

/// What stands behind a fault's effect, `key=value`. Reading remembers what was asked for: what nobody asked for is unknown.
struct FaultParameters {
    let effect: String
    private let given: [String: String]
    private var known: Set<String> = []

    init(effect: String, _ given: [(String, String)]) throws(FaultRefused) {
        self.effect = effect
        var parameters: [String: String] = [:]
        for (name, value) in given {
            guard parameters.updateValue(value, forKey: name) == nil else { throw FaultRefused("'\(name)' is given twice") }
        }
        self.given = parameters
    }

    /// Refuses what is left.
    func checkAllKnown() throws(FaultRefused) {
        guard let unknown = given.keys.sorted().first(where: { !known.contains($0) }) else { return }
        let words = known.sorted() + ["header:", "body:/", "message:/"] + (effect == "status" ? ["set-header:"] : [])
        throw FaultRefused("'\(effect)' has no parameter '\(unknown)'", nearest: Nearest.words(to: unknown, in: words))
    }

    // MARK: Values

    mutating func text(_ name: String) -> String? {
        known.insert(name)
        return given[name]
    }

    /// Those of the names that begin so, in order, without that beginning.
    mutating func texts(prefix: String) -> [(rest: String, value: String)] {
        let names = given.keys.filter { $0.hasPrefix(prefix) }.sorted()
        known.formUnion(names)
        return names.map { (String($0.dropFirst(prefix.count)), given[$0] ?? "") }
    }

    mutating func number(_ name: String, _ range: ClosedRange<Int>) throws(FaultRefused) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = text.integer(in: range) else {
            let bound = range.upperBound == .max ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
            throw FaultRefused("\(name)=\(text) is not a whole number \(bound)")
        }
        return number
    }

    mutating func required(_ name: String, _ range: ClosedRange<Int>) throws(FaultRefused) -> Int {
        guard let number = try number(name, range) else {
            throw FaultRefused("'\(effect)' needs \(name)=, a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func fraction(_ name: String) throws(FaultRefused) -> Double? {
        guard let text = text(name) else { return nil }
        guard let number = Double(text), (0...1).contains(number) else {
            throw FaultRefused("\(name)=\(text) is not a number from 0 to 1")
        }
        return number
    }

    mutating func duration(_ name: String, bareSeconds: Bool = false) throws(FaultRefused) -> Duration? {
        guard let text = text(name) else { return nil }
        guard let duration = Duration(text: text) ?? (bareSeconds ? Duration(text: text + "s") : nil) else {
            throw FaultRefused("\(name)=\(text) is not a duration such as 200ms, 2s, 10m or PT10M")
        }
        return duration
    }

    mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, of type: Word.Type) throws(FaultRefused) -> Word? {
        guard let text = text(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue)
            throw FaultRefused(
                "\(name)=\(text) is not \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")",
                nearest: Nearest.words(to: text, in: words))
        }
        return word
    }
}

// MARK: What effects are made of

extension FaultParameters {
    mutating func status() throws(FaultRefused) -> Fault.StatusAnswer {
        var status = Fault.StatusAnswer(
            code: try required("code", 200...599), retryAfter: try duration("retry-after", bareSeconds: true), type: try mediaType("type"),
            body: text("body"))
        let location = text("location").map { [(rest: "Location", value: $0)] } ?? []
        for (name, value) in location + texts(prefix: "set-header:") {
            guard let field = HTTPField.Name(name), !Self.ours.contains(field) else {
                throw FaultRefused("'set-header:\(name)' is not the name of a header that a fault can set")
            }
            guard status.headers[field] == nil else { throw FaultRefused("'set-header:\(name)' is given twice") }
            guard HTTPField.isValidValue(value) else {
                throw FaultRefused("'\(name)' has characters that no header may have (RFC 9110 §5.5)")
            }
            status.headers[field] = value
        }
        return status
    }

    /// What the body and the connection decide, or a parameter of its own.
    private static let ours: Set<HTTPField.Name> = [
        .contentLength, .transferEncoding, .connection, .contentType, .retryAfter, .date, .upgrade, .trailer,
    ]

    mutating func delay() throws(FaultRefused) -> DelayLaw {
        let (by, from, to, median) = (try duration("by"), try duration("from"), try duration("to"), try duration("median"))
        let sigma = text("sigma")
        switch (by, from, to, median, sigma) {
        case (let by?, nil, nil, nil, nil): return .fixed(by)
        case (nil, let from?, let to?, nil, nil):
            guard from <= to else { throw FaultRefused("from=\(from.shortText) is longer than to=\(to.shortText)") }
            return .uniform(from: from, to: to)
        case (nil, nil, nil, let median?, let sigma?):
            guard let number = Double(sigma), (0...5).contains(number) else {
                throw FaultRefused("sigma=\(sigma) is not a number from 0 to 5")
            }
            return .lognormal(median: median, sigma: number)
        default: throw FaultRefused("'delay' needs by=2s, or from=1s to=3s, or median=300ms sigma=0.5")
        }
    }

    mutating func mediaType(_ name: String) throws(FaultRefused) -> String? {
        guard let text = text(name) else { return nil }
        guard text.split(separator: "/", omittingEmptySubsequences: false).count == 2, !text.hasPrefix("/"), !text.hasSuffix("/") else {
            throw FaultRefused("\(name)=\(text) is not a media type such as text/html")
        }
        return text
    }

    mutating func slices() throws(FaultRefused) -> Fault.Pace {
        guard let size = try number("size", 1...1 << 20), let gap = try duration("gap") else {
            throw FaultRefused("'slicer' needs size= and gap=, such as size=16 gap=50ms")
        }
        return .slices(size: size, gap: gap)
    }

    /// What an endpoint may send (RFC 6455 §7.4).
    mutating func closeCode() throws(FaultRefused) -> UInt16 {
        guard text("code") != nil else {
            guard text("reason") == nil else {
                throw FaultRefused("'close' has reason= without code=: a reason follows a code (RFC 6455 §5.5.1)")
            }
            return Fault.Ending.noCode
        }
        let code = try required("code", 1000...4999)
        guard (1000...1003).contains(code) || (1007...1014).contains(code) || code >= 3000 else {
            throw FaultRefused("code=\(code) may not be sent (RFC 6455 §7.4); for 1006, use the effect 'abort'")
        }
        return UInt16(clamping: code)
    }

    mutating func ending(_ how: Fault.Ending.How) throws(FaultRefused) -> Fault.Ending {
        let (frames, after) = (try number("after-frames", 0...1 << 30), try duration("after"))
        guard frames == nil || after == nil else { throw FaultRefused("after-frames= and after= exclude each other") }
        return Fault.Ending(how: how, afterFrames: frames ?? 0, after: after)
    }

    mutating func match() throws(FaultRefused) -> Fault.Match {
        var match = Fault.Match()
        match.account = text("account")
        match.subject = text("subject")
        for (name, value) in texts(prefix: "header:") {
            guard HTTPField.Name(name) != nil else { throw FaultRefused("'header:\(name)' is not a header's name") }
            match.headers.append(Fault.Match.Condition(of: name, text: value))
        }
        match.body = try pointers("body:")
        match.text = text("message")
        match.message = try pointers("message:")
        return match
    }

    private mutating func pointers(_ prefix: String) throws(FaultRefused) -> [Fault.Match.Condition<JSONPointer>] {
        var conditions: [Fault.Match.Condition<JSONPointer>] = []
        for (text, value) in texts(prefix: prefix) {
            guard text.hasPrefix("/"), let pointer = JSONPointer(text) else {
                throw FaultRefused("'\(prefix)\(text)' is not followed by a JSON Pointer such as /event/type (RFC 6901)")
            }
            conditions.append(Fault.Match.Condition(of: pointer, text: value))
        }
        return conditions
    }

    mutating func trigger() throws(FaultRefused) -> Fault.Trigger {
        var trigger = Fault.Trigger()
        trigger.times = try number("times", 1...Int.max)
        trigger.skip = try number("skip", 0...Int.max) ?? 0
        trigger.every = try number("every", 1...Int.max) ?? 1
        trigger.probability = try fraction("probability")
        trigger.per = try word("per", of: Fault.Scope.self) ?? .sandbox
        trigger.ttl = try duration("ttl")
        trigger.between = try window("between")
        return trigger
    }

    private mutating func window(_ name: String) throws(FaultRefused) -> Fault.Window? {
        guard let text = text(name) else { return nil }
        let parts = text.split(separator: "..", omittingEmptySubsequences: false).map { Self.moment(String($0)) }
        guard parts.count == 2, let from = parts[0], let to = parts[1] else {
            throw FaultRefused(
                "\(name)=\(text) is not a period such as 10s..40s after the arming, or 2027-01-15T08:00:00Z..2027-01-15T09:00:00Z")
        }
        switch (from, to) {
        case (.afterArming(let a), .afterArming(let b)) where a >= b: throw FaultRefused("\(name)=\(text) ends before it begins")
        case (.at(let a), .at(let b)) where a >= b: throw FaultRefused("\(name)=\(text) ends before it begins")
        default: return Fault.Window(from: from, to: to)
        }
    }

    private static func moment(_ text: String) -> Fault.Window.Moment? {
        Duration(text: text).map { .afterArming($0) } ?? Timestamp(text).map { .at($0) }
    }
}
