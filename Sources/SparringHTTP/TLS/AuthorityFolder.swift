import Crypto
import Foundation
import SparringJSON
import SwiftASN1
import SystemPackage
import X509

/// The folder of certificates and their keys, a file for each pair, readable by this user only: the certificate's PEM, then the key's. One
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
            throw LocalAuthorityError(folder, "cannot be made: \(SystemReason(error).text)", isUnwritable: true)
        }
    }

    func path(_ pair: Pair) -> String { folder + "/" + pair.rawValue }

    /// Nil where there is no such file.
    ///
    /// - Throws: also where others may have read the key: devices trust what is signed with it.
    func read(_ pair: Pair) throws(LocalAuthorityError) -> CertifiedKey? {
        guard let permissions = try? Stat(FilePath(path(pair))).permissions else { return nil }
        guard permissions.rawValue & 0o077 == 0 else {
            let mode = String(permissions.rawValue & 0o777, radix: 8)
            throw LocalAuthorityError(
                path(pair), "its key can be read by others (mode \(mode)): chmod 600 it, or remove it to make a new one")
        }
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
            return try CertifiedKey(certificate, key)
        } catch let error as LocalAuthorityError {
            throw error
        } catch {
            throw LocalAuthorityError(path(pair), "is damaged: \(error); remove it to make a new one")
        }
    }

    /// Puts a pair in the place of the one that is there.
    func replace(_ pair: Pair, _ made: CertifiedKey) throws(LocalAuthorityError) { _ = try put(pair, made, rename) }

    /// Puts a pair where none is.
    ///
    /// - Returns: false, with nothing changed, where another process was faster.
    func add(_ pair: Pair, _ made: CertifiedKey) throws(LocalAuthorityError) -> Bool { try put(pair, made, link) }

    /// Writes a pair, complete and on the disk, under a name of its own, and gives it its name then.
    ///
    /// - Returns: false where `give` found the name taken.
    private func put(
        _ pair: Pair, _ made: CertifiedKey, _ give: (_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32
    ) throws(LocalAuthorityError) -> Bool {
        func failure() -> LocalAuthorityError {
            LocalAuthorityError(path(pair), "cannot be written: " + String(cString: strerror(errno)), isUnwritable: true)
        }
        var temporary = Array((path(pair) + "." + String(repeating: "X", count: 6)).utf8CString)
        let descriptor = mkstemp(&temporary)  // readable by this user only from the start (mkstemp(3))
        guard descriptor >= 0 else { throw failure() }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        var text = made.certificatePEM + made.keyPEM
        let count = text.utf8.count
        guard text.withUTF8({ write(descriptor, $0.baseAddress, count) }) == count, fsync(descriptor) == 0 else { throw failure() }
        if give(temporary, path(pair)) == 0 { return true }
        guard errno == EEXIST else { throw failure() }
        return false
    }
}
