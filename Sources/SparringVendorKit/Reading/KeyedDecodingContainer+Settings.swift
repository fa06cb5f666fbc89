import SparringEngine
import SparringJSON
public import SparringTokens

/// Members of a tenant's configuration whose text means something that no schema can check.
extension KeyedDecodingContainer {
    /// A public key: a SubjectPublicKeyInfo or an X.509 certificate, in PEM or its base64.
    ///
    /// - Parameters:
    ///   - algorithm: that the key must be for.
    ///   - words: why another is refused.
    public func publicKey(forKey key: Key, for algorithm: SigningAlgorithm, otherwise words: String) throws -> VerificationKey {
        let text = try decode(String.self, forKey: key)
        let read: VerificationKey
        do throws(TokenError) { read = try VerificationKey(pem: text) } catch { throw refusal(of: key, error.reason) }
        guard read.algorithm == algorithm else { throw refusal(of: key, words) }
        return read
    }

    /// A URL that is called: an absolute `http` or `https` URL, or a path of this server.
    public func endpointIfPresent(forKey key: Key) throws -> String? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        do throws(HTTPURL.Malformed) {
            if text.hasPrefix("/") { try HTTPURL.checkPath(text) } else { _ = try HTTPURL(text) }
        } catch {
            let expected = "a URL such as https://brand.example/keys or a path of this server is expected"
            throw refusal(of: key, "'\(text.abbreviated(to: 200))' \(error); \(expected)")
        }
        return text
    }

    /// Why a member cannot be used.
    public func refusal(of key: Key, _ words: String) -> DecodingError {
        DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: words)
    }
}
