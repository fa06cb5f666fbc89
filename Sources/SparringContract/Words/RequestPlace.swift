public import SparringJSON

/// The place of a value in a request (an OpenAPI 3.1 runtime expression, §4.8.20.5).
public enum RequestPlace: Sendable, Hashable {
    case path(String)
    case query(String)
    case header(String)
    case body(JSONPointer)

    /// Nil where the text is none of `$request.path.NAME`, `$request.query.NAME`, `$request.header.NAME` and `$request.body#/POINTER`.
    init?(expression text: String) {
        func name(after prefix: String) -> String? {
            guard text.hasPrefix(prefix), text.count > prefix.count else { return nil }
            return String(text.dropFirst(prefix.count))
        }
        if let name = name(after: "$request.path.") {
            self = .path(name)
        } else if let name = name(after: "$request.query.") {
            self = .query(name)
        } else if let name = name(after: "$request.header.") {
            self = .header(name)
        } else if let pointer = name(after: "$request.body#").flatMap(JSONPointer.init) {
            self = .body(pointer)
        } else {
            return nil
        }
    }

    /// Whether both are the same place: header names are the same in any case (RFC 9110 §5.1).
    func isSame(as other: RequestPlace) -> Bool {
        if case .header(let name) = self, case .header(let otherName) = other { return name.lowercased() == otherName.lowercased() }
        return self == other
    }
}

extension RequestPlace: CustomStringConvertible {
    /// The form that rules and findings use, such as `body:/id_token`.
    public var description: String {
        switch self {
        case .path(let name): "path:\(name)"
        case .query(let name): "query:\(name)"
        case .header(let name): "header:\(name)"
        case .body(let pointer): "body:\(pointer)"
        }
    }
}
