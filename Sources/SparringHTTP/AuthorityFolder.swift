import Crypto
import Foundation
import SwiftASN1
import X509

/// Where certificates and their keys are kept, a file for each pair, readable by this user only: the certificate's PEM, then the key's. One
/// file, written at once, cannot be half a pair after a crash.
struct AuthorityFolder: Sendable {
    enum Pair: String {
        case authority = "ca.pem"
        case leaf = "leaf.pem"
    }

    private let folder: String

    init(_ folder: String) throws(LocalAuthorityError) {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw LocalAuthorityError(folder, "cannot be made: \(error.localizedDescription)")
        }
    }

    func path(_ pair: Pair) -> String { folder + "/" + pair.rawValue }

    /// Nil where there is no such file.
    func read(_ pair: Pair) throws(LocalAuthorityError) -> (Certificate, P256.Signing.PrivateKey)? {
        guard FileManager.default.fileExists(atPath: path(pair)) else { return nil }
        guard let data = FileManager.default.contents(atPath: path(pair)) else { throw LocalAuthorityError(path(pair), "cannot be read") }
        let text = String(decoding: data, as: UTF8.self)
        guard let end = text.range(of: "-----END CERTIFICATE-----") else {
            throw LocalAuthorityError(path(pair), "holds no certificate; remove it to make a new one")
        }
        do {
            let certificate = try Certificate(pemEncoded: String(text[..<end.upperBound]))
            let key = try P256.Signing.PrivateKey(
                pemRepresentation: String(text[end.upperBound...]).trimmingCharacters(in: .whitespacesAndNewlines))
            guard certificate.publicKey == Certificate.PublicKey(key.publicKey) else {
                throw LocalAuthorityError(path(pair), "key and certificate do not belong together; remove it to make new ones")
            }
            return (certificate, key)
        } catch let error as LocalAuthorityError {
            throw error
        } catch {
            throw LocalAuthorityError(path(pair), "is damaged: \(error); remove it to make a new one")
        }
    }

    func write(_ pair: Pair, _ certificate: Certificate, _ key: P256.Signing.PrivateKey) throws(LocalAuthorityError) {
        let temporary = path(pair) + ".\(getpid())"
        do {
            let text = try certificate.serializeAsPEM().pemString + "\n" + key.pemRepresentation + "\n"
            guard FileManager.default.createFile(atPath: temporary, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
            else {
                throw LocalAuthorityError(temporary, "cannot be written")
            }
            guard rename(temporary, path(pair)) == 0 else { throw LocalAuthorityError(path(pair), String(cString: strerror(errno))) }
        } catch let error as LocalAuthorityError {
            throw error
        } catch {
            throw LocalAuthorityError(path(pair), "cannot be written: \(error)")
        }
    }
}
