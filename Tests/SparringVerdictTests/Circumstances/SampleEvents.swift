import SparringContract
import SparringJSON

@testable import SparringVerdict

/// Makes events that selectors of behaviour files mean.
struct SampleEvents {
    let vocabulary: Vocabulary

    /// An event that the selector means; nil where none can be made.
    ///
    /// - Parameter values: what is to be at some places besides, such as a credential.
    /// - Parameter others: names of operations and marks that it is not to be, where there is a choice.
    func event(_ selector: JSON, at time: Double, with values: [String: String] = [:], besides others: Set<String> = []) -> SampleEvent? {
        guard let members = selector.object else { return event(["calls": selector], at: time, with: values, besides: others) }
        guard let kind = Selector.Kind.allCases.first(where: { selector[$0.rawValue] != nil }),
            var event = make(kind.rawValue, selector, others)
        else { return nil }
        event.time = time
        var wanted: [(String, String)] = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        for (place, pattern) in members["with"]?.object ?? [:] {
            // A value that is given may stand where anything may.
            if values[place] != nil, pattern.string == "*" { continue }
            wanted.append((place, Self.text(pattern)))
        }
        for (place, text) in wanted { event.set(text, at: place) }
        if let effect = Self.texts(members["effect"]).first { event.effect = effect }
        if members["lost"]?.bool == true { event.effect = "lost" }
        event.isStruck = members["struck"]?.bool == true
        return event
    }

    /// A text that matches a pattern.
    private static func text(_ pattern: JSON) -> String {
        (pattern.string ?? pattern.array?.first?.string ?? "").replacing("*", with: "x")
    }

    static func texts(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? json?.string.map { [$0] } ?? [] }

    private func make(_ kind: String, _ selector: JSON, _ others: Set<String>) -> SampleEvent? {
        let names = Self.texts(selector[kind])
        switch kind {
        case "mark": return SampleEvent(kind: .mark, name: names.first { !others.contains($0) } ?? names[0])
        case "connections": return SampleEvent(kind: .connection, name: names[0])
        case "findings":
            var event = SampleEvent(kind: .call, name: "liveperson.keepAlive")
            (event.status, event.outcome, event.finding) = (200, "ok", names[0])
            return event
        case "happened":
            var event = SampleEvent(kind: .other, name: "liveperson.deliverPush")
            event.cause = names[0]
            return event
        default: break
        }
        let points = names.flatMap { vocabulary.points(of: $0) }
        switch kind {
        case "calls", "vendorCalls":
            let some = points.filter { !$0.isNotification && !others.contains($0.name) }
            return some.lazy.compactMap { call($0, selector, kind == "calls" ? .call : .vendorCall) }.first
        case "gaveUp": return points.first.map { SampleEvent(kind: .gaveUp, name: $0.name) }
        case "notified":
            return points.first(where: \.isNotification).map { SampleEvent(kind: .notification, name: $0.name) }
        default:
            guard let opening = points.first(where: \.opensSocket) else { return nil }
            var event = SampleEvent(kind: kind == "frozen" ? .frozen : .socketEnd, name: opening.name)
            (event.code, event.socket) = (selector["code"]?.array?.lazy.compactMap { $0.integer(in: 0...65535) }.first.map { Int64($0) }, 1)
            if let code = selector["code"]?.integer(in: 0...65535) { event.code = Int64(code) }
            event.by = Self.texts(selector["by"]).first ?? "server"
            event.cause = Self.texts(selector["cause"]).first
            return event
        }
    }

    /// A call that is answered as the selector wants it; well, where it wants nothing.
    private func call(_ point: Vocabulary.Point, _ selector: JSON, _ kind: SampleEvent.Kind) -> SampleEvent? {
        guard case .operation(let operation) = point.declared else { return nil }
        var event = SampleEvent(kind: kind, name: point.name)
        let answered = Self.texts(selector["answered"]), decided = Self.texts(selector["decided"]), except = Self.texts(selector["except"])
        func fits(_ answer: DeclaredAnswer) -> Bool {
            let isOk = answer.outcome == .ok
            let isAnswered =
                answered.isEmpty
                ? isOk || !decided.isEmpty
                : answered.contains {
                    $0 == answer.name || $0 == answer.outcome.rawValue || $0 == "failed" && !isOk
                }
            return isAnswered && !except.contains(answer.name) && (decided.isEmpty || decided.contains(answer.name))
        }
        if let answer = operation.answers.first(where: fits) {
            (event.answer, event.status, event.outcome) = (answer.name, answer.status ?? 200, answer.outcome.rawValue)
            if answer.status == 101 { event.socket = 1 }
            return event
        }
        // What the vendor does not say, but a gateway, or nobody.
        if answered.contains("unavailable") || answered.contains("failed"), decided.isEmpty {
            event.status = 503
            return event
        }
        if answered.contains("no-answer") {
            event.answer = decided.first == "none" ? nil : decided.first
            return event
        }
        if operation.answers.isEmpty, answered.isEmpty || answered.contains("ok") {
            (event.status, event.outcome) = (200, "ok")
            return event
        }
        return nil
    }
}

extension SampleEvent {
    /// Puts a value where a rule will look for it.
    mutating func set(_ text: String, at place: String) {
        guard let place = SourcePlace(place) else { return }
        switch place.part {
        case .header: headers[place.name] = place.name.lowercased() == "authorization" ? "Bearer \(text)" : text
        case .query: query[place.name] = text
        case .target: path = place.name == "token" ? "/x/ey\(text).b.c" : text.hasPrefix("http") ? text : "/\(text)"
        case .socket: socket = Int64(text) ?? socket
        case .mark: details[place.pointer.tokens.joined(separator: "/")] = text
        case .body: body = Self.filled(body ?? [:], place.pointer.tokens[...], text)
        case .answer: answerBody = Self.filled(answerBody ?? [:], place.pointer.tokens[...], text)
        }
    }

    /// `*` and numbers are places in a list.
    private static func filled(_ json: JSON, _ tokens: ArraySlice<String>, _ text: String) -> JSON {
        guard let token = tokens.first else {
            return text == "true" || text == "false" ? .bool(text == "true") : Int64(text).map { .integer($0) } ?? .string(text)
        }
        if token == "*" || Int(token) != nil {
            return .array([filled(json.array?.first ?? [:], tokens.dropFirst(), text)])
        }
        var object = json.object ?? [:]
        object[token] = filled(object[token] ?? [:], tokens.dropFirst(), text)
        return .object(object)
    }
}
