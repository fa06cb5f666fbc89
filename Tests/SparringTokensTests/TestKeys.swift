import SparringTokens
import SparringJSON

/// The keys the tests share, from `fixtures/keys`.
enum TestKeys {
    static let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/fixtures/keys"
    static let pool = try! KeyPool(folder: folder)

    /// A key for an algorithm; a second one under index 1.
    static func key(_ algorithm: SigningAlgorithm, _ index: Int = 0) throws -> SigningKey {
        switch algorithm {
        case .rs256: try pool.rsa(index)
        case .es256: try pool.ec(index)
        case .hs256: try SigningKey(secret: Array("a secret of thirty-two bytes, no. \(index)".utf8), kid: "secret-\(index)")
        }
    }
}

/// Runs what must throw a ``TokenError`` and gives its words.
func refusal(_ body: () throws -> Void) -> String {
    do {
        try body()
        return "not refused"
    } catch let error as TokenError {
        return error.description
    } catch {
        return "another error: \(error)"
    }
}

/// The UTF-8 of a JSON text, in base64url: a part of a token.
func part(_ text: String) -> String { Base64URL.encode(text.utf8) }
