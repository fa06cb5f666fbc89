import Foundation
import SparringJSON

/// The key or certificate in a PEM text (RFC 7468), before anyone asks what kind of key it is.
struct PEMBlock: Sendable {
    /// The words after `BEGIN`, such as `PRIVATE KEY`; nil where only the base64 was given.
    let label: String?
    let der: [UInt8]

    /// Reads the first block whose label ends in `KEY`, else the first one of a certificate, or a text of base64 alone. Line breaks may be missing or
    /// anywhere, or written as `\n`: keys are pasted into configuration fields and variables that lose or escape them.
    init(_ text: String) throws(TokenError) {
        // Base64 and labels have no backslash.
        let isEscaped = text.utf8.contains(UInt8(ascii: "\\"))
        let text = isEscaped ? text.replacing("\\r", with: "").replacing("\\n", with: "\n") : text
        let begin = "-----BEGIN "
        guard text.contains(begin) else {
            label = nil
            der = try Self.decode(text)
            return
        }
        var blocks: [(label: String, rest: String)] = []
        for block in text.components(separatedBy: begin).dropFirst() {
            guard let (label, rest) = Self.cut(block, at: "-----") else { throw TokenError("PEM: the BEGIN line does not end in -----") }
            blocks.append((label, rest))
        }
        let found = blocks.first { $0.label.hasSuffix("KEY") } ?? blocks.first { $0.label.hasSuffix(Self.certificate) }
        if let (label, rest) = found {
            guard let (body, _) = Self.cut(rest, at: "-----END \(label)-----") else { throw TokenError("PEM: END \(label) is missing") }
            guard label != "ENCRYPTED PRIVATE KEY", !body.contains("ENCRYPTED") else { throw TokenError("PEM: the key is encrypted") }
            self.label = label
            der = try Self.decode(body)
            return
        }
        let labels = blocks.map { "'\($0.label.abbreviated(to: 40))'" }.joined(separator: ", ")
        throw TokenError("PEM: no block of a key or a certificate, but \(labels)")
    }

    private static let certificate = "CERTIFICATE"

    /// A public key in DER: the block's own, or the one in its certificate.
    ///
    /// - Throws: where the label says that this is neither, or the certificate cannot be read.
    func publicKeyDER() throws(TokenError) -> [UInt8] {
        guard label?.hasSuffix(Self.certificate) == true else {
            try expect("PUBLIC KEY")
            return label == nil ? CertificateKey.subjectPublicKeyInfo(of: der) ?? der : der
        }
        guard let key = CertificateKey.subjectPublicKeyInfo(of: der) else { throw TokenError("PEM: the certificate is not one of X.509") }
        return key
    }

    /// - Throws: where the label says that this is no `kind`.
    func expect(_ kind: String) throws(TokenError) {
        if let label, !label.hasSuffix(kind) { throw TokenError("PEM: found a block '\(label)' where a \(kind) is expected") }
    }

    private static func cut(_ text: some StringProtocol, at mark: String) -> (String, String)? {
        text.range(of: mark).map { (String(text[..<$0.lowerBound]), String(text[$0.upperBound...])) }
    }

    private static func decode(_ body: String) throws(TokenError) -> [UInt8] {
        let isASCII = body.utf8.allSatisfy { $0 < 0x80 }
        let base64 = Data(
            isASCII ? body.utf8.filter { $0 != 0x20 && !(9...13).contains($0) } : Array(body.filter { !$0.isWhitespace }.utf8))
        guard !base64.isEmpty, let der = Data(base64Encoded: base64) else { throw TokenError("PEM: not base64") }
        return Array(der)
    }
}
