/// Reads what ``TreeWriter`` has written.
struct TreeReader {
    struct Broken: Error {}

    private let bytes: UnsafeRawBufferPointer
    private let file: String
    private var offset = 0
    private var texts: [String] = []
    private var line = 0
    /// A tree that nests deeper than any YAML that was read is none.
    private static let deepest = 500

    /// - Parameter file: the name of the file that it was made of, for its places.
    /// - Throws: ``Broken``.
    static func tree(of bytes: ArraySlice<UInt8>, file: String) throws(Broken) -> YAMLNode {
        do {
            return try bytes.withUnsafeBytes { bytes in
                var reader = try TreeReader(bytes, file)
                let root = try reader.node(Self.deepest)
                guard reader.offset == bytes.count else { throw Broken() }
                return root
            }
        } catch { throw Broken() }
    }

    private init(_ bytes: UnsafeRawBufferPointer, _ file: String) throws(Broken) {
        (self.bytes, self.file) = (bytes, file)
        let count = try length()
        texts.reserveCapacity(count)
        for _ in 0..<count {
            let size = try length()
            guard let text = String(validating: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size]), as: UTF8.self) else {
                throw Broken()
            }
            texts.append(text)
            offset += size
        }
    }

    private mutating func node(_ depth: Int) throws(Broken) -> YAMLNode {
        guard depth > 0, let form = TreeForm(rawValue: try number()) else { throw Broken() }
        let place = try place()
        switch form {
        case .plain, .quoted: return YAMLNode(content: .scalar(try text(), isPlain: form == .plain), place: place)
        case .sequence:
            let count = try length()
            var elements: [YAMLNode] = []
            elements.reserveCapacity(count)
            for _ in 0..<count { elements.append(try node(depth - 1)) }
            return YAMLNode(content: .sequence(elements), place: place)
        case .mapping:
            let count = try length()
            var entries: [YAMLEntry] = []
            entries.reserveCapacity(count)
            for _ in 0..<count {
                let key = try text()
                let place = try self.place()
                entries.append(YAMLEntry(key: key, place: place, value: try node(depth - 1)))
            }
            return YAMLNode(content: .mapping(entries), place: place)
        }
    }

    private mutating func place() throws(Broken) -> YAMLPlace {
        let step = try number()
        line &+= step & 1 == 1 ? -((step + 1) >> 1) : step >> 1
        return YAMLPlace(file: file, line: line, column: try number())
    }

    private mutating func text() throws(Broken) -> String {
        let index = try number()
        guard index < texts.count else { throw Broken() }
        return texts[index]
    }

    /// A number of things that follow, each of a byte at least.
    private mutating func length() throws(Broken) -> Int {
        let count = try number()
        guard count <= bytes.count - offset else { throw Broken() }
        return count
    }

    private mutating func number() throws(Broken) -> Int {
        var (value, shift) = (0, 0)
        while offset < bytes.count, shift < 35 {
            let byte = bytes[offset]
            offset += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw Broken()
    }
}
