import Foundation

/// Base64 with padding (RFC 4648 §4), as Basic needs it and files come in.
public enum Base64 {
    public static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Nil where it stands for no bytes. Reads what some senders do: without padding, with the characters of URLs, in lines (which Android's `Base64.DEFAULT` makes).
    public static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(String(text)) }

    static func decode(_ text: String) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
            case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
            default: plain.append(byte)
            }
        }
        let padding = UInt8(ascii: "=")
        while plain.last == padding { plain.removeLast() }
        plain += repeatElement(padding, count: (4 - plain.count % 4) % 4)
        return Data(base64Encoded: Data(plain)).map(Array.init)
    }

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
