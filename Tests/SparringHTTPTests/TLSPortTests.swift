import Foundation
import SparringHTTP
import Support
import Testing

/// Further TLS ports, defective ones among them.
@Suite struct TLSPortTests {
    private static func start(_ handler: ScriptedHandler, _ ports: [TLSPort]) throws -> HTTPServer {
        var options = HTTPServer.Options()
        options.addresses = ["127.0.0.1"]
        options.extraPorts = ports
        options.headTimeout = patience
        return try HTTPServer(options, handler: handler)
    }

    @Test func `a request says by which further port it came`() async throws {
        let ports = try TemporaryFolder.run { try LocalAuthority.load(or: $0).defectivePorts(hosts: []) }
        let handler = ScriptedHandler()
        let server = try Self.start(handler, ports)
        #expect(Set(server.extraPorts.keys) == Set(CertificateDefect.allCases.map(\.rawValue) + ["old-tls", "stalled-handshake"]))
        #expect(Set(server.extraPorts.values).count == server.extraPorts.count && server.tlsPort == nil)
        for defect in CertificateDefect.allCases {
            let client = try await TLSClient(port: try #require(server.extraPorts[defect.rawValue]))
            await client.write("GET /\(defect) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer().text == "GET /\(defect)\n")
            #expect(handler.heads.last?.listener == defect.rawValue && handler.heads.last?.isTLS == true)
        }
        let plain = try RawClient(port: server.port)
        plain.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await plain.answer().status == 200)
        #expect(handler.heads.last?.listener == nil)
        await server.stop(grace: .zero) {}
    }

    @Test func `a client that turns away from a certificate is reported, and one that sends a request is not`() async throws {
        let folder = try TemporaryFolder()
        let authority = try LocalAuthority.load(or: folder.path)
        let handler = ScriptedHandler()
        let server = try Self.start(handler, try authority.defectivePorts(hosts: []))
        for defect in CertificateDefect.allCases {
            let port = try #require(server.extraPorts[defect.rawValue])
            let heedless = try await TLSClient(port: port)
            await heedless.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try await heedless.answer().status == 200)
            #expect(await heedless.read(within: patience) { _ in false }.end == .closed)
            await #expect(throws: RawClient.Failed.self) { try await TLSClient(port: port, trusting: authority.certificatePEM) }
            try await until { handler.silent.last == defect.rawValue }
        }
        #expect(handler.silent == CertificateDefect.allCases.map(\.rawValue))
        await server.stop(grace: .zero) {}
    }

    @Test func `the ordinary port reports how far a connection without a request came, unless it sent nothing`() async throws {
        let folder = try TemporaryFolder()
        let (own, other) = (try LocalAuthority.load(or: folder.file("own")), try LocalAuthority.load(or: folder.file("other")))
        let handler = ScriptedHandler()
        var options = HTTPServer.Options()
        options.addresses = ["127.0.0.1"]
        options.tlsPort = 0
        options.identity = try own.identity(hosts: [])
        options.headTimeout = patience
        let server = try HTTPServer(options, handler: handler)
        let port = try #require(server.tlsPort)
        func extents() -> [SilentConnection.Extent] {
            handler.events.compactMap { if case .silent(nil, _, true, let extent) = $0 { extent } else { nil } }
        }
        for round in 1...5 {
            try RawClient(port: port).close()
            await #expect(throws: RawClient.Failed.self) { try await TLSClient(port: port, trusting: other.certificatePEM) }
            let plain = try RawClient(port: port)
            plain.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = await plain.read()
            try await until { extents().count == 2 * round }
            #expect(extents().suffix(2).count { $0 == .notTLS } == 1, "\(extents())")
        }
        let served = try await TLSClient(port: port, trusting: own.certificatePEM)
        await served.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await served.answer().status == 200)
        #expect(extents().count == 10)
        await server.stop(grace: .zero) {}
    }

    @Test func `a stalled handshake takes what comes and never answers, until the client leaves or the server stops`() async throws {
        let handler = ScriptedHandler()
        let server = try Self.start(handler, [TLSPort(name: "stalled", kind: .stalledHandshake)])
        let port = try #require(server.extraPorts["stalled"])
        let clients = try (0..<50).map { _ in try RawClient(port: port) }
        // More than the kernel would keep: it is read.
        for client in clients { client.send([UInt8](repeating: 0x16, count: 1000)) }
        await aside { clients[0].send([UInt8](repeating: 0x16, count: 20_000_000)) }
        #expect(clients.allSatisfy { $0.isUp && $0.readBlocking(.milliseconds(1)).bytes.isEmpty })
        clients[1].finishSending()
        #expect(await clients[1].read().end == .closed)
        await server.stop(grace: .zero) {}
        for client in clients {
            let (bytes, end) = await client.read()
            #expect(bytes.isEmpty && end == .closed)
        }
        // Who came, and who left before the server stopped.
        let told = handler.events.compactMap { event -> (Int, Bool)? in
            if case .silent("stalled", let connection, let isLeft, _) = event { (connection, isLeft) } else { nil }
        }
        #expect(told.count == handler.events.count && Set(told.map(\.0)).count == 50 && told.count { $0.1 } == 1)
        #expect(throws: RawClient.Failed.self) { try RawClient(port: port) }
    }

    @Test func `a further port that is taken is reported, and nothing stays open`() async throws {
        let taken = try Self.start(ScriptedHandler(), [])
        #expect {
            try Self.start(
                ScriptedHandler(),
                [TLSPort(name: "stalled", kind: .stalledHandshake), TLSPort(name: "other", port: taken.port, kind: .stalledHandshake)])
        } throws: { "\($0)".hasPrefix("cannot listen on 127.0.0.1 port \(taken.port): Address already in use") }
        await taken.stop(grace: .zero) {}
    }

    @Test(
        .enabled("there is no openssl") { (try? await Command("openssl", "version").output()) != nil },
        arguments: [
            (CertificateDefect.expired, "certificate has expired"), (.notYetValid, "certificate is not yet valid"),
            (.wrongHost, "hostname mismatch"), (.untrustedIssuer, "self-signed certificate in certificate chain"),
            (.selfSigned, "self-signed certificate"),
        ])
    func `openssl finds this one defect and no other`(defect: CertificateDefect, words: String) async throws {
        let folder = try TemporaryFolder()
        let authority = try LocalAuthority.load(or: folder.path)
        let (trust, chain) = (folder.file("trust.pem"), folder.file("chain.pem"))
        try authority.certificatePEM.write(toFile: trust, atomically: true, encoding: .utf8)
        try authority.identity(with: defect, hosts: ["sparring.test"]).certificatePEM.write(
            toFile: chain, atomically: true, encoding: .utf8)
        let end = try await Command(
            "openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", "sparring.test", "-CAfile", trust,
            "-untrusted", chain, chain
        ).run()
        #expect(end.status == 2)
        let found = end.errors.split(separator: "\n").filter { $0.hasPrefix("error ") && $0.contains(" depth lookup: ") }
        #expect(found.count == 1 && found.first?.lowercased().hasSuffix(words) == true, "\(end.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["ca.pem", "chain.pem", "trust.pem"])
    }
}
