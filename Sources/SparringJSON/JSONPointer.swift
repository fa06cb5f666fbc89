import OrderedCollections

/// A JSON Pointer (RFC 6901): where in a document a value stands, such as `/tenants/liveperson/accountId`.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    public var tokens: [String]

    /// The whole document.
    public static let root = JSONPointer(tokens: [])

    public init(tokens: [String]) { self.tokens = tokens }

    /// Nil where the text is not empty and does not begin with `/`, or has a `~` that is neither `~0` nor `~1` (RFC 6901 §3).
    public init?(_ text: String) {
        // By bytes: what combines with a slash before it is one character with it, and the beginning of a token all the same.
        let slash = UInt8(ascii: "/")
        guard text.isEmpty || text.utf8.first == slash else { return nil }
        var tokens: [String] = []
        for part in text.utf8.split(separator: slash, omittingEmptySubsequences: false).dropFirst() {
            guard part.contains(UInt8(ascii: "~")) else {
                tokens.append(String(decoding: part, as: UTF8.self))
                continue
            }
            let pieces = part.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
            var token = Array(pieces[0])
            for piece in pieces.dropFirst() {
                switch piece.first {
                case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
                case UInt8(ascii: "1"): token.append(slash)
                default: return nil
                }
                token += piece.dropFirst()
            }
            tokens.append(String(decoding: token, as: UTF8.self))
        }
        self.tokens = tokens
    }

    public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens: tokens + [token]) }
    public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

    public var description: String {
        tokens.map { token in
            var escaped = "/"
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": escaped += "~0"
                case "/": escaped += "~1"
                default: escaped.unicodeScalars.append(scalar)
                }
            }
            return escaped
        }.joined()
    }
}

extension JSONPointer: ExpressibleByArrayLiteral {
    public init(arrayLiteral tokens: String...) { self.init(tokens: tokens) }
}

extension JSONPointer {
    /// The same for people: `tenants.liveperson.accountId`, `faults[2]`, `headers['X-Name']`; empty for the whole document.
    public var words: String { words(in: "") }

    /// - Parameter document: what the document is called, such as `body`.
    public func words(in document: String) -> String {
        tokens.reduce(into: document) { words, token in
            if !token.isEmpty, token.utf8.allSatisfy(\.isDigit) {
                words += "[\(token)]"
            } else if !token.isEmpty,
                token.unicodeScalars.allSatisfy({ $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || $0.properties.numericType != nil }
                )
            {
                words += words.isEmpty ? token : ".\(token)"
            } else {
                words += "[\(token.quoted)]"
            }
        }
    }
}

extension JSON {
    /// The value a pointer names, nil where there is none (RFC 6901 §4).
    public subscript(pointer: JSONPointer) -> JSON? {
        var value = self
        for token in pointer.tokens {
            switch value {
            case .object(let members):
                guard let member = members[token] else { return nil }
                value = member
            case .array(let elements):
                guard let index = Int(token), String(index) == token, elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }
}
