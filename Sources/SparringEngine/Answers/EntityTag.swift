/// An entity tag (RFC 9110 §8.8.3), also one without quotes: some stores give and take them so.
struct EntityTag {
    var opaque: String
    var isWeak: Bool

    /// The tags of a list, such as that of If-None-Match. A quote that is not closed ends with the text.
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

    /// Byte for byte, whether weak or not (RFC 9110 §8.8.3.2).
    func isWeaklyLike(_ other: EntityTag) -> Bool { opaque.utf8.elementsEqual(other.opaque.utf8) }
    func isStronglyLike(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && isWeaklyLike(other) }
}
