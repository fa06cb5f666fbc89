import Crypto
import SparringJSON
public import SparringJournal

/// A file of a sandbox, as it was kept.
public struct StoredFile: Sendable {
    public var bytes: [UInt8]
    /// ``md5(of:)`` of the bytes.
    public var md5: String
    /// When it was kept, in sandbox time; nil: an earlier version of Sparring kept it.
    public var keptAt: Timestamp?

    /// The MD5 (RFC 1321) in hexadecimal digits, which object stores use as a file's entity tag. It distinguishes versions of a file and is no protection.
    public static func md5(of bytes: [UInt8]) -> String {
        var digest = Insecure.MD5()
        digest.update(data: bytes)
        return digest.finalize().hex
    }
}
