import SparringJSON

/// The parts of a `multipart/form-data` body (RFC 7578, RFC 2046 §5.1).
struct MultipartForm: Sendable {
    struct Part: Sendable {
        var name: String
        var fileName: String?
        var contentType: String?
        var bytes: [UInt8]
    }

    let parts: [Part]

    /// Nil where the body is not of that form.
    init?(_ body: [UInt8], contentType: String) {
        guard let boundary = Self.parameter("boundary", of: contentType), !boundary.isEmpty else { return nil }
        let delimiter = Array("--\(boundary)".utf8)
        var starts: [Int] = []
        var place = 0
        while let found = Self.find(delimiter, in: body, from: place) {
            // A delimiter begins a line.
            if found == 0 || body[found - 1] == 0x0A { starts.append(found) }
            place = found + delimiter.count
        }
        guard starts.count > 1 else { return nil }
        var parts: [Part] = []
        for (start, end) in zip(starts, starts.dropFirst()) {
            guard let part = Self.part(Array(body[(start + delimiter.count)..<end])) else { return nil }
            parts.append(part)
        }
        self.parts = parts
    }

    subscript(_ name: String) -> Part? { parts.first { $0.name == name } }

    /// - Parameter bytes: from behind the delimiter to the next one.
    private static func part(_ bytes: [UInt8]) -> Part? {
        let gap: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        guard bytes.starts(with: [0x0D, 0x0A]), let end = find(gap, in: bytes, from: 0), bytes.suffix(2) == [0x0D, 0x0A] else { return nil }
        var part = Part(name: "", bytes: end + 4 <= bytes.count - 2 ? Array(bytes[(end + 4)..<(bytes.count - 2)]) : [])
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

    private static func find(_ sought: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= sought.count else { return nil }
        var place = start
        while place <= bytes.count - sought.count {
            if bytes[place] == sought[0], bytes[place..<(place + sought.count)].elementsEqual(sought) { return place }
            place += 1
        }
        return nil
    }
}
