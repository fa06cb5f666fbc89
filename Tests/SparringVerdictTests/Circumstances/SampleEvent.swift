import SparringJSON
import SparringJournal

/// Something that happens in a run, from which the journal's entry is made.
struct SampleEvent: Sendable {
    enum Kind: String, Sendable {
        case call = "exchange"
        case vendorCall, notification
        case gaveUp = "hang-up"
        case socketEnd, frozen, mark, connection, other
    }

    var kind: Kind
    /// `vendor.operationId`, or the name of a mark or a connection.
    var name: String
    var lane = SampleEvent.somebody
    /// Seconds of the sandbox's clock since the run began, and how many it took.
    var time = 0.0, took = 0.1
    var process: Int64 = 1
    /// The answer; nil: there was none.
    var status: Int?
    var answer: String?, outcome: String?
    var isStruck = false
    var path = "/x"
    var query: [String: String] = [:], headers: [String: String] = [:]
    var body: JSON?, answerBody: JSON?
    var details: [String: String] = [:]
    var code: Int64?, socket: Int64?
    var by = "server"
    /// Seconds.
    var retryAfter: Int?
    var finding: String?, cause: String?, effect: String?

    static let somebody = "ada", somebodyElse = "bob"

    /// - Parameters:
    ///   - number: its place in the journal.
    ///   - isFrozen: whether the sandbox's clock stands.
    func record(_ number: Int, isFrozen: Bool) -> JSON {
        let start = 1_800_000_000_000.0
        func moment(_ seconds: Double) -> JSON {
            .string(Timestamp(milliseconds: Int64(start + (isFrozen ? 0 : seconds * 1000))).description)
        }
        let isCall = kind == .call || kind == .vendorCall
        let lasted = isCall ? took : 0
        var record: JSON = .members([
            "number": .integer(Int64(number)), "kind": .string(kindInTheJournal),
            "operation": kind == .mark || kind == .connection ? nil : .string(name),
            "lane": .string(lane), "ordinal": isCall || kind == .gaveUp ? .integer(Int64(number)) : nil,
            "causedBy": kind == .vendorCall ? ["operation": "liveperson.push", "lane": "x", "ordinal": 1] : nil,
            "sandboxTime": moment(time + lasted), "began": lasted > 0 ? moment(time) : nil,
            "arrival": [
                "wall": moment(time), "monotonic": .integer(Int64(time * 1e9)), "process": .integer(process),
                "answered": .integer(Int64((time + lasted) * 1e9)),
            ],
        ])
        if isCall {
            record["request"] = .members([
                "method": "POST", "target": .string(target), "headers": .object(headers.mapValues { .string($0) }.asObject),
                "body": body.map { .string($0.text) },
            ])
        }
        if isCall || kind == .notification {
            record["answer"] = .members([
                "name": answer.map { .string($0) }, "status": status.map { .integer(Int64($0)) },
                "outcome": status == nil ? nil : outcome.map { .string($0) },
                "headers": .members(["Retry-After": retryAfter.map { .string(String($0)) }]), "body": answerBody.map { .string($0.text) },
                "received": isCall && status == nil || effect == "lost" ? "nothing" : nil,
            ])
        }
        if isStruck { record["faults"] = [1] }
        if !allDetails.isEmpty { record["details"] = .object(allDetails) }
        if let finding { record["findings"] = [Finding(finding, "the client did it").json] }
        if let cause { record["causeCode"] = .string(cause) }
        if let effect, effect != "lost" { record["effects"] = [.string(effect)] }
        return record
    }

    private var kindInTheJournal: String {
        switch kind {
        case .socketEnd, .frozen: "socket"
        case .vendorCall: "exchange"
        case .other: "due"
        default: kind.rawValue
        }
    }

    private var target: String {
        query.isEmpty ? path : path + "?" + query.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "&")
    }

    private var allDetails: JSON.Object {
        var all = details.mapValues { JSON.string($0) }.asObject
        switch kind {
        case .mark: all["mark"] = .string(name)
        case .connection: all["connection"] = .string(name)
        case .socketEnd: all["by"] = .string(by)
        case .frozen: all["frozen"] = true
        default: break
        }
        if let code { all["code"] = .integer(code) }
        if let socket { all["socket"] = .integer(socket) }
        return all
    }
}

extension [String: JSON] {
    var asObject: JSON.Object {
        reduce(into: JSON.Object()) { $0[$1.key] = $1.value }
    }
}
