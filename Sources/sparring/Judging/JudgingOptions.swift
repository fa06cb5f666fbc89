import ArgumentParser
import Foundation
import SparringJSON
import SparringVerdict

/// The rules that are judged, and the clock that they are judged by.
struct JudgingOptions: ParsableArguments {
    @Option(name: .customLong("rule"), help: "A rule by its name; may be given several times. Default: all.", completion: KnownNames.rules)
    var rules: [String] = []
    @Option(
        name: .customLong("behaviour"),
        help: ArgumentHelp("A vendor whose rules to judge; may be given several times. Default: all.", valueName: "vendor"),
        completion: KnownNames.vendors)
    var behaviours: [String] = []
    @Option(
        help: "The client's platform (values: ios, android, web, server). Default: detected from its calls.",
        completion: .list(["ios", "android", "web", "server"]))
    var platform: String?
    @Option(
        help: "How the client signs in (values: code, implicit). Default: detected from its calls.",
        completion: .list(["code", "implicit"]))
    var flow: String?
    @Option(
        name: .customLong("policy"),
        help: ArgumentHelp(
            "A value that the vendor leaves to the app, such as retries=3 or retry-schedule=2s,4s,8s; may be given several times.",
            valueName: "name=value"))
    var policies: [String] = []
    @Option(
        help: """
            The contract violations that fail the run (values: verified, inferred, assumed, all, warn, off). 'verified': missing and \
            mistyped members, and misspelt calls and messages, of verified operations; 'inferred' and 'assumed': the same for inferred \
            and assumed operations too, such as LivePerson's login and pusher; 'all': all violations, and calls that are in no contract.
            """, completion: .list(ContractFindings.Gate.allCases.map(\.rawValue)))
    var contract = ContractFindings.Gate.verified.rawValue
    @Option(
        help: ArgumentHelp(
            "Known contract violations and broken rules, as --write-known writes them; they do not fail the run.", valueName: "file"),
        completion: .file())
    var known: String?
    @Flag(help: "Do not exit with 2 if no rule was exercised, for example because the client made no call.") var allowUnexercised = false
    @Flag(help: "Report how much of the contracts the client covered.") var coverage = false
    @Option(
        name: .customLong("minimum"),
        help: ArgumentHelp(
            """
            Exit with 1 if the client covered less of the contracts, such as operations=80%; may be given several times (values: \
            operations, answers, refusals, messages, members, rules).
            """, valueName: "what=percent"))
    var minimumTexts: [String] = []
    @Option(
        help: "The clock that delays are measured on (values: wall, sandbox). 'sandbox' is for clients whose timers sleep on clock/wait.",
        completion: .list(["wall", "sandbox"]))
    var timeBasis = "wall"
    @Option(help: "The length of a schedule's second in this run: 0.1 for clients whose timers run at a tenth of their normal length.")
    var timeScale = 1.0
    @Option(
        help: ArgumentHelp(
            "Deviations below this are ignored. Default: 25 ms times the scale, at least 5 ms.", valueName: "duration"))
    var jitterFloor: String?

    /// The options as the admin API takes them.
    ///
    /// - Throws: ``CommandFailure`` where the file of known violations cannot be read.
    func form() throws -> JSON {
        .members([
            "rules": rules.isEmpty ? nil : .array(rules.map { .string($0) }),
            "behaviours": behaviours.isEmpty ? nil : .array(behaviours.map { .string($0) }), "platform": platform.map { .string($0) },
            "flow": flow.map { .string($0) }, "contract": .string(contract),
            "policies": policies.isEmpty ? nil : .object(policyMembers),
            "coverage": coverage || !minimumTexts.isEmpty ? true : nil, "known": try known.map(Self.baseline),
            "timeBasis": .string(timeBasis), "timeScale": .number(timeScale),
            "jitterFloor": jitterFloor.map { .string($0) },
        ])
    }

    static func baseline(_ file: String) throws -> JSON {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure(text: "\(file): cannot be read", status: 66)
        }
        do {
            let json = try JSON(parsing: Array(data))
            return try FindingBaseline(json: json).json["findings"] ?? []
        } catch {
            throw CommandFailure(text: "\(file): \(error)", status: 65)
        }
    }

    private var policyMembers: JSON.Object {
        policies.reduce(into: [:]) { members, text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            members[parts[0]] = .string(parts.count > 1 ? parts[1] : "")
        }
    }

    /// - Throws: where one is no share of anything.
    func minimums() throws -> [(axis: Coverage.Axis, part: Double)] { try Self.minimums(minimumTexts) }

    static func minimums(_ texts: [String]) throws -> [(axis: Coverage.Axis, part: Double)] {
        try texts.map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard let axis = Coverage.Axis(rawValue: parts.first ?? "") else {
                let known = Coverage.Axis.allCases.map(\.rawValue)
                throw ValidationError("--minimum: '\(text)' does not name one of \(known.joined(separator: ", ")).")
            }
            guard parts.count == 2, parts[1].hasSuffix("%"), let number = Double(parts[1].dropLast()) else {
                throw ValidationError("--minimum: '\(text)' has no percentage, such as \(axis.rawValue)=80%.")
            }
            guard let percent = parts[1].dropLast().description.integer(in: 0...100) else {
                let reason = (0...100).contains(number) ? "a whole number of percent" : "from 0% to 100%"
                throw ValidationError("--minimum: \(parts[1]) is not \(reason).")
            }
            return (axis, Double(percent) / 100)
        }
    }

    func validate() throws {
        _ = try minimums()
        try Self.requireGate(contract)
        for text in policies where !text.contains("=") || text.hasPrefix("=") || text.hasSuffix("=") {
            throw ValidationError("--policy: '\(text)' is not name=value, such as retries=3.")
        }
    }

    /// - Throws: where no gate on the contract has the name.
    static func requireGate(_ contract: String) throws {
        let gates = ContractFindings.Gate.allCases.map(\.rawValue)
        guard gates.contains(contract) else {
            let hint = contract == "fail" ? " 'fail' is called 'verified' now." : ""
            throw ValidationError("--contract: '\(contract)' is not one of \(Nearest.choice(of: gates)).\(hint)")
        }
    }

    func means(_ rule: Rule) -> Bool {
        (rules.isEmpty || rules.contains(rule.name) || rules.contains(rule.qualifiedName))
            && (behaviours.isEmpty || behaviours.contains(rule.vendor))
    }

    // MARK: Refusals

    /// Options whose values the rules know, by the members that they set.
    private static let options: [String: String] = ["platform": "--platform", "flow": "--flow"]

    /// A request for verdicts that this process has refused, with the option in front that is wrong.
    static func failure(_ error: ConfigurationError) -> CommandFailure {
        let option = error.pointer.tokens.first.flatMap { options[$0] }.map { "\($0): " } ?? ""
        return CommandFailure(text: option + error.message, status: 64)
    }

    /// A request for verdicts that a server has refused, with the option in front that is wrong.
    static func failure(_ refusal: CommandFailure) -> CommandFailure {
        guard let violations = refusal.json?["violations"]?.array, violations.count == 1,
            let member = violations[0]["pointer"]?.string.flatMap({ JSONPointer($0) })?.tokens.first, let option = options[member]
        else { return refusal }
        var refusal = refusal
        refusal.text = "\(option): \(refusal.text)"
        return refusal
    }
}
