package import Foundation
import X509

/// A certificate authority of this machine's own, kept in a folder, and the server certificate that it has signed. Its times are the wall
/// clock's: clients check certificates on theirs.
package struct LocalAuthority: Sendable {
    let folder: AuthorityFolder
    let own: CertifiedKey

    /// For the trust stores of clients.
    package var certificatePEM: String { own.certificatePEM }

    private static let lifetime: TimeInterval = 10 * 365 * 86_400

    /// Takes up the authority of a folder, or makes one there.
    ///
    /// - Throws: ``LocalAuthorityError`` naming the file: unreadable, damaged, key and certificate of different authorities. Nothing is
    ///   replaced then, since clients may trust what is there.
    package static func load(or path: String, now: Date = Date()) throws(LocalAuthorityError) -> LocalAuthority {
        let folder = try AuthorityFolder(path)
        guard let own = try folder.read(.authority) else {
            let made = try make("Sparring local CA", now)
            return try folder.add(.authority, made) ? LocalAuthority(folder: folder, own: made) : load(or: path, now: now)
        }
        guard own.certificate.notValidAfter > now else {
            throw LocalAuthorityError(
                folder.path(.authority), "the authority expired on \(own.certificate.notValidAfter); remove the file to make a new one")
        }
        return LocalAuthority(folder: folder, own: own)
    }

    /// Another one, whose key is nowhere else.
    func stranger(now: Date) throws(LocalAuthorityError) -> LocalAuthority {
        LocalAuthority(folder: folder, own: try Self.make("Sparring untrusted CA", now))
    }

    private static func make(_ name: String, _ now: Date) throws(LocalAuthorityError) -> CertifiedKey {
        try CertifiedKey(name, for: nil, from: now.addingTimeInterval(-3600), until: now.addingTimeInterval(lifetime), by: nil)
    }
}

/// Why there is no certificate, with the file that it is about.
package struct LocalAuthorityError: Error, Sendable, Equatable, CustomStringConvertible {
    package var file: String
    package var reason: String
    /// The file or its folder cannot be written.
    package var isUnwritable: Bool
    /// It is about a word of the command line, which stands in the file's place.
    package var isUsage: Bool

    init(_ file: String, _ reason: String, isUnwritable: Bool = false, isUsage: Bool = false) {
        self.file = file
        self.reason = reason
        self.isUnwritable = isUnwritable
        self.isUsage = isUsage
    }

    package var description: String { "\(file): \(reason)" }
}
