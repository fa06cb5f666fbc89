import SparringEngine
import SparringJSON
import SparringTokens

/// What reading an act has in common for all vendors.
extension ScriptedAct {
    /// Which act the member `act` names.
    static func kind<Kind: RawRepresentable<String> & CaseIterable>(
        of json: JSON, at pointer: JSONPointer
    ) throws(ConfigurationError) -> Kind {
        let words = Kind.allCases.map(\.rawValue)
        let list = words.joined(separator: ", ")
        guard json.object != nil else { throw ConfigurationError(pointer, "expected an object, not \(json.typeName)") }
        guard let name = json["act"] else { throw ConfigurationError(pointer.appending("act"), "what is done is missing: one of \(list)") }
        if let kind = name.string.flatMap(Kind.init(rawValue:)) { return kind }
        let hint = Nearest.hint(for: name.string ?? "", in: words)
        throw ConfigurationError(
            pointer.appending("act"), "there is no act \(name.text)" + (hint.isEmpty ? ": it is one of \(list)" : hint))
    }

    /// The act with those of its members that say something.
    static func own(_ act: String, _ names: [String], of members: Members) -> JSON {
        var own: JSON = ["act": .string(act)]
        for name in names { own[name] = members.object[name].flatMap { $0.isNull ? nil : $0 } }
        return own
    }
}

extension Members {
    /// A text is said, with titles of quick replies.
    func checkSaying() throws(ConfigurationError) {
        guard let text = try string("text"), !text.isEmpty else { throw error("text", "something must be said") }
        for (index, title) in (try array("quickReplies") ?? []).enumerated() where title.string?.isEmpty != false {
            throw ConfigurationError(pointer.appending("quickReplies").appending(index), "\(title.text) is no title of a quick reply")
        }
    }

    /// A file is sent, by its address or with what is in it.
    func checkFile() throws(ConfigurationError) {
        for name in ["fileName", "mimeType"] {
            guard let value = try string(name), !value.isEmpty else { throw error(name, "a file needs it") }
        }
        let (url, content) = (try string("url"), try string("content"))
        guard (url == nil) != (content == nil) else { throw error("url", "a file has either its 'url' or its 'content' in Base64") }
        if let content, Base64.decode(content) == nil { throw error("content", "it is not Base64 (RFC 4648 §4)") }
    }
}
