/// Base64 with padding (RFC 4648 §4), as Basic needs it and files come in.
public enum Base64 {
    public static func encode(_ bytes: [UInt8]) -> String {
        let unpadded = Base64URL.encode(bytes).utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - unpadded.count % 4) % 4)
        return String(decoding: unpadded + padding, as: UTF8.self)
    }

    /// Nil where it stands for no bytes. Reads what some senders do: without padding, with the characters of URLs, in lines.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var text = String(text)
        return text.withUTF8 { bytes in
            let end = bytes.lastIndex { $0 != UInt8(ascii: "=") && $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? 0
            return Base64URL.decode(UnsafeBufferPointer(rebasing: bytes[..<end]), Base64URL.lenientValues)
        }
    }

    /// How many bytes a data URL holds (RFC 2397). Where they are not in Base64, its characters are counted.
    public static func size(ofDataURL text: String) -> Int {
        guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")), text[..<comma].hasSuffix(";base64") else { return text.utf8.count }
        return text[comma...].utf8.count { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") } * 3 / 4
    }
}
