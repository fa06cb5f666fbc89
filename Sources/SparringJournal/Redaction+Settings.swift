package import SparringJSON

/// The secrets of a sandbox, which its settings name.
extension Redaction {
    /// Characters of the shortest setting that is looked for everywhere: a shorter one may be part of any word.
    private static let shortestSetting = 8

    /// Learns the secrets in the settings of a sandbox: each value whose name says that it is one, even if it is made of words.
    package mutating func gather(settings json: JSON) {
        gather(json)
        insist(on: json, called: nil)
    }

    private mutating func insist(on json: JSON, called name: String?) {
        switch json {
        case .object(let members): for (name, member) in members { insist(on: member, called: name) }
        case .array(let items): for item in items { insist(on: item, called: name) }
        case .string(let text):
            guard text.utf8.count >= Self.shortestSetting, let name, let kind = CredentialName.kind(ofSetting: name) else { return }
            // A setting that says how somebody is authorized.
            if name == "authorization", Self.isWord(text) { return }
            placeholders.insist(on: text, kind)
        default: break
        }
    }
}
