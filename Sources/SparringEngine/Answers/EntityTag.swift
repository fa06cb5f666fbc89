/// An entity tag (RFC 9110 §8.8.3), with or without quotes: some stores leave them out.
struct EntityTag {
    var opaque: String
    var isWeak: Bool

    /// The tags of a list, such as that of If-None-Match. An unclosed quotation ends with the text.
    static func list(_ text: String) -> [EntityTag] {
        var tags: [EntityTag] = []
        var rest = text[...]
        while true {
            rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
            if rest.isEmpty { return tags }
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            let isQuoted = rest.first == "\""
            if isQuoted { rest = rest.dropFirst() }
            let opaque = rest.prefix { isQuoted ? $0 != "\"" : $0 != "," && $0 != " " && $0 != "\t" }
            rest = rest.dropFirst(opaque.count + (isQuoted ? 1 : 0))
            tags.append(EntityTag(opaque: String(opaque), isWeak: isWeak))
        }
    }

    /// Weak comparison: byte for byte, whether the tags are weak or not (RFC 9110 §8.8.3.2).
    func isWeaklyLike(_ other: EntityTag) -> Bool { opaque.utf8.elementsEqual(other.opaque.utf8) }
    /// Strong comparison: neither tag may be weak (RFC 9110 §8.8.3.2).
    func isStronglyLike(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && isWeaklyLike(other) }
}
