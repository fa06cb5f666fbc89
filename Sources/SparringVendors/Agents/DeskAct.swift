import SparringJSON

/// What a vendor's agents can do, by the names that it has in the admin API, on the command line and in scripts.
protocol ActKind: RawRepresentable<String>, Sendable {
    /// The script `echo`: joins, reads everything, and answers each text with the same text.
    static var echo: JSON { get }
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
        self.init(kind, json)
    }

    mutating func concern(_ sequence: Int) {}
}
