import SparringContract
import SparringJSON
import SparringJournal
import Support

@testable import SparringVerdict

/// The events of a run, a line each: `SECONDS KIND WHAT LANE key=value …`.
///
/// ```
/// 0 call registerPush ada 503 unavailable
/// 1 call registerPush ada 201 push-registered
/// 5 end openConsumerSocket ada code=1006 by=server
/// 6 mark gave-up ada
/// 7 connection left ada
/// ```
/// `killed` is what a process says whose predecessor was killed, `doubtful=` for how many milliseconds before its newest entry.
///
/// A call's answer is `STATUS NAME`, `STATUS` alone where nobody of the vendor's answered, or `lost`; `lost NAME` was decided. `body=`, `path=`, `query=`,
/// `auth=`, `told=` (the answer's body) and `retry-after=` say more of it, `took=` how many seconds it took, `worked=` how many of them
/// after it was taken up, `process=` which process it was, `opening=` for how many seconds its connection had been open, `connection=`
/// which that was, `tls=` its version of TLS, `delayed=` for how many seconds the machine had kept processes waiting by then, `method=` the
/// request's, `wall=` how many seconds later it was by the machine's clock than by the sandbox's, `slow=` how many it took while the
/// sandbox's stood.
struct Story {
    let lines: [String]

