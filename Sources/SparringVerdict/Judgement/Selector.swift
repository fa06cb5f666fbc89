import SparringJSON
import SparringJournal

/// The events that a rule means.
///
/// ```yaml
/// { calls: liveperson.Login.*, answered: authentication }     # the client's, by class or name of what came of them
/// { vendorCalls: liveperson.deliverPush, struck: true }       # by which an emulated vendor reaches others
/// { notified: liveperson.eventsPublished }
/// { socketEnds: liveperson.openConsumerSocket, code: 4401 }
/// { connections: refused }                                  # for its certificate; `taken`, `left`: while the handshake stalls
/// { mark: badge }                                           # or one of several
/// { findings: certificate-accepted }                        # by their codes
/// { happened: foreign-push }                                # what Sparring did, by the code of its cause
/// ```
struct Selector: Sendable {
    enum Kind: String, CaseIterable {
        case calls, gaveUp, vendorCalls, notified, socketEnds, frozen, mark, connections, findings, happened

        /// The kind of such events; nil: events of any kind may have findings.
        var events: Event.Kind? {
            switch self {
            case .calls: .call
            case .gaveUp: .gaveUp
            case .vendorCalls: .vendorCall
            case .notified: .notification
            case .socketEnds: .socketEnd
            case .frozen: .socketFrozen
            case .mark: .mark
            case .connections: .connection
            case .findings: nil
            case .happened: .other
            }
        }

        /// The words before the names in a report.
        var words: String {
            switch self {
            case .calls, .vendorCalls, .notified, .happened: ""
            case .gaveUp: "giving up "
            case .socketEnds: "the end of a socket of "
            case .frozen: "a dead socket of "
            case .mark: "the mark "
            case .connections: "a connection "
            case .findings: "a finding "
            }
        }
    }

    private let kind: Kind
    /// The operations, marks or states of connections that are meant.
    private var names: [OperationName] = []
    /// Classes of failures, names of answers, `ok`, `failed`; empty: any.
    private var answered: Set<String> = []
    /// Answers that do not count, though their class does.
    private var except: Set<String> = []
    /// Names of what was decided, whether or not the client heard of it; `none`: nothing was.
    private var decided: Set<String> = []
    /// Each place has a value that fits one of its patterns.
    private var conditions: [(place: SourcePlace, patterns: [String])] = []
    /// Nothing stands there.
    private var without: [SourcePlace] = []
    /// Effects of faults, at least one of which the event must have; empty: any.
    private var effects: Set<String> = []
    /// Codes of causes.
    private var causes: Set<String> = []
    /// The client did not get it whole.
    private var isLost: Bool?
    /// Codes of findings.
    private var findings: Set<String> = []
    private var isStruck: Bool?
    /// Codes of close frames, where nil means an end without one; empty: any.
    private var codes: [Int?] = []
    /// A close frame without a code (RFC 6455 §7.1.5), which says as little as none.
    private static let noCode = 1005
    private var by: Set<String> = []
    /// The selector as it is written, for reports.
    let words: String

    private static let members =
        Kind.allCases.map(\.rawValue) + [
            "answered", "except", "decided", "with", "without", "effect", "cause", "lost", "struck", "code", "by",
        ]

