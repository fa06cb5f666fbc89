import SparringJSON

/// The purpose of a connection to a forward proxy, as its first bytes show it.
enum ProxyHead: Equatable {
    /// More has to come.
    case more
    /// A tunnel (RFC 9110 §9.3.6). `length`: of the whole head.
    case connect(host: String, port: Int, length: Int)
    /// A request in absolute form over plain HTTP (RFC 9112 §3.2.2). `length`: of the whole head.
    case request(host: String, port: Int, length: Int)
    /// Neither, or nothing that can be read: libmicrohttpd has the words for what is wrong.
    case other

    /// - Parameters:
    ///   - bytes: the beginning of the connection.
    ///   - isWhole: a request's head is read whole too; otherwise it is ``other`` at once.
    init(_ bytes: UnsafeRawBufferPointer, readingRequests isWhole: Bool) {
        let method = Array("CONNECT ".utf8)
        let begin = bytes.prefix(method.count)
        let isConnect = begin.elementsEqual(method[..<begin.count])
        guard isConnect || isWhole else {
            self = .other
            return
        }
        guard let length = Self.length(bytes) else {
            self = .more
            return
        }
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3 else {
            self = .other
            return
        }
        if isConnect {
            // Without a port it is malformed (RFC 9112 §3.2.3).
            let authority = Authority(words[1])
            self =
                authority.flatMap { authority in
                    authority.port.map { .connect(host: authority.host.lowercased(), port: $0, length: length) }
                } ?? .other
        } else {
            let parts = URIParts(String(words[1]))
            let authority = parts.flatMap { $0.scheme == "http" ? Authority($0.authority) : nil }
            self = authority.map { .request(host: $0.host.lowercased(), port: $0.port ?? 80, length: length) } ?? .other
        }
    }

    /// Nil while the empty line has not come. libmicrohttpd takes a bare LF as well (RFC 9112 §2.2).
    private static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var isLineEmpty = false
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\n"):
                if isLineEmpty { return place + 1 }
                isLineEmpty = true
            case UInt8(ascii: "\r"): break
            default: isLineEmpty = false
            }
        }
        return nil
    }

    /// The head of a request in absolute form as its own host takes it: in origin form (RFC 9112 §3.2.1), without the fields that are meant for the proxy
    /// (RFC 9110 §7.6.1, §11.7.1), and as the last of its connection, since the next request may be for another host.
    static func forwarded(_ head: UnsafeRawBufferPointer) -> [UInt8] {
        // Byte by byte: a field's value may be no UTF-8 (RFC 9110 §5.5).
        let lines = head.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        guard let first = lines.first else { return [] }
        var words = first.split(separator: UInt8(ascii: " "), maxSplits: 2).map { Array($0) }
        if words.count > 1 {
            let rest = URIParts(String(decoding: words[1], as: UTF8.self))?.rest ?? "/"
            words[1] = Array((rest.hasPrefix("/") ? "" : "/").utf8) + rest.utf8
        }
        let isUpgrade = lines.contains { name(of: $0) == "upgrade" }
        let dropped: Set = isUpgrade ? proxyFields : proxyFields.union(["connection", "keep-alive"])
        var forwarded = Array(words.joined(separator: [UInt8(ascii: " ")]))
        for line in lines.dropFirst() where !dropped.contains(name(of: line)) { forwarded += Array("\r\n".utf8) + line }
        return forwarded + (isUpgrade ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n").utf8
    }

    private static let proxyFields: Set = ["proxy-connection", "proxy-authorization"]

    private static func name(of line: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
    }
}
