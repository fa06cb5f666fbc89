import SparringAdmin
import SparringContract
import SparringJSON
import SparringJournal

/// A client's use of one vendor, as a Pact (specification 4.0): one interaction for each shape of request and each answer to it. Messages
/// of sockets name their operation of the AsyncAPI document under `comments`.
struct PactExport {
    private let contract: Contract
    private let consumer: String
    private var interactions: [JSON] = []
    private var seen: Set<[String]> = []
    /// Descriptions must be unique.
    private var told: [String: Int] = [:]

    init(_ journal: [JSON], of contract: Contract, consumer: String) {
        (self.contract, self.consumer) = (contract, consumer)
        for entry in journal { take(entry) }
    }

    var isEmpty: Bool { interactions.isEmpty }

    var json: JSON {
        [
            "consumer": ["name": .string(consumer)], "provider": ["name": .string(contract.vendor)], "interactions": .array(interactions),
            "metadata": ["pactSpecification": ["version": "4.0"], "sparring": ["version": .string(sparringVersion)]],
        ]
    }

    /// Only what the client itself did and got whole, and what the contract has.
    private mutating func take(_ entry: JSON) {
        let kind = entry["kind"]?.string
        let isNotification = kind == JournalEntry.Kind.notification.rawValue
        guard let name = entry["operation"]?.string, name.hasPrefix(contract.vendor + "."), isNotification || entry["causedBy"] == nil,
            entry["answer"]?["received"] == nil
        else { return }
        let id = String(name.dropFirst(contract.vendor.count + 1))
        switch kind {
        case JournalEntry.Kind.exchange.rawValue:
            if let used = Used(entry, contract.operation(id), id: id) { takeExchange(entry, used) }
        case JournalEntry.Kind.message.rawValue:
            guard let operation = contract.operation(id) else { return }
            takeMessage(entry, operation)
        case JournalEntry.Kind.notification.rawValue:
            guard let answer = RecordedHalf(entry["answer"]), isNew([id], answer) else { return }
            add("Asynchronous/Messages", "\(id) is sent", operation: id, message(answer))
        default: return
        }
    }

    /// A call and its answer, as far as they are declared.
    private struct Used {
        let id: String
        /// The name of the answer.
        let name: String
        let status: Int
        let isUnhappy: Bool
        /// Headers of the request and of the answer.
        var wanted = ["Content-Type"]
        var promised = ["Content-Type"]

        /// - Parameter operation: the contract's; a stub of the sandbox has none.
        init?(_ entry: JSON, _ operation: ContractOperation?, id: String) {
            guard let name = entry["answer"]?["name"]?.string else { return nil }
            (self.id, self.name) = (id, name)
            if let operation, let declared = operation.answer(name) {
                // The messages of a socket speak for its opening, which no verifier of calls can play.
                guard let status = declared.status, status != 101 else { return nil }
                (self.status, isUnhappy) = (status, declared.isUnhappy)
                wanted = operation.parameters.filter { $0.location == .header }.map(\.name) + wanted
                promised = declared.headers.map(\.name) + promised
            } else {
                guard entry["causeCode"]?.string == Cause.stub, let status = entry["answer"]?["status"]?.integer(in: 200...599) else {
                    return nil
                }
                (self.status, isUnhappy) = (status, status >= 400)
            }
        }
    }

    private mutating func takeExchange(_ entry: JSON, _ used: Used) {
        guard let request = RecordedHalf(entry["request"]), let answer = RecordedHalf(entry["answer"]),
            isNew([used.id, used.name] + request.query.map(\.name).sorted(), request)
        else { return }
        add(
            "Synchronous/HTTP", "\(used.id) answered \(used.name)", isUnhappy: used.isUnhappy,
            [
                "request": .members([
                    "method": request.json["method"], "path": .string(request.path), "query": Self.query(request),
                    "headers": Self.headers(request, used.wanted), "body": body(request),
                    "matchingRules": Self.rules("body", headers: used.wanted),
                ]),
                "response": .members([
                    "status": .integer(Int64(used.status)), "headers": Self.headers(answer, used.promised), "body": body(answer),
                    "matchingRules": Self.rules("body", headers: used.promised),
                ]),
            ])
    }