    init(_ text: String) { lines = text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " }.description }.filter { !$0.isEmpty } }

    /// The records that the journal would have.
    var records: [JSON] { lines.enumerated().map { Self.record($0 + 1, $1) } }

    private static func record(_ number: Int, _ line: String) -> JSON {
        let words = line.split(separator: " ").map(String.init)
        let time = Double(words[0]) ?? 0
        let options = words.dropFirst(4).filter { $0.contains("=") }.reduce(into: [String: String]()) { options, word in
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            options[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        let plain = words.dropFirst(4).filter { !$0.contains("=") }
        let kind = words[1]
        let took = options["took"].flatMap { Double($0) } ?? 0
        let worked = options["worked"].flatMap { Double($0) } ?? 0
        let slow = options["slow"].flatMap { Double($0) } ?? 0
        let wall = time + (options["wall"].flatMap { Double($0) } ?? 0)
        let start = 1_800_000_000_000.0
        func moment(_ seconds: Double) -> JSON { .string(Timestamp(milliseconds: Int64(start + seconds * 1000)).description) }
        let isCall = kind == "call" || kind == "delivery"
        let busy = Int64((options["busy"].flatMap(Double.init) ?? 0) * 1e9)
        var record: JSON = .members([
            "number": .integer(Int64(number)), "kind": .string(Self.kinds[kind] ?? kind),
            "operation": kind == "mark" || kind == "connection" ? nil : .string((words[2].contains(".") ? "" : "liveperson.") + words[2]),
            "lane": .string(words[3]),
            "ordinal": isCall || kind == "gave-up" ? .integer(options["ordinal"].flatMap { Int64($0) } ?? Int64(number)) : nil,
            "causedBy": kind == "delivery" ? ["operation": "liveperson.push", "lane": "x", "ordinal": 1] : nil,
            "sandboxTime": moment(time + took), "began": took > 0 ? moment(time) : nil,
            "ended": worked > 0 ? moment(time + took + worked) : nil,
            "arrival": [
                "wall": moment(time), "monotonic": .integer(Int64(wall * 1e9)),
                "process": .integer(options["process"].flatMap { Int64($0) } ?? 1),
                "answered": .integer(Int64((wall + took + worked + slow) * 1e9)),
                "busy": .integer(busy), "delayed": .integer(Int64((options["delayed"].flatMap(Double.init) ?? 0) * 1e9)),
                "opening": .integer(Int64((options["opening"].flatMap(Double.init) ?? 0) * 1e9)),
            ],
        ])
        if isCall {
            record["request"] = .members([
                "method": .string(options["method"] ?? "POST"),
                "target": .string((options["path"] ?? "/x") + (options["query"].map { "?" + $0 } ?? "")),
                "headers": .members(["Authorization": options["auth"].map { .string($0) }]), "body": options["body"].map { .string($0) },
                "connection": options["connection"].flatMap { Int64($0) }.map { .integer($0) }, "tls": options["tls"].map { .string($0) },
            ])
            record["answer"] = answer(Array(plain), options, of: record["operation"]?.string ?? "")
            if options["struck"] != nil { record["faults"] = [1] }
        }
        if kind == "told" {
            record["answer"] = .members(["body": options["body"].map { .string($0) }, "received": plain.contains("lost") ? "nothing" : nil])
        }
        var details = JSON.Object()
        if kind == "mark" { details["mark"] = .string(words[2]) }
        if kind == "connection" { details["connection"] = .string(words[2]) }
        if kind == "end" { details["by"] = .string(options["by"] ?? "server") }
        if kind == "frozen" { details["frozen"] = true }
        if let code = options["code"].flatMap({ Int64($0) }) { details["code"] = .integer(code) }
        if let socket = options["socket"].flatMap({ Int64($0) }) { details["socket"] = .integer(socket) }
        for name in ["dialog", "sequence", "device", "value"] { if let value = options[name] { details[name] = .string(value) } }
        if kind == "killed" {
            details["killed"] = [
                "process": .integer((options["process"].flatMap { Int64($0) } ?? 1) - 1),
                "doubtful": .integer(options["doubtful"].flatMap { Int64($0) } ?? 1000),
            ]
            record["causeCode"] = .string(Cause.serverKilled)
        }
        if !details.isEmpty { record["details"] = .object(details) }
        if let finding = options["finding"] { record["findings"] = [Finding(finding, "the client did it").json] }
        if let cause = options["cause"] { record["causeCode"] = .string(cause) }
        if let effect = options["effect"] { record["effects"] = [.string(effect)] }
        return record
    }

    private static let kinds = [
        "call": "exchange", "delivery": "exchange", "gave-up": "hang-up", "told": "notification", "end": "socket", "frozen": "socket",
        "mark": "mark", "killed": "finding",
    ]

    private static func answer(_ words: [String], _ options: [String: String], of operation: String) -> JSON {
        let isLost = words.first == "lost"
        let headers = JSON.members(["Retry-After": options["retry-after"].map { .string($0) }])
        return .members([
            "name": words.count > 1 ? .string(words[1]) : nil,
            "status": isLost ? nil : words.first.flatMap { Int64($0) }.map { .integer($0) },
            "outcome": words.count > 1 ? Trial.outcome(words[1], of: operation).map { .string($0) } : nil,
            "headers": headers, "body": options["told"].map { .string($0) }, "delivery": options["delivery"].map { .string($0) },
            "received": isLost ? "nothing" : nil,
        ])
    }
}

/// A rule on trial.
struct Trial {
    private static let contracts = Result { try Contract.load(directory: Repository.folder("contracts")).filter { $0.vendor != "admin" } }

    /// Some of the effects that the engine has.
    private static let effects = ["STALL", "freeze"]

    /// The meaning of an answer, according to the shipped contracts.
    static func outcome(_ answer: String, of operation: String) -> String? {
        let declared = try? contracts.get().flatMap(\.operations).first { $0.qualifiedName == operation }?.answer(answer)
        return declared?.outcome.rawValue
    }

    /// The rule that a text declares, beside the shipped ones.
    ///
    /// - Parameter tries: the value of the policy 'tries'.
    static func rule(_ yaml: String, tries: String = "3") throws -> (Rule, Behaviours) {
        let contracts = try contracts.get()
        let shipped = try Behaviours(folder: Repository.folder("contracts"), contracts: contracts, effects: effects)
        let vocabulary = Vocabulary(contracts, effects: effects)
        let body = yaml.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n")
        let policies = "policies:\n  - { policy: tries, says: x, source: y, value: \(tries) }"
        let text = "behaviour: trial\n\(policies)\nrules:\n  - rule: trial\n    says: x\n    source: y\n\(body)\n"
        let file = try BehaviourFile(parsing: text, file: "trial.behaviour.yaml", vendor: "trial", vocabulary)
        return (file.rules[0], shipped)
    }

    /// The verdict on a shipped rule in a story that is watched to `end` seconds.
    ///
    /// - Parameter rate: of the sandbox's clock.
    static func judgeShipped(
        _ name: String, _ story: String, until end: Double, policies: JSON.Object = [:], platform: String? = nil, flow: String? = nil,
        timing: Timing = Timing(basis: .sandbox), rate: Double = 0
    ) throws -> Verdict {
        let shipped = try Behaviours(folder: Repository.folder("contracts"), contracts: try contracts.get(), effects: effects)
            .with(policies: policies, at: .root)
        let rule = try RuleNames(shipped.rules).rule(name)
        var judging = Judging(
            Judging.Run(sandbox: "s", seed: 1, scenario: nil, pruned: 0, rate: rate), [Judging.Wanted(rule)], shipped, timing,
            client: Judging.Client(platform: platform, flow: flow))
        for record in Story(story).records { judging.take(record.bytes) }
        return judging.finish(at: Instant(sandbox: Int64(1_800_000_000_000 + end * 1000), monotonic: Int64(end * 1e9), process: 1))
            .verdicts[0]
    }

    /// The verdict on a rule in a story that is watched to `end` seconds.
    static func judge(
        _ yaml: String, _ story: String, until end: Double, _ timing: Timing = Timing(basis: .sandbox), process: Int = 1, pruned: Int = 0
    ) throws -> Verdict {
        try report(yaml, story, until: end, timing, process: process, pruned: pruned).verdicts[0]
    }

    /// - Parameters:
    ///   - expected: a shipped rule that the scenario expects beside it.
    ///   - unrecorded: what could not be written.
    ///   - more: entries that follow the story's.
    static func report(
        _ yaml: String, _ story: String, until end: Double, _ timing: Timing = Timing(basis: .sandbox), process: Int = 1, pruned: Int = 0,
        expecting expected: String? = nil, unrecorded: (Int, String)? = nil, then more: [JSON] = []
    ) throws -> VerdictReport {
        let (rule, shipped) = try rule(yaml)
        let beside = try expected.map { Judging.Wanted(try RuleNames(shipped.rules).rule($0), because: "x") }
        var judging = Judging(
            Judging.Run(sandbox: "s", seed: 1, scenario: nil, pruned: pruned, unrecorded: unrecorded),
            [Judging.Wanted(rule, isNamed: expected != nil)] + [beside].compactMap(\.self),
            shipped,
            timing)
        for record in Story(story).records + more { judging.take(record.bytes) }
        let instant = Instant(sandbox: Int64(1_800_000_000_000 + end * 1000), monotonic: Int64(end * 1e9), process: process)
        return judging.finish(at: instant)
    }
}
