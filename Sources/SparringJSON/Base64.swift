import Foundation

/// Base64 with padding (RFC 4648 §4), as Basic needs it and files come in.
public enum Base64 {
    public static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Nil where it stands for no bytes. Reads what some senders do: without padding, with the characters of URLs, in lines (which Android's `Base64.DEFAULT` makes).
    public static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(String(text)) }

    /// Reads a piece at a time, since otherwise there would be several copies of a large file.
    static func decode(_ text: String) -> [UInt8]? {
        let padding = UInt8(ascii: "=")
        var rest = text.utf8[...]
        while let last = rest.last, last == padding || isLineBreak(last) { rest.removeLast() }
        var (decoded, piece): ([UInt8], [UInt8]) = ([], [])
        decoded.reserveCapacity(rest.count / 4 * 3 + 3)
        piece.reserveCapacity(min(rest.count + 3, pieceLength))

        func decodePiece() -> Bool {
            guard let bytes = Data(base64Encoded: Data(piece)) else { return false }
            decoded += bytes
            piece.removeAll(keepingCapacity: true)
            return true
        }

        for byte in rest {
            switch byte {
            case _ where isLineBreak(byte): continue
            // Foundation accepts some of it within a text.
            case padding: return nil
            case UInt8(ascii: "-"): piece.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): piece.append(UInt8(ascii: "/"))
            default: piece.append(byte)
            }
            if piece.count == pieceLength, !decodePiece() { return nil }
        }
        piece += repeatElement(padding, count: (4 - piece.count % 4) % 4)
        return decodePiece() ? decoded : nil
    }

    /// Characters of a piece, a multiple of 4.
    private static let pieceLength = 48 << 10

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") }

    /// How many bytes a data URL holds (RFC 2397). Where they are not in Base64, its characters are counted.
    public static func size(ofDataURL text: String) -> Int {
        guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")), text[..<comma].hasSuffix(";base64") else { return text.utf8.count }
        return text[comma...].utf8.count { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") } * 3 / 4
    }
}

/// Base64 with the alphabet for URLs and without padding, as JOSE uses it (RFC 4648 §5, RFC 7515 §2).
public enum Base64URL {
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString(options: [.base64URLAlphabet, .omitPaddingCharacter])
    }

    /// Nil on padding, on characters outside the alphabet, on an impossible length, and where the bits after the last byte are not
    /// zero: then two texts would stand for the same bytes, and a changed token could pass for unchanged.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(String(text)) }

    private static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else { return nil }
        // Those whose bits after the last byte are zero.
        let ends: String? =
            switch text.utf8.count % 4 {
            case 1: ""
            case 2: "AQgw"
            case 3: "AEIMQUYcgkosw048"
            default: nil
            }
        if let ends, let last = text.utf8.last, !ends.utf8.contains(last) { return nil }
        return Base64.decode(text)
    }
}
