import SparringEngine
import SparringJSON
import SparringJournal

/// What an agent does of their own accord: the member `script` of one of an account's agents. Either `echo`, or a list of steps:
///
/// ```yaml
/// script:
///   - { on: opened, do: { act: join } }
///   - { on: text, matching: "(?i)parcel", after: 1s, do: { act: typing } }
///   - { after: 2s, do: { act: text, text: It is on its way. } }
/// ```
struct AgentScript: Sendable {
    /// What sets a step off.
    enum Event: String, CaseIterable, Sendable {
        /// A conversation for one of the agent's skills was opened, or handed over to one.
        case opened
        /// The consumer said something, whatever it is.
        case content
        /// The consumer said a text.
        case text
        /// The main dialog was closed; a survey may be left.
        case closed
    }

    struct Step: Sendable {
        /// Counted from 1, as people count.
        var number: Int
        var event: Event
        /// A regular expression that must be found somewhere in the text; nil: any text.
        var matching: String?
        /// Since the step before it that the same event sets off, else since the event.
        var delay: Duration
        var act: AgentAct
    }

    let steps: [Step]

    static let member = "script"
    /// What stands in a text for what the consumer said.
    static let placeholder = "{{text}}"

    /// Joins, accepts and reads everything, and answers each text with the same text.
    private static let echo: JSON = [
        ["on": "opened", "do": ["act": "join"]], ["on": "content", "do": ["act": "accept"]], ["do": ["act": "read"]],
        ["on": "text", "do": ["act": "text", "text": .string(placeholder)]],
    ]

    init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        if let name = json.string, name != "echo" { throw ConfigurationError(pointer, "there is no script '\(name)', only 'echo'") }
        let list = json.string == nil ? json : Self.echo
        guard let list = list.array else {
            throw ConfigurationError(pointer, "a script is 'echo' or a list of steps, not \(json.typeName)")
        }
        var steps: [Step] = []
        for (index, step) in list.enumerated() {
            steps.append(try Self.step(step, at: pointer.appending(index), number: index + 1, after: steps.last))
        }
        self.steps = steps
    }

    private static func step(
        _ json: JSON, at pointer: JSONPointer, number: Int, after last: Step?
    ) throws(ConfigurationError) -> Step {
        let members = try Members(json, at: pointer, known: ["on", "matching", "after", "do"])
        let event = try members.word("on", Event.self)
        var matching = try members.string("matching")
        // Without an event of its own a step goes on where the one before it was.
        if event == nil, matching == nil { matching = last?.matching }
        guard let event = event ?? last?.event else { throw members.error("on", "the first step needs it: what sets it off") }
        if let pattern = try members.string("matching") {
            guard event == .text else { throw members.error("matching", "only what the consumer said as a text can match") }
            do { _ = try Regex(pattern) } catch { throw members.error("matching", "'\(pattern)' is no regular expression: \(error)") }
        }
        guard let what = members.object["do"], !what.isNull else { throw members.error("do", "what is done is missing") }
        let act = try AgentAct(what, at: pointer.appending("do"))
        if event != .text, act.json["text"]?.string?.contains(placeholder) == true {
            throw ConfigurationError(
                pointer.appending("do").appending("text"), "\(placeholder) stands for a text, and only 'on: text' has one")
        }
        return Step(number: number, event: event, matching: matching, delay: try members.duration("after") ?? .zero, act: act)
    }

    /// What something sets off, with how long after it each step is due.
    ///
    /// - Parameters:
    ///   - text: what the consumer said where that was a text.
    ///   - sequence: the number of what the consumer said; what is accepted or read is that, unless the step says otherwise.
    func due(on events: Set<Event>, text: String?, sequence: Int?) -> [(step: Step, delay: Duration)] {
        var delay = Duration.zero
        return steps.filter { events.contains($0.event) && $0.matches(text) }.map { step in
            var step = step
            delay += step.delay
            if let said = step.act.json["text"]?.string {
                step.act.json["text"] = .string(said.replacing(Self.placeholder, with: text ?? ""))
            }
            if let sequence, [.accept, .read].contains(step.act.kind), step.act.json["sequenceList"] == nil {
                step.act.json["sequenceList"] = [.integer(Int64(sequence))]
            }
            return (step, delay)
        }
    }
}

extension AgentScript.Step {
    fileprivate func matches(_ text: String?) -> Bool {
        guard let matching else { return true }
        // That it is one was seen when it was configured.
        return (try? Regex(matching).firstMatch(in: text ?? "")) != nil
    }
}
