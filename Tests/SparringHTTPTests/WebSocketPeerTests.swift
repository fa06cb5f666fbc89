import Foundation
import SparringHTTP
import Support
import Testing

/// Frames that Python makes, read by `wsproto` and `websockets`: what agrees with itself only proves nothing.
@Suite struct WebSocketPeerTests {
    @Test(.enabled("Python has no websockets and wsproto: make peers") { await Command.pythonHas("websockets", "wsproto") })
    func `every case of RFC 6455's sections ends as it should, over ws and wss`() async throws {
        let folder = try TemporaryFolder()
        let authority = try LocalAuthority.load(or: folder.path)
        let trust = folder.file("trust.pem")
        try authority.certificatePEM.write(toFile: trust, atomically: true, encoding: .utf8)
        let identity = try authority.identity(hosts: [])
        let handler = ScriptedHandler.echoing()
        try await withServer(
            handler,
            configure: {
                $0.addresses = ["127.0.0.1"]
                $0.tlsPort = 0
                $0.identity = identity
            }
        ) { server in
            let script = Repository.folder("Tests/peers/websocket_cases.py")
            let secure = try #require(server.tlsPort)
            let output = try await Command.python([script, String(server.port), String(secure), trust]).output()
            #expect(output.split(separator: "\n").last?.hasSuffix(" checks passed") == true, "\(output)")
        }
        let opened = handler.notes.count { $0 == "opened" }
        let closed = handler.notes.count { $0.hasPrefix("closed by") }
        #expect(opened == closed && opened > 600, "\(opened) were opened, \(closed) learned of their end")
    }
}
