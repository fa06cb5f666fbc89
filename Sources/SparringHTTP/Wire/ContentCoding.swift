internal import CZlib

/// How a request's body may be compressed (RFC 9110 §8.4.1).
package enum ContentCoding: String, CaseIterable, Sendable {
    case gzip, deflate

    package enum Failure: Error, Equatable {
        /// It is no text of that coding, or breaks off.
        case malformed
        /// It stands for more bytes than are read.
        case tooLong
    }

    /// A coding by its name in a `Content-Encoding` (RFC 9110 §8.4.1: case-insensitive; `x-gzip` is the same as `gzip`).
    package init?(name: String) {
        let name = name.lowercased()
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// zlib's number for the formats that it is to read: gzip or zlib, whichever begins the bytes.
    private static let eitherFormat: Int32 = 15 + 32
    /// For deflate without the zlib format around it, which some clients send as `deflate` (RFC 9110 §8.4.1.2).
    private static let raw: Int32 = -15

    /// - Parameter limit: bytes that the result has at most.
    package func decode(_ bytes: [UInt8], atMost limit: Int) throws(Failure) -> [UInt8] {
        let isRaw = self == .deflate && !Self.beginsAsZlib(bytes)
        var stream = z_stream()
        guard sparring_inflate_begin(&stream, isRaw ? Self.raw : Self.eitherFormat) == Z_OK else { throw .malformed }
        defer { inflateEnd(&stream) }
        var decoded: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 32 * 1024)
        var input = bytes
        var (status, isTooLong) = (Z_OK, false)
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            while status == Z_OK, !isTooLong {
                piece.withUnsafeMutableBufferPointer { piece in
                    stream.next_out = piece.baseAddress
                    stream.avail_out = UInt32(clamping: piece.count)
                    status = inflate(&stream, Z_NO_FLUSH)
                }
                decoded.append(contentsOf: piece.prefix(piece.count - Int(stream.avail_out)))
                isTooLong = decoded.count > limit
            }
        }
        if isTooLong { throw .tooLong }
        // Z_BUF_ERROR: there is no more input, and no end has come.
        guard status == Z_STREAM_END, stream.avail_in == 0 else { throw .malformed }
        return decoded
    }

    /// RFC 1950 §2.2: the method 8 and a check of the first two bytes.
    private static func beginsAsZlib(_ bytes: [UInt8]) -> Bool {
        bytes.count > 1 && bytes[0] & 0x0F == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
    }
}