    private mutating func takeMessage(_ entry: JSON, _ operation: ContractOperation) {
        guard let request = RecordedHalf(entry["request"]) else { return }
        guard let answer = RecordedHalf(entry["answer"]), let name = answer.json["name"]?.string, let declared = operation.answer(name)
        else {
            // A fault or a held message answers nothing where something belongs.
            guard operation.answers.isEmpty, isNew([operation.id], request) else { return }
            return add("Asynchronous/Messages", "\(operation.id) is received", operation: operation.id, message(request))
        }
        guard isNew([operation.id, name], request) else { return }
        add(
            "Synchronous/Messages", "\(operation.id) answered \(name)", operation: operation.id, isUnhappy: declared.isUnhappy,
            ["request": .object(message(request)), "response": [.object(message(answer))]])
    }

    /// Whether no interaction has this key and a body with these members.
    private mutating func isNew(_ key: [String], _ half: RecordedHalf) -> Bool {
        seen.insert(key + [half.essence] + (half.value.map { Self.members(of: $0) } ?? [])).inserted
    }

    private static func members(of json: JSON, at pointer: String = "") -> [String] {
        switch json {
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { [pointer + "/" + $0.key] + Self.members(of: $0.value, at: pointer + "/" + $0.key) }
        case .array(let elements): Array(Set(elements.flatMap { Self.members(of: $0, at: pointer + "/*") })).sorted()
        default: []
        }
    }

    private mutating func add(
        _ type: String, _ description: String, operation: String? = nil, isUnhappy: Bool = false, _ parts: JSON.Object
    ) {
        let times = (told[description] ?? 0) + 1
        told[description] = times
        let unique = times == 1 ? description : "\(description) (\(times))"
        var interaction: JSON = .members([
            "type": .string(type), "description": .string(unique), "key": .string(unique), "pending": false,
            "providerStates": isUnhappy ? [["name": .string("Sparring has a reason for \(description)")]] : nil,
            "comments": operation.map { ["references": ["AsyncAPI": ["operationId": .string($0)]]] },
        ])
        for (name, part) in parts { interaction[name] = part }
        interactions.append(interaction)
    }

    private func message(_ half: RecordedHalf) -> JSON.Object {
        ["contents": contents(half), "matchingRules": Self.rules("content")]
    }

    private func contents(_ half: RecordedHalf) -> JSON {
        if let value = half.value { return ["contentType": "application/json", "encoded": false, "content": value] }
        return body(half) ?? ["contentType": "text/plain", "encoded": false, "content": .string("")]
    }

    private func body(_ half: RecordedHalf) -> JSON? {
        guard half.size > 0, half.isWhole else { return nil }
        let type = JSON.string(half.mediaType ?? (half.value == nil ? "text/plain" : "application/json"))
        if half.essence.hasSuffix("json") || half.essence.isEmpty, let value = half.value {
            return ["contentType": type, "encoded": false, "content": value]
        }
        if let text = half.text { return ["contentType": type, "encoded": false, "content": .string(text)] }
        return half.base64.map { ["contentType": type, "encoded": "base64", "content": .string($0)] }
    }

    private static func query(_ request: RecordedHalf) -> JSON? {
        var values = JSON.Object()
        for (name, value) in request.query { values[name] = .array((values[name]?.array ?? []) + [.string(value)]) }
        return values.isEmpty ? nil : .object(values)
    }

    /// Headers that the contract does not know are the client's own affair.
    private static func headers(_ half: RecordedHalf, _ wanted: [String]) -> JSON? {
        var values = JSON.Object()
        for name in wanted { if let value = half.header(name) { values[name] = [.string(value)] } }
        return values.isEmpty ? nil : .object(values)
    }

    /// Types count, not values. A content type is a value.
    private static func rules(_ part: String, headers: [String] = []) -> JSON {
        let byType: JSON = ["combine": "AND", "matchers": [["match": "type"]]]
        var ofHeaders = JSON.Object()
        for name in headers where name != "Content-Type" { ofHeaders[name] = byType }
        return .members([part: ["$": byType], "header": ofHeaders.isEmpty ? nil : .object(ofHeaders)])
    }
}
