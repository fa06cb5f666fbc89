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
}
