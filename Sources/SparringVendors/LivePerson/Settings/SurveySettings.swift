import SparringEngine
import SparringJSON

/// The surveys that may follow a conversation, by name: the account's member `surveys`.
struct SurveySettings: Sendable {
    struct Question: Sendable {
        var text: String
        /// Offered as buttons; the consumer may write something else all the same.
        var quickReplies: [String]
    }

    private(set) var questions: [String: [Question]] = [:]

    static let member = "surveys"
    private static let knownOfQuestion = ["text", "quickReplies"]

    init(_ account: Members) throws(ConfigurationError) {
        for (name, json) in try account.object(Self.member) ?? [:] {
            let pointer = account.pointer.appending(Self.member).appending(name)
            guard !name.isEmpty else { throw ConfigurationError(pointer, "a survey needs a name") }
            guard let list = json.array, !list.isEmpty else {
                throw ConfigurationError(pointer, "\(json.text) is not a list of at least one question")
            }
            var read: [Question] = []
            for (index, json) in list.enumerated() {
                read.append(try Self.question(Members(json, at: pointer.appending(index), known: Self.knownOfQuestion)))
            }
            questions[name] = read
        }
    }

    private static func question(_ members: Members) throws(ConfigurationError) -> Question {
        guard let text = try members.string("text"), !text.isEmpty else { throw members.error("text", "a question needs its text") }
        let replies = try members.strings("quickReplies")
        if replies?.isEmpty == true { throw members.error("quickReplies", "at least one; without the member any text is an answer") }
        for (index, reply) in (replies ?? []).enumerated() {
            let pointer = members.pointer.appending("quickReplies").appending(index)
            guard !reply.isEmpty else { throw ConfigurationError(pointer, "a quick reply needs a text") }
            guard replies?.firstIndex(of: reply) == index else { throw ConfigurationError(pointer, "'\(reply)' is given twice") }
        }
        return Question(text: text, quickReplies: replies ?? [])
    }

    /// What the member `survey` of something else names; nil where it is missing.
    ///
    /// - Throws: where there is no such survey.
    func named(in members: Members) throws(ConfigurationError) -> String? {
        guard let name = try members.string("survey") else { return nil }
        guard questions[name] != nil else {
            let hint = Nearest.hint(for: name, in: questions.keys.sorted())
            throw members.error("survey", "the account's '\(Self.member)' has no '\(name)'" + hint)
        }
        return name
    }
}
