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
        guard let boundary = Self.parameter("boundary", of: contentType), !boundary.isEmpty else {
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
        for line in String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = String(line[line.index(after: colon)...].drop { $0 == " " })
            switch line[..<colon].lowercased() {
            case "content-disposition":
                part.name = parameter("name", of: value) ?? ""
                part.fileName = parameter("filename", of: value)
            case "content-type": part.contentType = value
            default: break
            }
        }
        return part.name.isEmpty ? nil : part
    }

    /// A parameter of a header's value, quoted or not (RFC 9110 §5.6.6).
    private static func parameter(_ name: String, of value: String) -> String? {
        var rest = value[...]
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let isIt = rest[..<equals].lowercased() == name
            rest = rest[rest.index(after: equals)...]
            if rest.first == "\"" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else { return nil }
                if isIt { return String(rest[..<end]) }
                rest = rest[end...]
            } else if isIt {
                return String(rest.prefix { $0 != ";" })
            }
        }
        return nil
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
