import SparringContract
import SparringJSON
import SparringJournal

/// Follows a run and counts what of the contracts is met.
struct CoverageMeter {
    private struct Met {
        var calls = 0
        var answers: [String: Int] = [:]
        var members: Set<String> = []
        /// Nobody's code answered, but an example.
        var isStub = false
    }

    private var met: [String: Met] = [:]
    private var extra: [String: Int] = [:]
    private var effects: Set<String> = []
    private var closeCodes: Set<Int> = []
    private var vendors: Set<String> = []
    private var varied: [String: Set<String>] = [:]

    mutating func take(_ event: Event) {
        switch event.kind {
        case .call, .vendorCall:
            met[event.operation, default: Met()].calls += 1
            if let name = event.outcome?.name { met[event.operation, default: Met()].answers[name, default: 0] += 1 }
            if event.causeCode == Cause.stub { met[event.operation]?.isStub = true }
            if event.kind == .call { vendors.insert(String(event.operation.prefix { $0 != "." })) }
            if let body = event.record.object("request")?.string("body"), body.utf8.first == UInt8(ascii: "{") {
                if let json = try? JSON(parsing: Array(body.utf8)) {
                    met[event.operation, default: Met()].members.formUnion(Self.members(of: json))
                }
            }
        case .notification: met[event.operation, default: Met()].calls += 1
        case .socketEnd: if let code = event.closeCode { closeCodes.insert(code) }
        default: break
        }
        for family in JournalEntry.Variation.families(of: event.record.json("varied")) {
            varied[family, default: []].insert(event.operation)
        }
        if event.isStruck { effects.formUnion(event.effects) }
        guard event.hasFindings else { return }
        for finding in event.findings where [Finding.unplaced, Finding.misspelt, Cause.misunderstood].contains(finding.code) {
            extra[finding.member ?? finding.place ?? finding.words, default: 0] += 1
        }
    }

    private static func members(of json: JSON, at pointer: String = "") -> [String] {
        switch json {
        case .object(let members):
            members.flatMap { name, value in
                let place = pointer + JSONPointer(tokens: [name]).description
                return [place] + Self.members(of: value, at: place)
            }
        case .array(let elements): elements.flatMap { members(of: $0, at: pointer + "/*") }
        default: []
        }
    }

    /// - Parameter verdicts: of the same run.
    func coverage(of surface: ContractSurface, _ verdicts: [Verdict]) -> Coverage {
        var coverage = Coverage()
        for operation in surface.operations where vendors.contains(operation.vendor) {
            let met = met[operation.name] ?? Met()
            var row = Coverage.Row(name: operation.name, isStub: operation.isStub, calls: met.calls)
            row.answers = operation.answers.map { Coverage.Answer(name: $0.name, isHappy: $0.isHappy, count: met.answers[$0.name] ?? 0) }
            row.members = operation.optionalMembers.map { ($0, met.members.contains($0)) }
            coverage.rows.append(row)
        }
        for notification in surface.notifications where vendors.contains(notification.vendor) {
            coverage.rows.append(
                Coverage.Row(name: notification.name, isNotification: true, calls: met[notification.name]?.calls ?? 0))
        }
        // Beside the contracts: what the sandbox itself has answered.
        let known = Set(surface.operations.map(\.name))
        for (name, met) in met.sorted(by: { $0.key < $1.key }) where met.isStub && !known.contains(name) {
            var row = Coverage.Row(name: name, isStub: true, calls: met.calls)
            row.answers = met.answers.sorted { $0.key < $1.key }.map { Coverage.Answer(name: $0.key, isHappy: true, count: $0.value) }
            coverage.rows.append(row)
        }
        coverage.rules = verdicts.filter { vendors.contains($0.rule.vendor) }.map { verdict in
            (verdict.rule.qualifiedName, [.pass, .fail, .advice].contains(verdict.result))
        }
        coverage.extra = extra.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        coverage.effects = effects.sorted()
        coverage.closeCodes = closeCodes.sorted()
        coverage.varied = varied
        return coverage
    }
}