    /// A mapping, or the places of calls alone.
    init(_ json: JSON, at pointer: JSONPointer, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        guard json.object != nil else {
            self = try Selector(["calls": json], at: pointer, vocabulary)
            return
        }
        let declaration = try Declaration(json, at: pointer, known: Self.members)
        let given = Kind.allCases.filter { json[$0.rawValue] != nil }
        guard given.count == 1 else {
            throw ConfigurationError(pointer, "expected one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        kind = given[0]
        let name = kind.rawValue
        words = Self.words(json, kind) + (json["struck"] == false ? " without a fault that forces it" : "")
        switch kind {
        case .calls, .gaveUp, .vendorCalls: names = try vocabulary.operations(name, declaration)
        case .notified: names = try vocabulary.operations(name, declaration) { $0.isNotification }
        case .socketEnds, .frozen: names = try vocabulary.operations(name, declaration) { $0.opensSocket }
        case .connections: names = [OperationName(try declaration.word(name, among: ["taken", "left", "refused"]) ?? "")]
        case .mark: names = try declaration.texts(name).map { OperationName($0) }
        case .findings: findings = Set(try declaration.texts(name))
        case .happened:
            causes = Set(try declaration.texts(name))
            for word in causes.sorted() where !Cause.happenings.contains(word) {
                throw declaration.error(name, "there is no happening '\(word)'\(Nearest.hint(for: word, in: Cause.happenings))")
            }
        }
        answered = Set(try declaration.texts("answered"))
        except = Set(try declaration.texts("except"))
        decided = Set(try declaration.texts("decided"))
        try checkNames(declaration, vocabulary)
        effects = Set(try declaration.texts("effect"))
        for word in effects.sorted() where !vocabulary.effects.contains(word) {
            let hint = Nearest.hint(for: word, in: vocabulary.effects)
            throw declaration.error("effect", "no fault has the effect '\(word)'\(hint)")
        }
        if json["cause"] != nil { causes = Set(try declaration.texts("cause")) }
        isStruck = try declaration.flag("struck")
        isLost = try declaration.flag("lost")
        without = try SourcePlace.read("without", declaration)
        by = Set(try declaration.texts("by"))
        for code in json["code"]?.array ?? json["code"].map({ [$0] }) ?? [] {
            let number = code.integer(in: 0...Int(UInt16.max))
            guard number != nil || code.string == "none" else {
                throw declaration.error("code", "'\(code.string ?? code.text)' is neither a close code nor 'none'")
            }
            codes.append(number)
        }
        for (name, pattern) in json["with"]?.object ?? [:] {
            let patterns = pattern.string.map { [$0] } ?? pattern.array?.compactMap(\.string) ?? []
            guard let place = SourcePlace(name), !patterns.isEmpty, patterns.count == pattern.array?.count ?? 1 else {
                throw ConfigurationError(
                    pointer.appending("with").appending(name), "expected a place such as body:/id_token, and a string or several")
            }
            conditions.append((place, patterns))
        }
    }

    /// The same, but for answers that a fault forced: they tell nothing of the client. What wants them says so, or which effect it means.
    func unlessForced() -> Selector {
        var selector = self
        if !answered.isEmpty, effects.isEmpty { selector.isStruck = isStruck ?? false }
        return selector
    }

    func concerns(_ place: EventPlace) -> Bool {
        switch kind {
        case .calls, .gaveUp, .vendorCalls, .notified, .socketEnds, .frozen: names.contains(place.operation)
        case .mark: false
        case .connections: place.isConnection
        case .findings: place.hasFindings
        case .happened: !place.isNotification && !place.isConnection
        }
    }

    /// The client itself has to tell of it.
    var isMark: Bool { kind == .mark }

    static func read(_ name: String, _ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) -> Selector {
        guard let selector = try optional(name, declaration, vocabulary) else {
            throw declaration.missing(name, "what it means")
        }
        return selector
    }

    static func optional(_ name: String, _ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) -> Selector? {
        guard let json = declaration.json[name] else { return nil }
        return try Selector(json, at: declaration.pointer.appending(name), vocabulary)
    }

    /// One or a list of them; none where there is no such member.
    ///
    /// - Parameter needed: what they are, where there must be one.
    static func list(
        _ name: String, _ declaration: Declaration, _ vocabulary: Vocabulary, needed: String? = nil
    ) throws(ConfigurationError) -> [Selector] {
        guard let list = declaration.json[name]?.array, list.contains(where: { $0.object != nil }) else {
            return try declaration.need(try [optional(name, declaration, vocabulary)].compactMap(\.self), name, needed)
        }
        return try list.enumerated().map { index, json throws(ConfigurationError) in
            try Selector(json, at: declaration.pointer.appending(name).appending(index), vocabulary)
        }
    }

    func matches(_ event: Event) -> Bool {
        guard isOfKind(event) else { return false }
        if let isStruck, event.isStruck != isStruck { return false }
        if !answered.isEmpty, !isAnswered(event.outcome) { return false }
        if !except.isEmpty, let name = event.outcome?.name, except.contains(name) { return false }
        if let isLost, event.isReceived == isLost { return false }
        if !decided.isEmpty, !decided.contains(event.outcome?.name ?? "none") { return false }
        if !causes.isEmpty, !causes.contains(event.causeCode) { return false }
        if without.contains(where: { event.value(at: $0) != nil }) { return false }
        if !effects.isEmpty, effects.isDisjoint(with: event.effects) { return false }
        if !codes.isEmpty, !codes.contains(event.closeCode), event.closeCode != Self.noCode || !codes.contains(nil) { return false }
        if !by.isEmpty, !by.contains(event.endedBy) { return false }
        return conditions.allSatisfy { condition in
            event.value(at: condition.place).map { value in condition.patterns.contains { TextPattern.matches(value, $0) } } ?? false
        }
    }

    /// Whether the client gave up waiting for a call that this selects, whatever would have been answered.
    func isGivenUp(_ event: Event) -> Bool { kind == .calls && event.kind == .gaveUp && names.contains(event.name) }

    private func isOfKind(_ event: Event) -> Bool {
        guard let events = kind.events else { return event.hasFindings && event.findings.contains { findings.contains($0.code) } }
        return event.kind == events && (kind == .happened || names.contains(event.name))
    }

    private func isAnswered(_ outcome: Outcome?) -> Bool {
        switch outcome {
        case .success(let name): answered.contains("ok") || name.map { answered.contains($0) } ?? false
        case .failure(let failure, let name):
            answered.contains("failed") || answered.contains(failure)
                || failure != FailureClass.noAnswer && name.map { answered.contains($0) } ?? false
        case nil: false
        }
    }

    private func checkNames(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        let operations = kind == .calls || kind == .vendorCalls ? names.map(\.text) : []
        let names = Set(operations.flatMap { vocabulary.points(of: $0) }.flatMap(\.answers))
        for (member, words) in [("answered", answered), ("except", except), ("decided", decided)] where !words.isEmpty {
            let known = names.union(member == "answered" ? Set(FailureClass.all + ["ok", "failed"]) : ["none"])
            for word in words where !known.contains(word) {
                let hint = Nearest.words(to: word, in: known.sorted())
                throw declaration.error(
                    member,
                    "'\(word)' is not an answer or a class here" + (hint.isEmpty ? "" : "; nearest: \(hint.joined(separator: ", "))"))
            }
        }
    }

    private static func words(_ json: JSON, _ kind: Kind) -> String {
        let value = json[kind.rawValue]
        let what = value?.array?.map { $0.string ?? $0.text }.joined(separator: ", ") ?? value?.string ?? ""
        let answered = json["answered"].map { $0.array?.map { $0.string ?? "" }.joined(separator: " or ") ?? $0.string ?? "" }
        let places = json["with"]?.object.map { " with " + $0.keys.joined(separator: ", ") } ?? ""
        return kind.words + what + (answered.map { " answered \($0)" } ?? "") + places
    }
}

extension Event {
    var causeCode: String { record.string("causeCode") ?? "" }
    var effects: [String] { record.json("effects")?.array?.compactMap(\.string) ?? [] }
    /// The close code of a socket's end; nil: there was no close frame.
    var closeCode: Int? { record.object("details")?.integer("code").map { Int($0) } }
    /// It was answered with 101 (RFC 9110 §15.2.2).
    var opensSocket: Bool { record.object("answer")?.integer("status") == 101 }
    var endedBy: String { record.object("details")?.string("by") ?? "" }
}
