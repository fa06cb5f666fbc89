internal import SparringJSON

/// A path of a contract (OpenAPI 3.1 §4.8.8.2), such as `/api/account/{accountId}/service/{serviceName}.json`.
struct PathTemplate: Sendable {
    struct Segment: Sendable {
        /// Decoded bytes before the parameter; all of the segment where there is none.
        var prefix: [UInt8]
        var parameter: String?
        var suffix: [UInt8] = []

        /// How literal: a higher one wins. Literal text counts most, then literal text around a parameter, the more the better.
        var rank: Int { parameter == nil ? .max : prefix.count + suffix.count }

        /// Whether a decoded segment fits.
        func isMet(by text: ArraySlice<UInt8>) -> Bool {
            text.withUnsafeBufferPointer { text in
                prefix.withUnsafeBufferPointer { prefix in
                    guard parameter != nil else { return text.count == prefix.count && text.begins(with: prefix) }
                    // A parameter is never empty, so `/a/` is no `/a/{id}`.
                    guard text.count > prefix.count + suffix.count, text.begins(with: prefix) else { return false }
                    return suffix.isEmpty || text.suffix(suffix.count).elementsEqual(suffix)
                }
            }
        }

        /// Whether some text fits both. Meant for segments of equal rank.
        func overlaps(_ other: Segment) -> Bool {
            if parameter == nil || other.parameter == nil { return parameter == other.parameter && prefix == other.prefix }
            let prefixes = prefix.starts(with: other.prefix) || other.prefix.starts(with: prefix)
            let suffixes =
                suffix.reversed().starts(with: other.suffix.reversed()) || other.suffix.reversed().starts(with: suffix.reversed())
            return prefixes && suffixes
        }
    }

    let text: String
    let segments: [Segment]

    let parameterCount: Int

    var parameters: [String] { segments.compactMap(\.parameter) }

    /// Whether a decoded path matches the template.
    func fits(_ path: [ArraySlice<UInt8>]) -> Bool {
        guard path.count == segments.count else { return false }
        for index in segments.indices where !segments[index].isMet(by: path[index]) { return false }
        return true
    }

    /// - Throws: ``Malformed``, why the text is no template.
    init(_ text: String) throws(Malformed) {
        self.text = text
        guard text.hasPrefix("/") else { throw Malformed("does not begin with '/'") }
        var segments: [Segment] = []
        var names: Set<String> = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let segment = try Segment(part)
            if let name = segment.parameter, !names.insert(name).inserted { throw Malformed("names parameter '\(name)' twice") }
            segments.append(segment)
        }
        self.segments = segments
        parameterCount = names.count
    }

    struct Malformed: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// The path with its parameters' values, percent-encoded.
    func filled(_ value: (String) -> String) -> String {
        var path = ""
        for segment in segments {
            path += "/" + PercentCoding.encoded(String(decoding: segment.prefix, as: UTF8.self))
            if let name = segment.parameter {
                path += PercentCoding.encoded(value(name)) + PercentCoding.encoded(String(decoding: segment.suffix, as: UTF8.self))
            }
        }
        return path
    }
}

extension PathTemplate.Segment {
    fileprivate init(_ text: Substring) throws(PathTemplate.Malformed) {
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        guard parts.count > 1 else {
            self.init(prefix: try Self.literal(text), parameter: nil)
            return
        }
        guard parts.count == 2 else { throw PathTemplate.Malformed("has two parameters in segment '\(text)'") }
        guard let end = parts[1].firstIndex(of: "}") else { throw PathTemplate.Malformed("has a '{' without '}'") }
        let name = parts[1][..<end]
        guard !name.isEmpty, name.utf8.allSatisfy(\.isUnreserved) else {
            throw PathTemplate.Malformed("has '{\(name)}', which is not a parameter's name")
        }
        self.init(prefix: try Self.literal(parts[0]), parameter: String(name), suffix: try Self.literal(parts[1][end...].dropFirst()))
    }

    /// Characters of a path segment (`pchar`, RFC 3986 §3.3), decoded.
    private static func literal(_ text: Substring) throws(PathTemplate.Malformed) -> [UInt8] {
        for byte in text.utf8 where !byte.isUnreserved && !"%!$&'()*+,;=:@".utf8.contains(byte) {
            throw PathTemplate.Malformed("has '\(Character(Unicode.Scalar(byte)))', which is not allowed in a path")
        }
        guard let bytes = PercentCoding.decoded(text.utf8) else { throw PathTemplate.Malformed("has a bad percent-encoding") }
        return bytes
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func begins(with prefix: Self) -> Bool {
        guard count >= prefix.count else { return false }
        for index in prefix.indices where self[index] != prefix[index] { return false }
        return true
    }
}
