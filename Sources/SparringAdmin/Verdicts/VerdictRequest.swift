package import SparringJSON
import SparringJournal
package import SparringVerdict

/// The subject of a judgement, and its settings.
package struct VerdictRequest: Sendable {
    /// Names, as ``RuleNames`` has them; empty: all of the vendors'.
    package var rules: [String] = []
    /// Names of vendors; empty: all.
    package var behaviours: [String] = []
    /// The client's: `ios`, `android` …; nil: the one that its calls show.
    package var platform: String?
    /// How it signs in: `code`, `implicit`; nil: as it shows.
    package var flow: String?
    /// Values of policies, in the place of the sandbox's and of the document's.
    package var policies: JSON.Object = [:]
    /// The effect of a broken contract on the verdict.
    package var contract = ContractFindings.Gate.verified
    /// Violations that are known, and fail nothing.
    package var known = FindingBaseline()
    package var timing = Timing()
    /// In which the report is wanted besides its JSON.
    package var formats: [ReportFormat] = []
    /// The JSON has all that a page draws: ``VerdictReport/wholeJSON``.
    package var isWhole = false
    /// How much of the contracts was met is wanted.
    package var measuresCoverage = false
    /// The client's process has ended: time need not pass to show that it does nothing more.
    package var hasEnded = false
    /// JUnit and the page have every rule, not only those that were exercised or asked for.
    package var showsAllRules = false

    /// The report includes requests and answers.
    var showsExchanges: Bool { isWhole || formats.contains(.html) }

    static let members = [
        "rules", "behaviours", "platform", "flow", "policies", "contract", "known", "timeBasis", "timeScale", "jitterFloor", "settle",
        "clientHasEnded", "formats", "whole", "allRules", "coverage",
    ]

    package init() {}

    /// - Throws: ``ConfigurationError`` with the member's pointer.
    package init(_ json: JSON) throws(ConfigurationError) {
        let declaration = try Declaration(json, at: .root, known: Self.members)
        rules = try declaration.texts("rules")
        behaviours = try declaration.texts("behaviours")
        platform = try declaration.optionalText("platform")
        flow = try declaration.optionalText("flow")
        policies = json["policies"]?.object ?? [:]
        contract =
            try declaration.word("contract", among: ContractFindings.Gate.allCases.map(\.rawValue)).flatMap {
                ContractFindings.Gate(rawValue: $0)
            }
            ?? .verified
        if let findings = json["known"] { known = try FindingBaseline(findings: findings, at: JSONPointer(tokens: ["known"])) }
        let basis = try declaration.word("timeBasis", among: TimeBasis.allCases.map(\.rawValue)).flatMap { TimeBasis(rawValue: $0) }
        let scale = json["timeScale"].map { $0.double ?? 0 } ?? 1
        guard scale > 0, scale <= 1000 else { throw declaration.error("timeScale", "'timeScale' must be a number above 0 and up to 1000") }
        var floor: Double?
        if let text = try declaration.optionalText("jitterFloor") {
            guard let duration = Duration(text: text), duration > .zero else {
                throw declaration.error("jitterFloor", "'\(text)' is not a duration such as 25ms")
            }
            floor = Double(duration.milliseconds) / 1000
        }
        for text in try declaration.texts("formats") {
            guard let format = ReportFormat(rawValue: text) else {
                let known = ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw declaration.error("formats", "'\(text)' is not a format; there are \(known)")
            }
            formats.append(format)
        }
        timing = Timing(basis: basis ?? .wall, scale: scale, floor: floor)
        isWhole = json["whole"] == true
        hasEnded = json["clientHasEnded"] == true
        showsAllRules = json["allRules"] == true
        measuresCoverage = json["coverage"] == true
    }

    /// The request as it applies to one sandbox.
    struct Plan {
        let rules: [Judging.Wanted]
        let behaviours: Behaviours
        let request: VerdictRequest

        func judging(_ run: Judging.Run) -> Judging {
            Judging(
                run, rules, behaviours, request.timing, client: Judging.Client(platform: request.platform, flow: request.flow),
                contract: ContractFindings(gate: request.contract, known: request.known), measuresCoverage: request.measuresCoverage)
        }
    }

    /// - Parameter sandbox: what it was made with: its scenario, its policies.
    /// - Throws: ``ConfigurationError`` for a name that is not known.
    func plan(_ all: Behaviours, sandbox: JSON) throws(ConfigurationError) -> Plan {
        for (member, said, known) in [("platform", platform, all.platforms), ("flow", flow, all.flows)] {
            guard let said, !known.contains(said) else { continue }
            let hint = Nearest.hint(for: said, in: known)
            throw ConfigurationError(
                JSONPointer(tokens: [member]), "'\(said)' is not a \(member); there are \(known.joined(separator: ", "))\(hint)")
        }
        let values = JSON.object(sandbox["policies"]?.object ?? [:]).merging(.object(policies)).object ?? [:]
        let behaviours = try all.with(policies: values, at: JSONPointer(tokens: ["policies"]))
        let expected = sandbox["scenario"].flatMap { try? Scenario($0) }?.expectations ?? []
        return Plan(rules: try rules(of: behaviours, expected: expected), behaviours: behaviours, request: self)
    }

    /// The rules that it means, each with the reason why the scenario expects it.
    private func rules(of all: Behaviours, expected: [Scenario.Expectation]) throws(ConfigurationError) -> [Judging.Wanted] {
        let names = RuleNames(all.rules)
        var wanted: Set<String> = []
        for (index, name) in rules.enumerated() {
            do throws(RuleNames.Refused) { wanted.insert(try names.rule(name).qualifiedName) } catch {
                throw ConfigurationError(JSONPointer(tokens: ["rules", String(index)]), error.words)
            }
        }
        let vendors = all.files.map(\.vendor)
        for (index, vendor) in behaviours.enumerated() where !vendors.contains(vendor) {
            throw ConfigurationError(
                JSONPointer(tokens: ["behaviours", String(index)]),
                "'\(vendor)' has no behaviour file; there are \(vendors.joined(separator: ", "))"
                    + Nearest.hint(for: vendor, in: vendors))
        }
        return all.rules.filter { rule in
            (wanted.isEmpty || wanted.contains(rule.qualifiedName)) && (behaviours.isEmpty || behaviours.contains(rule.vendor))
        }.map { rule in
            let expectation = expected.first { $0.rule == rule.qualifiedName || $0.rule == rule.name }
            return Judging.Wanted(
                rule, because: expectation?.because, flows: expectation?.flows ?? [], platforms: expectation?.platforms ?? [],
                isDrawn: expectation?.isDrawn ?? false,
                isNamed: wanted.contains(rule.qualifiedName))
        }
    }
}
