/// The parts of a `multipart/form-data` body (RFC 7578, RFC 2046 §5.1).
public struct MultipartForm: Sendable {
    public struct Part: Sendable {
        public var name: String
        public var fileName: String?
        public var contentType: String?
        public var bytes: [UInt8]
    }

    /// Why a body is not of that form.
    public struct Malformed: Error, CustomStringConvertible {
        public let description: String
    }

    public let parts: [Part]

    /// "boundary := 0*69<bchars> bcharsnospace" (RFC 2046 §5.1.1).
    private static let longestBoundary = 70
    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    /// Takes time in proportion to the body's length.
    public init(_ body: [UInt8], contentType: String) throws(Malformed) {
        guard let boundary = Self.parameter("boundary", of: Array(contentType.utf8)[...]), !boundary.isEmpty else {
            throw Malformed(description: "Content-Type has no boundary")
        }
        guard boundary.utf8.count <= Self.longestBoundary else {
            throw Malformed(
                description: "its boundary has \(boundary.utf8.count) bytes, \(Self.longestBoundary) are allowed (RFC 2046 §5.1.1)")
        }
        let delimiter = Array("--\(boundary)".utf8)
        var starts: [Int] = []
        var place = 0
        while let found = Self.find(delimiter, in: body[place...]) {
            // A delimiter begins a line.
            if found == 0 || body[found - 1] == 0x0A { starts.append(found) }
            place = found + delimiter.count
        }
        guard starts.count > 1 else {
            throw Malformed(
                description: "its delimiter --\(boundary) stands \(starts.isEmpty ? "nowhere" : "only once"), at the beginning of a line")
        }
        var parts: [Part] = []
        for (start, end) in zip(starts, starts.dropFirst()) {
            guard let part = Self.part(body[(start + delimiter.count)..<end]) else {
                throw Malformed(description: "part \(parts.count + 1) has no head that ends with an empty line, or no name")
            }
            parts.append(part)
        }
        self.parts = parts
    }

    public subscript(_ name: String) -> Part? { parts.first { $0.name == name } }

    /// - Parameter bytes: from behind the delimiter to the next one.
    private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
        guard bytes.starts(with: lineEnd), let end = find(lineEnd + lineEnd, in: bytes), bytes.suffix(2) == lineEnd[...] else { return nil }
        var part = Part(name: "", bytes: Array(bytes[min(end + 4, bytes.endIndex - 2)..<(bytes.endIndex - 2)]))
        var head = bytes[..<end]
        while !head.isEmpty {
            let line = head[..<(find(lineEnd, in: head) ?? head.endIndex)]
            head = head[line.endIndex...].dropFirst(lineEnd.count)
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
            if isWord("content-disposition", line[..<colon]) {
                part.name = parameter("name", of: value) ?? ""
                part.fileName = parameter("filename", of: value)
            } else if isWord("content-type", line[..<colon]) {
                part.contentType = String(decoding: value, as: UTF8.self)
            }
        }
        return part.name.isEmpty ? nil : part
    }

    /// A parameter of a header's value, quoted or not (RFC 9110 §5.6.6).
    private static func parameter(_ name: String, of value: ArraySlice<UInt8>) -> String? {
        let (semicolon, quote) = (UInt8(ascii: ";"), UInt8(ascii: "\""))
        var rest = value
        while let start = rest.firstIndex(of: semicolon) {
            rest = rest[(start + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let isIt = isWord(name, rest[..<equals])
            rest = rest[(equals + 1)...]
            if rest.first == quote {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: quote) else { return nil }
                if isIt { return String(decoding: rest[..<end], as: UTF8.self) }
                rest = rest[end...]
            } else if isIt {
                return String(decoding: rest.prefix { $0 != semicolon }, as: UTF8.self)
            }
        }
        return nil
    }

    /// Whether they are a name, in whatever case.
    private static func isWord(_ name: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.elementsEqual(name.utf8) { $0 == $1 || (0x41...0x5A).contains($0) && $0 | 0x20 == $1 }
    }

    /// Knuth, Morris and Pratt's: no byte is looked at twice, whatever delimiter and body have in common.
    private static func find(_ sought: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        // How much of the beginning is at the end of what has been found, too.
        var borders = [0]
        for index in sought.indices.dropFirst() {
            var length = borders[index - 1]
            while length > 0, sought[length] != sought[index] { length = borders[length - 1] }
            borders.append(sought[length] == sought[index] ? length + 1 : 0)
        }
        let found = bytes.withUnsafeBufferPointer { bytes -> Int? in
            var length = 0
            for (index, byte) in bytes.enumerated() {
                while length > 0, sought[length] != byte { length = borders[length - 1] }
                if sought[length] == byte { length += 1 }
                if length == sought.count { return index + 1 - length }
            }
            return nil
        }
        return found.map { $0 + bytes.startIndex }
    }
}
