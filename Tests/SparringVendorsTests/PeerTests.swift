import SparringEngine
import Support
import Testing

/// Clients that others' libraries make: what agrees with itself only proves nothing.
@Suite struct PeerTests {
    @Test(
        .enabled("Python has not what the peers need: make peers") {
            await Command.pythonHas("joserfc", "requests", "websockets", "wsproto")
        },
        arguments: [
            "sign_in.py",  // a brand and its client: signs in and is refused
            "messaging.py",  // a consumer on two devices: talks, loses its socket and comes back
            "files.py",  // a consumer on two devices: shares pictures
            "agent.py",  // an agent's bot and its consumer: is rung, talks, hands over, closes
            "monitoring.py",  // an app: asks for engagements, reports, and comes again after a failure
            "push_endpoint_tls.py liveperson",  // a brand's push proxy that asks for a client certificate
            "push_endpoint_tls.py asapp",  // and a customer's push endpoint
            "connector.py",  // an app that speaks for consumers: hears by webhooks what happens, in spite of failures
            "agents.py",  // a consumer whose agents are played by the admin API and by scripts
            "pusher.py",  // a phone: registers, is pushed to and unregisters
            "faults.py",  // a client that looks at bytes and errno while faults strike, plain and within TLS
            "fault_sockets.py liveperson",  // the same for a consumer's sockets
            "fault_sockets.py cxone",  // and for a customer's
            "flows.py",  // an app on iOS and Android: every flow that the SDKs' documentation tells
        ])
    func `a Python client finds everything as the reference has it`(script: String) async throws {
        try await TestServer.run(tls: script.hasPrefix("fault")) { server in
            let words = script.split(separator: " ").map(String.init)
            let output = try await Command.python(
                [Repository.folder("Tests/peers/\(words[0])"), server.addresses.baseURL] + words.dropFirst()
            ).output()
            let end = output.split(separator: "\n").suffix(8).joined(separator: "\n")
            #expect(end.hasSuffix(" checks passed"), "\(end)")
        }
    }
}
