import Foundation

/// The key in a PEM text (RFC 7468), before anyone asks what kind of key it is.
struct PEMBlock: Sendable {
    /// The words after `BEGIN`, such as `PRIVATE KEY`; nil where only the base64 was given.
    let label: String?
    let der: [UInt8]

    /// Reads the first block whose label ends in `KEY`, or a text of base64 alone. Line breaks may be missing or anywhere: keys are
    /// pasted into configuration fields that lose them.
    init(_ text: String) throws(TokenError) {
        let begin = "-----BEGIN "
        guard text.contains(begin) else {
            label = nil
            der = try Self.decode(text)
            return
        }
        for block in text.components(separatedBy: begin).dropFirst() {
            guard let (label, rest) = Self.cut(block, at: "-----") else { throw TokenError("PEM: the BEGIN line does not end in -----") }
            guard label.hasSuffix("KEY") else { continue }
            guard let (body, _) = Self.cut(rest, at: "-----END \(label)-----") else { throw TokenError("PEM: END \(label) is missing") }
            guard label != "ENCRYPTED PRIVATE KEY", !body.contains("ENCRYPTED") else { throw TokenError("PEM: the key is encrypted") }
            self.label = label
            der = try Self.decode(body)
            return
        }
        throw TokenError("PEM: no block of a key")
    }

    /// - Throws: where the label says that this is no `kind`.
    func expect(_ kind: String) throws(TokenError) {
        if let label, !label.hasSuffix(kind) { throw TokenError("PEM: a block '\(label)' where a \(kind) should stand") }
    }

    private static func cut(_ text: some StringProtocol, at mark: String) -> (String, String)? {
        text.range(of: mark).map { (String(text[..<$0.lowerBound]), String(text[$0.upperBound...])) }
    }

    private static func decode(_ body: String) throws(TokenError) -> [UInt8] {
        let base64 = body.filter { !$0.isWhitespace }
        guard !base64.isEmpty, let der = Data(base64Encoded: base64) else { throw TokenError("PEM: not base64") }
        return Array(der)
    }
}
