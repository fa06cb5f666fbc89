import SparringEngine
public import SparringJSON
import SparringJournal
public import SparringVerdict

/// What is to be judged, and how.
public struct VerdictRequest: Sendable {
    /// Names, as ``RuleNames`` has them; empty: all of the vendors'.
    public var rules: [String] = []
    /// Names of vendors; empty: all.
    public var behaviours: [String] = []
    /// `ios` or `android`; nil: whatever is for either.
    public var platform: String?
    public var timing = Timing()
    /// In which the report is wanted besides its JSON.
    public var formats: [ReportFormat] = []

    static let members = ["rules", "behaviours", "platform", "timeBasis", "timeScale", "jitterFloor", "settle", "formats"]

    public init() {}

    /// - Throws: ``ConfigurationError`` with the member's pointer.
    public init(_ json: JSON) throws(ConfigurationError) {
        let declaration = try Declaration(json, at: .root, known: Self.members)
        rules = try declaration.texts("rules")
        behaviours = try declaration.texts("behaviours")
        platform = try declaration.word("platform", among: ["ios", "android"])
        let basis = try declaration.word("timeBasis", among: TimeBasis.allCases.map(\.rawValue)).flatMap { TimeBasis(rawValue: $0) }
        let scale = json["timeScale"].map { $0.double ?? 0 } ?? 1
        guard scale > 0, scale <= 1000 else { throw declaration.error("timeScale", "'timeScale' is a number above 0 and up to 1000") }
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
                throw declaration.error("formats", "'\(text)' is no format; there are \(known)")
            }
            formats.append(format)
        }
        timing = Timing(basis: basis ?? .wall, scale: scale, floor: floor)
    }

    /// The rules that it means, each with the reason why the scenario expects it.
    ///
    /// - Throws: ``ConfigurationError`` for a name that is not known.
    func rules(of all: Behaviours, expected: [Scenario.Expectation]) throws(ConfigurationError) -> [(rule: Rule, because: String?)] {
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
                "'\(vendor)' has no behaviour file; there are \(vendors.joined(separator: ", "))")
        }
        return all.rules.filter { rule in
            (wanted.isEmpty || wanted.contains(rule.qualifiedName)) && (behaviours.isEmpty || behaviours.contains(rule.vendor))
                && (platform.map { rule.platforms.isEmpty || rule.platforms.contains($0) } ?? true)
        }.map { rule in (rule, expected.first { $0.rule == rule.qualifiedName || $0.rule == rule.name }?.because) }
    }
}
