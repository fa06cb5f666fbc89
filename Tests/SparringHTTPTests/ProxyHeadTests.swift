import Testing

@testable import SparringHTTP

/// The first bytes of a connection as a forward proxy reads them.
@Suite struct ProxyHeadTests {
    private static func read(_ text: String, readingRequests isWhole: Bool = true) -> ProxyHead {
        Array(text.utf8).withUnsafeBytes { ProxyHead($0, readingRequests: isWhole) }
    }

    @Test(arguments: [
        ("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\nrest", ProxyHead.connect(host: "a.example", port: 443, length: 55)),
        ("CONNECT A.Example:80 HTTP/1.1\n\n", .connect(host: "a.example", port: 80, length: 31)),
        ("CONNECT [::1]:8443 HTTP/1.1\r\n\r\n", .connect(host: "::1", port: 8443, length: 31)),
        ("GET http://a.example/x?y HTTP/1.1\r\n\r\n", .request(host: "a.example", port: 80, length: 37)),
        ("GET HTTP://a.example:81 HTTP/1.1\r\n\r\n", .other),  // libmicrohttpd and the pipeline have the words
        ("POST http://a.example:8080/ HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody", .request(host: "a.example", port: 8080, length: 59)),
        ("", .more), ("CON", .more), ("CONNECT a.example:443 HTTP/1.1\r\n", .more), ("GET http://a.example/ HTTP/1.1\r\nA: b\r\n", .more),
        ("CONNECT a.example HTTP/1.1\r\n\r\n", .other),  // no port
        ("CONNECT a.example:99999 HTTP/1.1\r\n\r\n", .other), ("CONNECT a b:443 HTTP/1.1\r\n\r\n", .other),
        ("CONNECT  HTTP/1.1\r\n\r\n", .other), ("GET /x HTTP/1.1\r\n\r\n", .other), ("GET https://a.example/ HTTP/1.1\r\n\r\n", .other),
        ("\u{16}\u{3}\u{1}\r\n\r\n", .other), ("\r\n\r\n", .other),
    ])
    func `the head says who is called`(head: String, asked: ProxyHead) { #expect(Self.read(head) == asked) }

    @Test func `where nothing is passed on, only a CONNECT is waited for`() {
        #expect(Self.read("GET http://a.exam", readingRequests: false) == .other)
        #expect(Self.read("CONN", readingRequests: false) == .more)
        #expect(Self.read("CONNECT a:1 HTTP/1.1\r\n\r\n", readingRequests: false) == .connect(host: "a", port: 1, length: 24))
    }

    @Test(arguments: [
        (
            "GET http://a.example/x?y#z HTTP/1.1\r\nHost: a.example\r\nProxy-Connection: keep-alive\r\nConnection: keep-alive\r\n\r\n",
            "GET /x?y#z HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n"
        ),
        ("GET http://a.example HTTP/1.0\n\n", "GET / HTTP/1.0\r\nConnection: close\r\n\r\n"),
        ("GET http://a.example?q HTTP/1.1\r\nProxy-Authorization: Basic eA==\r\n\r\n", "GET /?q HTTP/1.1\r\nConnection: close\r\n\r\n"),
        (
            "GET http://a.example/s HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
            "GET /s HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        ),
    ])
    func `a request is passed on as its own host takes it`(head: String, forwarded: String) {
        let bytes = Array(head.utf8).withUnsafeBytes { ProxyHead.forwarded($0) }
        #expect(String(decoding: bytes, as: UTF8.self) == forwarded)
    }

    @Test func `a value that is no UTF-8 is passed on as it is`() {
        let head = Array("GET http://a/ HTTP/1.1\r\nX: ".utf8) + [0xE4] + Array("\r\n\r\n".utf8)
        #expect(head.withUnsafeBytes { ProxyHead.forwarded($0) }.contains(0xE4))
    }
}
