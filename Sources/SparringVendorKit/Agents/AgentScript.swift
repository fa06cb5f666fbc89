import SparringEngine
public import SparringJSON
import SparringJournal
import SparringPattern

/// An event that sets off a step of a script.
public enum ScriptEvent: String, Decodable, Sendable {
    /// A conversation that the agent may take was opened, or handed over to them.
    case opened
    /// The consumer said something, whatever it is.
    case content
    /// The consumer said a text.
    case text
    /// The conversation was closed.
    case closed
}

/// An agent's unprompted acts: the member `script` of one of an account's agents. Either `echo`, or a list of steps:
///
/// ```yaml
/// script:
///   - { on: opened, do: { act: join } }
///   - { on: text, matching: "(?i)parcel", after: 1s, do: { act: typing } }
///   - { after: 2s, do: { act: say, text: It is on its way. } }
/// ```
public struct AgentScript<Act: ActKind>: Decodable, Sendable {
    public struct Step: Sendable {
        /// Counted from 1, as people count.
        public var number: Int
        var event: ScriptEvent
        /// The pattern that must be found in the text, as far as ``AgentScript/soughtLength`` goes; nil: any text.
        var matching: Pattern?
        /// Since the step before it that the same event sets off, else since the event.
        var delay: Duration
        public var act: DeskAct<Act>
    }

    /// A step as it is configured, checked by its schema.
    private struct Written: Decodable {
        var on: ScriptEvent?
        var matching: String?
        var after: Duration?
        var `do`: JSON
    }

    public let steps: [Step]

    public static var member: String { "script" }
    /// The placeholder in an act's text for what the consumer said.
    static var placeholder: String { "{{text}}" }
    /// A text is cut to as many Unicode scalars before expressions are sought in it: the other sandboxes wait meanwhile.
    static var soughtLength: Int { 1 << 14 }

    public init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        var steps: [Step] = []
        for (index, step) in ((json.string == "echo" ? Act.echo : json).array ?? []).enumerated() {
            steps.append(try Self.step(try step.decoded(), at: pointer.appending(index), number: index + 1, after: steps.last))
        }
        self.steps = steps
    }

    public init(from decoder: any Decoder) throws {
        try self.init(JSON(from: decoder), at: JSONPointer(tokens: decoder.codingPath.map(\.stringValue)))
    }

    private static func step(_ step: Written, at pointer: JSONPointer, number: Int, after last: Step?) throws(ConfigurationError) -> Step {
        guard let event = step.on ?? last?.event else {
            throw ConfigurationError(pointer.appending("on"), "the first step needs it: what sets it off")
        }
        if step.matching != nil, event != .text {
            throw ConfigurationError(pointer.appending("matching"), "only what the consumer said as a text can match")
        }
        var matching = try step.matching.map { (text) throws(ConfigurationError) in try pattern(text, at: pointer.appending("matching")) }
        // Without an event of its own a step goes on where the one before it was.
        if step.on == nil, matching == nil { matching = last?.matching }
        let act = try DeskAct<Act>(step.do, at: pointer.appending("do"))
        if event != .text, act.json["text"]?.string?.contains(placeholder) == true {
            throw ConfigurationError(
                pointer.appending("do").appending("text"), "\(placeholder) stands for a text, and only 'on: text' has one")
        }
        return Step(number: number, event: event, matching: matching, delay: step.after ?? .zero, act: act)
    }

    private static func pattern(_ text: String, at pointer: JSONPointer) throws(ConfigurationError) -> Pattern {
        do throws(PatternError) {
            return try Pattern(text, dialect: .script)
        } catch {
            throw ConfigurationError(pointer, "'\(text)' is not a supported regular expression: \(error)")
        }
    }

    /// The steps that an event sets off, each with the time from the event until the step is due.
    ///
    /// - Parameters:
    ///   - text: what the consumer said where that was a text.
    ///   - sequence: the number of what the consumer said; what is accepted or read is that, unless the step says otherwise.
    func due(on events: Set<ScriptEvent>, text: String?, sequence: Int?) -> [(step: Step, delay: Duration)] {
        var delay = Duration.zero
        let sought = Self.cut(text ?? "")
        return steps.filter { events.contains($0.event) && $0.matching?.isFound(in: sought) ?? true }.map { step in
            var step = step
            delay += step.delay
            if let said = step.act.json["text"]?.string {
                step.act.json["text"] = .string(said.replacing(Self.placeholder, with: text ?? ""))
            }
            if let sequence { step.act.concern(sequence) }
            return (step, delay)
        }
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= soughtLength ? text : String(text.unicodeScalars.prefix(soughtLength))
    }
}
