import SparringContract
import SparringJSON
import SparringJournal

/// Reads faults in both of their forms and checks them against the contracts: a fault that could never strike is refused.
struct FaultReader: Sendable {
    let operations: [ContractOperation]

    private static let effects = ["status", "delay", "CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE"]
    private static let triggers = ["times", "skip", "every", "probability", "per"]

    /// `WHERE EFFECT key=value …`
    func read(text: String) throws(FaultRefused) -> Fault {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count >= 2 else {
            throw FaultRefused("'\(text)' is not of the form WHERE EFFECT key=value …, such as: *.Login.* token-expired times=2")
        }
        var parameters: [(String, String)] = []
        for word in words.dropFirst(2) {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw FaultRefused("'\(word)' is not of the form key=value")
            }
            parameters.append((String(word[..<equals]), String(word[word.index(after: equals)...])))
        }
        return try read(place: words[0], effect: words[1], parameters)
    }

    /// `{"where":…,"effect":…,"key":value …}`, or `{"fault":"WHERE EFFECT key=value …"}`, or the text alone.
    func read(_ json: JSON) throws(FaultRefused) -> Fault {
        if let text = json.string ?? json["fault"]?.string { return try read(text: text) }
        guard let members = json.object, let place = json["where"]?.string, let effect = json["effect"]?.string else {
            throw FaultRefused("a fault has 'where' and 'effect', or 'fault' with its text form")
        }
        var parameters: [(String, String)] = []
        for (name, value) in members where name != "where" && name != "effect" {
            switch value {
            case .string(let text): parameters.append((name, text))
            case .integer, .number: parameters.append((name, value.text))
            default: throw FaultRefused("'\(name)' is neither text nor a number")
            }
        }
        return try read(place: place, effect: effect, parameters)
    }

    private func read(place: String, effect: String, _ given: [(String, String)]) throws(FaultRefused) -> Fault {
        let place = try self.place(place)
        var parameters: [String: String] = [:]
        for (name, value) in given {
            guard parameters.updateValue(value, forKey: name) == nil else { throw FaultRefused("'\(name)' is given twice") }
        }
        var known = Set(Self.triggers)
        let phase = try word(parameters["phase"], of: Fault.Phase.self, name: "phase") ?? .onRequestEnd
        let read: Fault.Effect
        switch effect {
        case "status":
            known.formUnion(["code", "retry-after"])
            guard let text = parameters["code"], let code = Int(text), (200...599).contains(code) else {
                throw FaultRefused("'status' needs code=, a number from 200 to 599")
            }
            read = .status(code: code, retryAfter: try duration(parameters["retry-after"], name: "retry-after", bareSeconds: true))
        case "delay":
            known.formUnion(["by", "phase"])
            guard let by = try duration(parameters["by"], name: "by") else { throw FaultRefused("'delay' needs by=, such as by=2s") }
            read = .delay(by)
        case "CONNECTION_RESET_BY_PEER":
            known.insert("phase")
            read = .reset
        case "EMPTY_RESPONSE":
            known.insert("phase")
            read = .emptyResponse
        default:
            try checkRefusal(effect, at: place)
            read = .refusal(effect)
        }
        if let unknown = parameters.keys.sorted().first(where: { !known.contains($0) }) {
            throw FaultRefused("'\(effect)' has no parameter '\(unknown)'", nearest: Nearest.words(to: unknown, in: known.sorted()))
        }
        return Fault(place: place, effect: read, phase: phase, trigger: try trigger(parameters))
    }

    private func place(_ text: String) throws(FaultRefused) -> Fault.Place {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var place = Fault.Place()
        if let vendor = parts.first, vendor != "*" { place.vendor = vendor }
        switch parts.count {
        case 1 where text == "*": break
        case 2 where parts[1] == "*" && place.vendor != nil: break
        case 2 where parts[1] != "*" && !parts[1].isEmpty: place.operation = parts[1]
        case 3 where parts[2] == "*" && !parts[1].isEmpty: place.tag = parts[1] == "*" ? nil : parts[1]
        default: throw FaultRefused("'\(text)' is not vendor.operationId, vendor.Tag.*, *.Tag.*, vendor.* or *")
        }
        guard operations.contains(where: place.covers) else {
            let names = Set(
                operations.map(\.qualifiedName) + operations.map { "\($0.vendor).\($0.tag).*" } + operations.map { "\($0.vendor).*" })
            throw FaultRefused("no operation is '\(text)'", nearest: Nearest.words(to: text, in: names.sorted()))
        }
        return place
    }

    /// A refusal must be an unhappy answer of at least one of the operations it may strike.
    private func checkRefusal(_ name: String, at place: Fault.Place) throws(FaultRefused) {
        let covered = operations.filter(place.covers)
        let names = Set(covered.flatMap { $0.answers.filter(\.isUnhappy).map(\.name) })
        guard !names.contains(name) else { return }
        throw FaultRefused(
            "'\(name)' is neither an effect nor an unhappy answer of \(place)",
            nearest: Nearest.words(to: name, in: names.sorted() + Self.effects))
    }

    private func trigger(_ parameters: [String: String]) throws(FaultRefused) -> Fault.Trigger {
        var trigger = Fault.Trigger()
        trigger.times = try number(parameters["times"], name: "times", from: 1)
        trigger.skip = try number(parameters["skip"], name: "skip", from: 0) ?? 0
        trigger.every = try number(parameters["every"], name: "every", from: 1) ?? 1
        trigger.per = try word(parameters["per"], of: Fault.Scope.self, name: "per") ?? .sandbox
        if let text = parameters["probability"] {
            guard let probability = Double(text), (0...1).contains(probability) else {
                throw FaultRefused("probability=\(text) is not a number from 0 to 1")
            }
            trigger.probability = probability
        }
        return trigger
    }

    private func number(_ text: String?, name: String, from least: Int) throws(FaultRefused) -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), number >= least else { throw FaultRefused("\(name)=\(text) is not a whole number from \(least) on") }
        return number
    }

    private func duration(_ text: String?, name: String, bareSeconds: Bool = false) throws(FaultRefused) -> Duration? {
        guard let text else { return nil }
        guard let duration = Duration(text: text) ?? (bareSeconds ? Duration(text: text + "s") : nil) else {
            throw FaultRefused("\(name)=\(text) is not a duration such as 200ms, 2s, 10m or PT10M")
        }
        return duration
    }

    private func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String?, of type: Word.Type, name: String
    ) throws(FaultRefused) -> Word? {
        guard let text else { return nil }
        guard let word = Word(rawValue: text) else {
            throw FaultRefused("\(name)=\(text) is not \(Word.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        return word
    }
}
