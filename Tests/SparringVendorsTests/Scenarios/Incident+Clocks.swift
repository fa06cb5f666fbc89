import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

extension Incident {
    static let clocks = [
        Incident("device-clock-slow-by-five-minutes") { stage async throws in
            let skew = try await stage.skew()
            #expect(skew > .seconds(290) && skew < .seconds(301))
            let token = try await stage.scene.mint(["form": "jwt"])
            try await stage.advance("239s")
            #expect(try await stage.signIn(token) == "200")
            try await stage.advance("2s")
            #expect(try await stage.signIn(token) == "500 mock-token-expired")
            #expect(try await stage.signIn() == "200")
        },
        Incident("device-clock-fast-by-five-minutes") { stage async throws in
            let skew = try await stage.skew()
            #expect(skew > .seconds(-301) && skew < .seconds(-290))
            #expect(try await stage.signIn() == "200")
        },
    ]

    static let certificates = [
        Incident("certificate-expired", .socket) { stage async throws in try await stage.goOn("expired") },
        Incident("certificate-for-another-host", .socket) { stage async throws in
            try await stage.goOn("wrong-host")
        },
        Incident("tls-handshake-stalls", .socket) { stage async throws in
            let client = try RawClient(port: try #require(stage.server.addresses.tlsDefects["stalled-handshake"]))
            client.send([0x16, 0x03, 0x01])
            #expect(client.isUp && client.readBlocking(.milliseconds(1)).bytes.isEmpty)
            client.close()
        },
    ]
}

extension Stage {
    /// A client that checks nothing is answered on the port, and found out.
    fileprivate func goOn(_ port: String) async throws {
        let client = try await TLSClient(port: try #require(server.addresses.tlsDefects[port]))
        await client.write("GET /api/account/acme/service/idp/baseURI.json?version=1.0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try await client.answer().status == 200)
        let findings = try await server.journal("?kind=exchange").flatMap { $0["findings"]?.array ?? [] }
        #expect(findings.contains { $0["code"] == "certificate-accepted" && $0["place"] == .string(port) }, "\(findings)")
        client.close()
    }
}
