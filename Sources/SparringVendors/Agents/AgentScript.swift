import SparringEngine
import SparringJSON
import SparringJournal
import SparringPattern

/// What sets a step of a script off.
enum ScriptEvent: String, CaseIterable, Sendable {
    /// A conversation that the agent may take was opened, or handed over to them.
    case opened
    /// The consumer said something, whatever it is.
    case content
    /// The consumer said a text.
    case text
    /// The conversation was closed.
    case closed
}

/// An act that scripts may have, as a vendor knows it.
protocol ScriptedAct: Sendable {
    /// The script `echo`: joins, reads everything, and answers each text with the same text.
    static var echo: JSON { get }
    /// As it was asked for, checked.
    var json: JSON { get set }

    init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError)

    /// Has an act that concerns messages concern the one that set it off, unless it says which it concerns.
    ///
    /// - Parameter sequence: its number in the conversation.
    mutating func concern(_ sequence: Int)
}

/// What an agent does unprompted: the member `script` of one of an account's agents. Either `echo`, or a list of steps:
///
/// ```yaml
/// script:
///   - { on: opened, do: { act: join } }
///   - { on: text, matching: "(?i)parcel", after: 1s, do: { act: typing } }
///   - { after: 2s, do: { act: say, text: It is on its way. } }
/// ```
struct AgentScript<Act: ScriptedAct>: Decodable, Sendable {
    struct Step: Sendable {
        /// Counted from 1, as people count.
        var number: Int
        var event: ScriptEvent
        /// What must be found somewhere in the text, as far as ``AgentScript/soughtLength`` goes; nil: any text.
        var matching: Pattern?
        /// Since the step before it that the same event sets off, else since the event.
        var delay: Duration
        var act: Act
    }

    let steps: [Step]

    static var member: String { "script" }
    /// What stands in a text for what the consumer said.
    static var placeholder: String { "{{text}}" }
    /// A text is cut to as many Unicode scalars before expressions are sought in it: the other sandboxes wait meanwhile.
    static var soughtLength: Int { 1 << 14 }

    init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        if let name = json.string, name != "echo" { throw ConfigurationError(pointer, "there is no script '\(name)', only 'echo'") }
        let list = json.string == nil ? json : Act.echo
        guard let list = list.array else {
            throw ConfigurationError(pointer, "a script is 'echo' or a list of steps, not \(json.typeName)")
        }
        var steps: [Step] = []
        for (index, step) in list.enumerated() {
            steps.append(try Self.step(step, at: pointer.appending(index), number: index + 1, after: steps.last))
        }
        self.steps = steps
    }

    init(from decoder: any Decoder) throws {
        try self.init(JSON(from: decoder), at: JSONPointer(tokens: decoder.codingPath.map(\.stringValue)))
    }

    private static func step(
        _ json: JSON, at pointer: JSONPointer, number: Int, after last: Step?
    ) throws(ConfigurationError) -> Step {
        let members = try Members(json, at: pointer, known: ["on", "matching", "after", "do"])
        let own = try members.word("on", ScriptEvent.self)
        var matching = try pattern(members)
        guard let event = own ?? last?.event else { throw members.error("on", "the first step needs it: what sets it off") }
        if matching != nil, event != .text { throw members.error("matching", "only what the consumer said as a text can match") }
        // Without an event of its own a step goes on where the one before it was.
        if own == nil, matching == nil { matching = last?.matching }
        guard let what = members.object["do"], !what.isNull else { throw members.error("do", "what is done is missing") }
        let act = try Act(what, at: pointer.appending("do"))
        if event != .text, act.json["text"]?.string?.contains(placeholder) == true {
            throw ConfigurationError(
                pointer.appending("do").appending("text"), "\(placeholder) stands for a text, and only 'on: text' has one")
        }
        return Step(number: number, event: event, matching: matching, delay: try members.duration("after") ?? .zero, act: act)
    }

    private static func pattern(_ members: Members) throws(ConfigurationError) -> Pattern? {
        guard let text = try members.string("matching") else { return nil }
        do throws(PatternError) {
            return try Pattern(text, dialect: .script)
        } catch {
            throw members.error("matching", "'\(text)' is not a supported regular expression: \(error)")
        }
    }

    /// What something sets off, with how long after it each step is due.
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
