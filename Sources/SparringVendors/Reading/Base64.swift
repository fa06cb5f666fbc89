import SparringTokens

/// The padded alphabet of RFC 4648 §4, which Basic needs.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        let unpadded = String(Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        return unpadded + String(repeating: "=", count: (4 - unpadded.count % 4) % 4)
    }

    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let unpadded = text.reversed().drop { $0 == "=" }.reversed()
        return Base64URL.decode(String(unpadded.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
    }

    /// How many bytes a data URL holds (RFC 2397). Where they are not in Base64, its characters are counted.
    static func size(ofDataURL text: String) -> Int {
        guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")), text[..<comma].hasSuffix(";base64") else { return text.utf8.count }
        return text[comma...].utf8.count { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") } * 3 / 4
    }
}
