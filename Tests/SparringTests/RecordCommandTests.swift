import Foundation
import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// `sparring record`: a client and a vendor, with Sparring between them.
@Suite(.fewAtATime) struct RecordCommandTests {
    @Test func `what is wrong with its options is said`() async throws {
        for (words, reason) in [
            (["--", "true"], "--to is missing"), (["--to", "parrot=http://a", "--", "true"], "--to: there is no vendor 'parrot'"),
            (["--to", "asapp=http://a"], "<command>"), (["--to", "asapp=http://a", "--fault", "", "--", "true"], "--fault is empty"),
            (["--to", "asapp=http://a", "--url", "http://b", "--", "true"], "--url: a recording"),
        ] {
            let end = try await sparring(["record"] + words, environment: [:])
            #expect(end.status == 64 && end.errors.contains(reason), "\(words) \(end)")
        }
    }

    @Test func `a client is recorded, and its recording replayed`() async throws {
        let folder = try TemporaryFolder()
        let settings: JSON.Object = ["talkdesk": ["account": "acme"]]
        let config = try folder.write("sandboxes: [{ name: default, tenants: { talkdesk: { account: acme } } }]\n", to: "account.yaml")
        let client = try folder.write(
            """
            set -e
            token=$(curl -sf "$SPARRING_URL/access?account=$SPARRING_TALKDESK_ACCOUNT")
            curl -sf "$SPARRING_URL/gateway/acme/visual-sessions/interactions" -H "Authorization: Bearer $token" \\
              -H 'Content-Type: application/json' -d '{"app_id":"example-app-ios","intention":"support"}'
            exit 3
            """, to: "client.sh")
        try await TestServer.run(.socket, clock: nil, tenants: settings) { vendor in
            let host = "http://127.0.0.1:\(vendor.addresses.port)"
            try await vendor.admin(
                .post, "faults",
                [
                    "fault":
                        "talkdesk.startInteraction status code=201 type=application/json body=\"{\\\"id\\\":7}\" phase=onResponseStart times=1"
                ])
            let out = folder.file("talk.har")
            let end = try await sparring(
                [
                    "record", "--to", "talkdesk=\(host)", "--to", "talkdesk.Backend=\(host)", "--config", config, "--out", out, "--", "sh",
                    client,
                ], environment: [:])
            #expect(end.status == 3 && end.output.contains("talk.har: 2 calls, 0 messages"), "\(end)")
            #expect(end.errors.contains("the vendor differs from the contract: talkdesk.startInteraction: answer: body.id"), "\(end)")
            #expect(try await vendor.journal("?operation=talkdesk.startInteraction").count == 1)
            #expect(try await sparring(["scan", out], environment: [:]).status == 0)
            let replay = try await sparring(["replay", out], environment: [:])
            #expect(
                replay.status == 1 && replay.output.contains("talkdesk.startInteraction: answer body.id is string: recorded integer"),
                "\(replay)")
        }
    }
}
