import Foundation
import SparringJSON
import Support
import Testing

@Suite(.fewAtATime) struct StormTests {
    @Test func `ten thousand malformed requests leave the server answering, with nothing changed and nothing leaked`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        _ = try await server.send(
            "PUT", "/__admin/sandboxes/default/clock", body: Array(#"{"mode":"frozen"}"#.utf8),
            headers: [("Content-Type", "application/json")])
        let before = try await server.get("/__admin/sandboxes")
        let tenants = try #require(before.json?["sandboxes"]?.array?.first?["tenants"])
        let account = try #require(tenants["liveperson"]?["accountId"]?.string)
        let tenant = try #require(tenants["identity"]?["tenantId"]?.string)
        let port = String(server.ready["port"]?.integer ?? 0)

        func storm(_ count: Int, seed: Int) async throws -> (descriptors: Int, resident: Int) {
            let storm = Repository.folder("Tests/peers/storm.py")
            let output = try await Command.python([storm, port, account, tenant, String(count), String(seed)]).output()
            let answers = try #require(try JSON(parsing: output)["answers"]?.object)
            // Each kind of mistake has its own status; 500 is how the vendor refuses a sign-in.
            for status in ["400", "401", "404", "405", "413", "414", "422", "431", "500", "none"] {
                #expect(answers[status] != nil, "\(output)")
            }
            return (try descriptors(of: server), try await resident(server))
        }

        let warm = try await storm(2_000, seed: 1)
        let after = try await storm(8_000, seed: 2)
        // Those that were cut off in the middle of a request are dropped after the idle limit of 75 s.
        let deadline = ContinuousClock.now + .seconds(150)
        var open = after.descriptors
        while open > warm.descriptors + 16, ContinuousClock.now < deadline {
            _ = try await server.get("/__admin/version")
            open = try descriptors(of: server)
        }
        #expect(open <= warm.descriptors + 16, "\(warm.descriptors) descriptors, then \(open)")
        #expect(after.resident <= warm.resident + (16 << 20), "\(warm.resident) bytes, then \(after.resident)")

        #expect(try await server.get("/__admin/sandboxes").text == before.text)
        #expect(try await server.get("/__admin/sandboxes/default/faults").json?["faults"] == [])
        #expect(try await server.get("/api/account/\(account)/service/idp/baseURI.json").status == 200)
        let findings = try await server.get("/__admin/sandboxes/default/journal?kind=finding").json?["entries"]
        let own = findings?.array?.filter { $0["causeCode"] != "body-broken-off" && $0["causeCode"] != "body-too-large" }
        #expect(own == [], "Sparring's own answers were all as the contract says")
        #expect(try await server.stop() == 0)
    }

    private func descriptors(of server: ServerProcess) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.pid)/fd").count
    }

    private func resident(_ server: ServerProcess) async throws -> Int {
        let metrics = try await server.get("/__admin/metrics").text
        let line = try #require(metrics.split(separator: "\n").last { $0.hasPrefix("sparring_resident_bytes ") })
        return try #require(Int(line.split(separator: " ")[1]))
    }
}
