import SparringHTTP
public import SparringJSON
import SparringJournal
import SparringSandbox

/// An incident that can be replayed: a sandbox with its faults, what happens in it later, and what is expected of a client.
public final class Scenario: Sendable {
    /// Something that happens later, by an operation of the admin API.
    struct Step: Sendable {
        /// Sandbox time after the making or the reset of the sandbox.
        var at: Duration
        /// An operationId of `contracts/admin.openapi.yaml`, or `vendor.operationId` of a vendor's `*.admin.openapi.yaml`.
        var operation: String
        /// Its path's parameters but for the sandbox, and the members of its body.
        var arguments: JSON.Object
    }

    /// Something that a test does while the scenario is played.
    public enum Need: String, CaseIterable, Sendable {
        /// It plays the agent.
        case agent
        /// It advances the sandbox's clock.
        case clock

        /// The need as the end of a sentence, with the command that meets it.
        package var words: String {
            switch self {
            case .agent: "an agent, whom the test plays: `sparring agent --help`"
            case .clock: "a clock that the test advances: `sparring clock advance --help`"
            }
        }
    }

    /// The behaviour of a good client, by the rule that checks it.
    public struct Expectation: Sendable {
        public var rule: String
        public var because: String
        /// The flows, such as `code`, of the clients that it is expected of; empty: all.
        public var flows: [String]
        /// The platforms, such as `ios`, of the clients that it is expected of; empty: all.
        public var platforms: [String]
        /// Whether it comes about is drawn from the seed: where it does not, nothing is missed.
        public var isDrawn = false
    }

    /// Small letters, digits and hyphens.
    public let name: String
    public let title: String
    /// The events in production, and a good client's reaction to them.
    public let about: String
    /// The source that it comes from.
    public let source: String?
    /// The port with a TLS defect on which a client is to meet the server; nil: the sound ones.
    public let tls: String?
    /// The test's part in it, besides running the client.
    public let needs: [Need]
    /// Without a name.
    let sandbox: World.SandboxRequest
    /// In order of time.
    let timeline: [Step]
    public let expectations: [Expectation]
    /// The scenario as it was written.
    public let json: JSON

    /// How much there is of each part, in words.
    public var extent: String {
        func count(_ count: Int, _ one: String) -> String { "\(count) \(one)\(count == 1 ? "" : "s")" }
        let span = timeline.last.map { " over \($0.at.words)" } ?? ""
        return [
            count(sandbox.faults.count, "fault"), count(timeline.count, "step") + span, count(expectations.count, "expectation"),
        ].joined(separator: ", ")
    }

    /// Reads its form; whether the world can do what it says is ``ScenarioCheck``'s affair.
    ///
    /// - Throws: ``ConfigurationError`` with the member's place in `json`.
    package init(_ json: JSON) throws(ConfigurationError) {
        let whole = try Declaration(
            json, at: .root, known: ["$schema", "scenario", "title", "about", "source", "tls", "needs", "sandbox", "timeline", "expect"])
        self.json = json
        name = try whole.text("scenario")
        guard name.isName(atMost: 100) else {
            throw whole.error("scenario", "'\(name)' is not a name of up to 100 lower-case letters, digits and hyphens")
        }
        title = try whole.text("title")
        about = try whole.text("about")
        source = try whole.optionalText("source")
        tls = try Self.tls(whole)
        needs = try Self.needs(whole)
        sandbox = try World.SandboxRequest(
            Declaration(json["sandbox"] ?? [:], at: JSONPointer(tokens: ["sandbox"]), known: World.SandboxRequest.members))
        timeline = try Self.timeline(whole)
        expectations = try Self.expectations(whole)
    }

    private static func tls(_ whole: Declaration) throws(ConfigurationError) -> String? {
        guard let name = try whole.optionalText("tls") else { return nil }
        guard TLSPort.defects.contains(name) else {
            throw whole.error("tls", "'\(name)' is not a TLS defect; there are \(TLSPort.defects.joined(separator: ", "))")
        }
        return name
    }

    private static func needs(_ whole: Declaration) throws(ConfigurationError) -> [Need] {
        var needs: [Need] = []
        for (index, name) in try whole.texts("needs").enumerated() {
            guard let need = Need(rawValue: name) else {
                let known = Need.allCases.map { "'\($0.rawValue)'" }.joined(separator: " and ")
                throw ConfigurationError(["needs", String(index)], "a scenario cannot need '\(name)', only \(known)")
            }
            needs.append(need)
        }
        return needs
    }

    private static func timeline(_ whole: Declaration) throws(ConfigurationError) -> [Step] {
        var timeline: [Step] = []
        for (index, value) in try whole.list("timeline").enumerated() {
            let step = try Declaration(value, at: JSONPointer(tokens: ["timeline", String(index)]), known: ["at", "do", "with"])
            // A number is a length of time whose unit is missing.
            let text = if let number = value["at"]?.integer { String(number) } else { try step.text("at", as: "a duration such as 30s") }
            let at = try step.duration(text, in: "at")
            if let last = timeline.last?.at, at < last {
                throw step.error("at", "'\(text)' is before the step above it, which is at \(last.shortText)")
            }
            let operation = try step.text("do", as: "an operation such as armFault")
            let arguments = value["with"] ?? [:]
            guard let arguments = arguments.object else { throw step.error("with", "'with' must be a mapping") }
            timeline.append(Step(at: at, operation: operation, arguments: arguments))
        }
        return timeline
    }

    private static func expectations(_ whole: Declaration) throws(ConfigurationError) -> [Expectation] {
        var expectations: [Expectation] = []
        for (index, value) in try whole.list("expect").enumerated() {
            let expected = try Declaration(
                value, at: JSONPointer(tokens: ["expect", String(index)]), known: ["rule", "because", "flow", "platform", "drawn"])
            let rule = try expected.text("rule", as: "the name of a rule")
            let words = rule.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.allSatisfy({ $0.isName(atMost: 100) }) else {
                throw expected.error("rule", "'\(rule)' is neither a name of lower-case letters, digits and hyphens nor vendor.name")
            }
            guard !expectations.contains(where: { $0.rule == rule }) else { throw expected.error("rule", "'\(rule)' is expected twice") }
            expectations.append(
                Expectation(
                    rule: rule, because: try expected.text("because"), flows: try expected.texts("flow"),
                    platforms: try expected.texts("platform"),
                    isDrawn: value["drawn"]?.bool ?? false))
        }
        return expectations
    }
}
