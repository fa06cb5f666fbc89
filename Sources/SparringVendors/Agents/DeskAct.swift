import SparringJSON
import SparringTokens

/// What a vendor's agents can do, by the names that it has in the admin API, on the command line and in scripts.
protocol ActKind: RawRepresentable<String>, Sendable {
    /// The script `echo`: joins, reads everything, and answers each text with the same text.
    static var echo: JSON { get }

    /// Refuses an act for what its schema cannot say of it.
    func check(_ act: JSON, at pointer: JSONPointer) throws(ConfigurationError)
    /// The member with the numbers of the messages that an act is about; nil: it is about none.
    var messages: String? { get }
}

extension ActKind {
    var messages: String? { nil }

    func check(_ act: JSON, at pointer: JSONPointer) throws(ConfigurationError) {}

    /// A file is sent, by its address or with what is in it.
    static func checkFile(_ act: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        guard (act["url"] == nil) != (act["content"] == nil) else {
            throw ConfigurationError(pointer.appending("url"), "a file has either its 'url' or its 'content' in Base64")
        }
        if let content = act["content"]?.string, Base64.decode(content) == nil {
            throw ConfigurationError(pointer.appending("content"), "it is not Base64 (RFC 4648 §4)")
        }
    }
}

/// Something that an agent does: `components.schemas.Act` of the vendor's admin contract.
struct DeskAct<Kind: ActKind>: ScriptedAct {
    let kind: Kind
    var json: JSON

    static var echo: JSON { Kind.echo }

    init(_ kind: Kind, _ json: JSON) { (self.kind, self.json) = (kind, json) }

    init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        guard let kind = json["act"]?.string.flatMap(Kind.init(rawValue:)) else {
            throw ConfigurationError(pointer.appending("act"), "there is no act \(json["act"]?.text ?? "here")")
        }
        try kind.check(json, at: pointer)
        self.init(kind, json)
    }

    mutating func concern(_ sequence: Int) {
        guard let member = kind.messages, json[member] == nil else { return }
        json[member] = [.integer(Int64(sequence))]
    }
}
