import CCurl
import Glibc

/// How a call shows who makes it (mutual TLS, RFC 8446 §4.4.2), and whom it trusts.
public final class ClientTLS: Sendable {
    private let certificate: MemoryFile?
    private let key: MemoryFile?
    private let authorities: MemoryFile?
    private let isTrusting: Bool

    /// - Parameters:
    ///   - certificate: the client's, and those that lead to its authority, in PEM.
    ///   - key: of the first of them, in PEM.
    ///   - trusted: authorities beside those of the system, in PEM.
    public init(certificate: String?, key: String?, trusted: String?) throws(CallFailure) {
        self.certificate = try certificate.map(MemoryFile.init)
        self.key = try key.map(MemoryFile.init)
        authorities = try trusted.map { text throws(CallFailure) in try MemoryFile((try Self.system() ?? "") + "\n" + text) }
        isTrusting = false
    }

    /// - Parameter authorities: the only ones that are trusted, in PEM; nil: any certificate is.
    package init(only authorities: String?) throws(CallFailure) {
        (certificate, key) = (nil, nil)
        self.authorities = try authorities.map(MemoryFile.init)
        isTrusting = authorities == nil
    }

    package func apply(to easy: UnsafeMutableRawPointer, _ curl: Curl) {
        if let certificate { curl.set(easy, CURLOPT_SSLCERT, certificate.path) }
        if let key { curl.set(easy, CURLOPT_SSLKEY, key.path) }
        if let authorities { curl.set(easy, CURLOPT_CAINFO, authorities.path) }
        if isTrusting {
            curl.set(easy, CURLOPT_SSL_VERIFYPEER, 0)
            curl.set(easy, CURLOPT_SSL_VERIFYHOST, 0)
        }
    }

    /// The authorities that libcurl trusts by default, which another file would replace; nil where it knows no such file.
    private static func system() throws(CallFailure) -> String? {
        guard let path = try Curl.library().authorities, let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A text in memory that has a path: both flavours of libcurl read certificates from files, and only one from memory, while keys are not for the disk.
final class MemoryFile: Sendable {
    private let descriptor: Int32

    var path: String { "/proc/self/fd/\(descriptor)" }

    init(_ text: String) throws(CallFailure) {
        descriptor = sparring_memory_file("sparring")
        let bytes = Array(text.utf8)
        var written = 0
        while descriptor >= 0, written < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, bytes.count - written) }
            guard count > 0 else { break }
            written += count
        }
        guard descriptor >= 0, written == bytes.count else {
            throw CallFailure(.network(errno: errno), "no memory for a certificate: \(CallFailure.words(errno))")
        }
    }

    deinit { close(descriptor) }
}
