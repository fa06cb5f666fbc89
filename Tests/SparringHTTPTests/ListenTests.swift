import SparringHTTP
import Support
import Testing

/// Addresses and ports.
@Suite struct ListenTests {
    private static let hasIPv6 = (try? HTTPServer(options(["::1"]), handler: ScriptedHandler())) != nil

    private static func options(_ addresses: [String], port: Int = 0) -> HTTPServer.Options {
        var options = HTTPServer.Options()
        options.addresses = addresses
        options.port = port
        return options
    }

    @Test(.enabled(if: hasIPv6, "this machine has no IPv6 loopback"))
    func `IPv4 and IPv6 are served on one port`() async throws {
        try await withServer(configure: { _ in }) { server in
            #expect(server.addresses == ["127.0.0.1", "::1"])
            for address in server.addresses {
                let client = try RawClient(port: server.port, address: address)
                client.send("GET /\(address) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.answer().text == "GET /\(address)\n")
            }
        }
    }

    @Test func `a port that is taken is reported with what to do`() async throws {
        try await withServer { server in
            #expect {
                try HTTPServer(Self.options(["127.0.0.1"], port: server.port), handler: ScriptedHandler())
            } throws: { error in
                "\(error)" == "cannot listen on 127.0.0.1 port \(server.port): Address already in use"
                    + " (another server is using it; choose another --port, or 0 for a free one)"
            }
        }
    }

    @Test(arguments: [("localhost", "'localhost' is not an IPv4 or IPv6 address"), ("192.0.2.1", "cannot listen on 192.0.2.1 port 0: ")])
    func `an address that cannot be listened on is reported`(address: String, message: String) {
        #expect { try HTTPServer(Self.options([address]), handler: ScriptedHandler()) } throws: { "\($0)".hasPrefix(message) }
    }

    @Test func `a certificate that is none is reported`() {
        var options = Self.options(["127.0.0.1"])
        options.tlsPort = 0
        options.identity = ServerIdentity(keyPEM: "no key", certificatePEM: "no certificate")
        #expect { try HTTPServer(options, handler: ScriptedHandler()) } throws: { "\($0)".hasPrefix("libmicrohttpd did not start: ") }
    }

    @Test func `many servers get ports of their own`() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await withServer { $0.port } } }
            for try await port in group { #expect(port > 0) }
        }
    }
}
