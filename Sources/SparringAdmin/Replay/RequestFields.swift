import SparringContract
import SparringJSON

/// The named values of a request.
enum RequestFields {
    /// Those of the query, and of a body that is JSON or a form: all that are texts.
    static func all(_ target: String, _ body: [UInt8]) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let mark = target.firstIndex(of: "?") { fields += PercentCoding.fields(target[target.index(after: mark)...]) }
        let text = String(decoding: body, as: UTF8.self)
        if let json = try? JSON(parsing: text) { collect(json, &fields) } else { fields += PercentCoding.fields(text[...]) }
        return fields
    }

    private static func collect(_ json: JSON, _ fields: inout [(name: String, value: String)]) {
        for (name, member) in json.object ?? [:] {
            if let text = member.string { fields.append((name, text)) } else { collect(member, &fields) }
        }
        for item in json.array ?? [] { collect(item, &fields) }
    }
}
