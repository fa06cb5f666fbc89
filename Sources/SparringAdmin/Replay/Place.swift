/// The place of a value in an answer or in a message.
struct Place {
    /// `answer body.items[2].id`.
    let text: String
    /// The same with `*` for the numbers of items.
    let member: String
    /// Names of members and `*`, without what they are in.
    let tokens: [String]

    init(_ text: String) { self.init(text, text, []) }

    private init(_ text: String, _ member: String, _ tokens: [String]) { (self.text, self.member, self.tokens) = (text, member, tokens) }

    func member(_ name: String) -> Place { Place("\(text).\(name)", "\(member).\(name)", tokens + [name]) }
    func item(_ index: Int) -> Place { Place("\(text)[\(index)]", "\(member)[*]", tokens + ["*"]) }
    func inside(_ word: String) -> Place { Place("\(text) \(word)", "\(member) \(word)", tokens) }
}
