import SparringContract

/// The place where HAProxy finds the account that a call is for: a sample expression, and the condition under which it is asked (HAProxy 2.6 Configuration Manual, chapter 7).
struct TenantFetch: Hashable {
    let vendor: String
    let expression: String
    /// Nil: asked of every call.
    let condition: String?

    /// The sources of an operation that HAProxy can see, the most certain first: it sees no body, and knows no credential that Sparring has issued.
    static func all(of operation: ContractOperation) -> [TenantFetch] {
        let templates = [operation.pathTemplate] + operation.aliasPaths
        return operation.tenant.flatMap { source in templates.compactMap { TenantFetch(source, operation, template: $0) } }
    }

    private init?(_ source: ValueSource, _ operation: ContractOperation, template: String) {
        vendor = operation.vendor
        guard let fetch = Self.fetch(source.location, template), let expression = Self.reading(source.reading, fetch) else { return nil }
        self.expression = expression
        condition =
            switch source.location {
            case .path(let name): Self.prefixCondition(template, upTo: name)
            case .query, .header, .body: "{ path_reg \(Self.pattern(of: template)) }"
            }
    }

    private static func fetch(_ place: RequestPlace, _ template: String) -> String? {
        switch place {
        case .path(let name):
            // Segments are counted from 1, and the text before the first slash is one of them.
            segments(of: template).firstIndex(of: "{\(name)}").map { "path,field(\($0 + 2),/)" }
        case .query(let name): "url_param(\(name))"
        case .header(let name): "req.hdr(\(name.lowercased()))"
        case .body: nil
        }
    }

    private static func reading(_ reading: ValueSource.Reading, _ fetch: String) -> String? {
        // A credential stands behind its scheme, or alone.
        let credential = fetch.hasPrefix("req.hdr") ? "\(fetch),regsub(^[^[:space:]]+[[:space:]]+,)" : fetch
        return switch reading {
        case .plain: "\(fetch),url_dec"
        case .claim(let name): "\(credential),jwt_payload_query('$.\(name)')"
        case .basicUser: "\(credential),b64dec,field(1,:),url_dec"
        case .issued: nil
        }
    }

    private static func segments(of template: String) -> [Substring] {
        template.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(\.self)
    }

    /// All before the parameter. Two operations whose paths begin alike share it.
    private static func prefixCondition(_ template: String, upTo name: String) -> String {
        let before = segments(of: template).prefix { $0 != "{\(name)}" }
        if before.allSatisfy({ !$0.contains("{") }) { return "{ path_beg /\(before.map { "\($0)/" }.joined()) }" }
        return "{ path_reg ^/\(before.map { "\(pattern(ofSegment: $0))/" }.joined()) }"
    }

    private static func pattern(of template: String) -> String {
        "^/" + segments(of: template).map(pattern(ofSegment:)).joined(separator: "/") + "$"
    }

    private static func pattern(ofSegment segment: Substring) -> String {
        var (text, isInside) = ("", false)
        for character in segment {
            switch character {
            case "{": (text, isInside) = (text + "[^/]+", true)
            case "}": isInside = false
            case _ where isInside: break
            case let other: text += other.isLetter || other.isNumber || "-_~%".contains(other) ? String(other) : "\\\(other)"
            }
        }
        return text
    }
}
