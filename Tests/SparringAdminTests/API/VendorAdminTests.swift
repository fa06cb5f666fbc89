import BirdSupport
import ParrotVendor
import Foundation
import GRDB
import HTTPTypes
import SparringContract
@testable import SparringEngine
import SparringJSON
import SparringSandbox
import SparringTestKit
import Support
import Testing

/// The operations that vendors add to the admin API: at their own paths, by name, and in the list of operations.
@Suite struct VendorAdminTests {
    private static let acts = "/__admin/sandboxes/default/acts"

    private func run(_ speed: TestServer.Speed = .pipeline, _ body: (TestServer) async throws -> Void) async throws {
        try await Aviary.run(speed) { server in
            try await server.engine.world.store.write { db in
                try db.execute(sql: "INSERT INTO parrot_perch (sandbox, bird) VALUES ('default', 'polly'), ('default', 'thief')")
            }
            try await body(server)
        }
    }

    @Test(arguments: TestServer.Speed.usual)
    func `an operation is done at its own path, journalled in its lane, and draws by its place there`(_ speed: TestServer.Speed)
        async throws
    {
        try await run(speed) { server in
            var feathers: [String] = []
            for text in ["ahoy", "again"] {
                let answer = try await server.admin(.post, "parrot/squawks", ["consumer": "polly", "text": .string(text)])
                #expect(answer["vendor"] == "parrot" && answer["bird"] == "polly")
                feathers.append(answer["feather"]?.string ?? "")
            }
            #expect(Set(feathers).count == 2)
            let entries = try await server.journal("?kind=configuration")
            #expect(entries.map { $0["cause"] } == ["polly squawked 'ahoy'", "polly squawked 'again'"])
            #expect(entries.map { $0["ordinal"] } == [1, 2] && entries.allSatisfy { $0["lane"] == "polly" })
            #expect(entries.first?["details"] == ["consumer": "polly", "text": "ahoy", "act": "parrot.squawk"])
        }
    }

    @Test func `an act that is refused takes no place in its lane`() async throws {
        try await run { server in
            let path = "/__admin/sandboxes/default/parrot/squawks"
            for text in ["hush", ""] {
                #expect(try await server.problem(.post, path, ["consumer": "polly", "text": .string(text)]).status >= 409)
            }
            #expect(try await server.problem(.post, path, ["consumer": "gull", "text": "x"]).status == 422)
            _ = try await server.admin(.post, "parrot/squawks", ["consumer": "polly", "text": "ahoy"])
            #expect(try await server.journal("?kind=configuration").map { $0["ordinal"] } == [1])
        }
    }

    /// Without a vendor, and with whom the arguments name.
    @Test(
        arguments: [
            (["operation": "squawk", "with": ["consumer": "polly", "text": "x"]], 200, "parrot"),
            (["operation": "squawk", "with": ["consumer": "maggie", "text": "x"]], 200, "magpie"),
            (["operation": "squawk", "vendor": "magpie", "with": ["consumer": "thief", "text": "x"]], 200, "magpie"),
            (["operation": "squawk", "vendor": "parrot", "with": ["consumer": "thief", "text": "x"]], 200, "parrot"),
            // Both know a thief, and neither knows a gull.
            (["operation": "squawk", "with": ["consumer": "thief", "text": "x"]], 422, #"vendor-ambiguous ["parrot","magpie"]"#),
            (["operation": "squawk", "with": ["consumer": "gull", "text": "x"]], 422, #"["parrot","magpie"] no consumer 'gull'"#),
            (["operation": "squawk", "with": ["consumer": "pollyy", "text": "x"]], 422, "'pollyy' has signed in (did you mean 'polly'?)"),
            (["operation": "squawk", "with": ["text": "x"]], 422, #"vendor-ambiguous ["parrot","magpie"]"#),
            (["operation": "describe", "vendor": "parrot", "with": ["bird": "polly"]], 200, "polly"),
            (["operation": "describe", "vendor": "parrot", "with": ["bird": "poly"]], 404, #"bird-unknown ["polly"]"#),
            (["operation": "describe", "vendor": "parrot"], 422, "configuration-invalid describe needs 'bird' in its 'with'"),
            (["operation": "describe", "vendor": "parrot", "with": ["bird": "polly", "x": 1]], 422, "configuration-invalid /with/x"),
            (["operation": "squawk", "vendor": "parrot", "with": ["consumer": "polly"]], 422, "configuration-invalid /with/text"),
            (["operation": "squawk", "vendor": "parrot", "with": ["consumer": "polly", "text": ""]], 422, "configuration-invalid /text"),
            (["operation": "squawk", "vendor": "parrot", "with": ["consumer": "polly", "text": "hush"]], 409, "act-refused silence"),
            (["operation": "sqawk", "with": ["consumer": "polly"]], 404, #"operation-unknown ["squawk"]"#),
            (["operation": "findBird", "vendor": "parrot"], 404, "operation-unknown"),
            (["operation": "squawk", "vendor": "parot"], 404, #"tenant-unknown ["parrot"]"#),
            (["vendor": "parrot"], 400, "request-malformed /operation"),
        ] as [(JSON, Int, String)])
    func `by its name, without a vendor only if one alone can be meant`(_ act: JSON, _ status: Int, _ words: String) async throws {
        try await run { server in
            let before = try await server.journal().count
            let answer = try await server.send(.post, Self.acts, json: act)
            let json = answer.json ?? [:]
            let told = [
                json["type"]?.string?.split(separator: ":").last.map(String.init), json["refusal"]?.string, json["choices"]?.text,
                json["nearest"]?.text, json["violations"]?.array?.first?["pointer"]?.string, json["detail"]?.string,
                json["vendor"]?.string, json["bird"]?.string,
            ].compactMap(\.self).joined(separator: " ")
            let isSaid = words.split(separator: " ").allSatisfy { told.contains($0) }
            #expect(answer.status == status && isSaid, "\(act.text): \(answer.text)")
            #expect(try await server.journal().count == before + (status == 200 && json["feather"] != nil ? 1 : 0))
        }
    }

    @Test func `all operations are listed, with what they need`() async throws {
        try await run { server in
            let listed = try await server.send(.get, "/__admin/operations").json?["operations"]?.array ?? []
            let names = listed.compactMap { $0["operation"]?.string }
            #expect(Set(["admin.act", "admin.listDevices", "parrot.squawk", "parrot.describe", "magpie.squawk"]).isSubset(of: names))
            let squawk = listed.first { $0["operation"] == "parrot.squawk" }
            #expect(squawk?["path"] == "/__admin/sandboxes/{sandbox}/parrot/squawks" && squawk?["method"] == "POST")
            #expect(squawk?["example"] == ["consumer": "polly", "text": "ahoy"])
            #expect(squawk?["parameters"] == [["name": "sandbox", "in": "path", "required": true]])
        }
    }

    @Test func `they are guarded as the admin API is, and are no client's calls`() async throws {
        try await run(.socket) { server in
            let path = "/__admin/sandboxes/default/parrot/squawks"
            let body: JSON = ["consumer": "polly", "text": "x"]
            let foreign = try await server.send(.post, path, headers: [.origin: "https://evil.example"], json: body)
            #expect(foreign.status == 403 && foreign.headers[.accessControlAllowOrigin] == nil)
            let preflight = try await server.send(.options, path, headers: [.origin: "https://evil.example"])
            #expect(preflight.status == 405 || preflight.status == 403, "\(preflight)")
            try await server.arm("* status code=503")
            #expect(try await server.send(.post, path, json: body).status == 200, "faults strike clients' calls only")
            #expect(try await server.journal("?kind=exchange").isEmpty)
        }
    }

    // MARK: Loading

    private func refusal(_ change: (inout Aviary.Contracts) -> Void) -> String {
        var contracts = Aviary.Contracts()
        change(&contracts)
        do { _ = try contracts.cast() } catch { return "\(error)" }
        return "nothing"
    }

    @Test func `an operation of the vendor's own name, or elsewhere than below the vendor's part, is refused with its place`() {
        let named = refusal { $0.admin["parrot"] = BirdAdmin.contract(of: "parrot", id: "findBird") }
        #expect(named.contains("parrot.admin.openapi.yaml:8:") && named.contains("already has an operation 'findBird'"), "\(named)")
        let message = refusal { $0.admin["parrot"] = BirdAdmin.contract(of: "parrot", id: "perch") }
        #expect(message.contains("already has an operation 'perch'"), "\(message)")
        let elsewhere = refusal {
            $0.admin["parrot"] = BirdAdmin.contract(of: "parrot", prefix: "/__admin/sandboxes/{sandbox}/magpie/")
        }
        #expect(elsewhere.contains("does not begin with /__admin/sandboxes/{sandbox}/parrot/"), "\(elsewhere)")
        let alone = refusal { $0.admin["eagle"] = BirdAdmin.contract(of: "eagle") }
        #expect(alone.contains("eagle.admin.openapi.yaml: there is no eagle.openapi.yaml beside it"), "\(alone)")
    }

    /// It would lie where each sandbox has its faults.
    private struct Faults: PlainVendor {
        enum Operation: String, CaseIterable, Sendable {
            case swap, stealTicket
        }
        let name = "faults"
        let tenantKey = "hoard"
        func handler(of operation: Operation) -> Handler { .decide { _ in .answer(Answer("swapped", [:])) } }
    }

    @Test func `a vendor that is called as what each sandbox has is refused`() async throws {
        let folder = try Aviary.Contracts().folder()
        let all = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in all where name.hasPrefix("parrot.") || name == "magpie.admin.openapi.yaml" {
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        try FileManager.default.moveItem(atPath: folder.file("magpie.openapi.yaml"), toPath: folder.file("faults.openapi.yaml"))
        let cast = try Cast(folder: folder.path) { _ in [Faults()] }
        await #expect { try await TestServer.run(.pipeline, cast: cast) { _ in } } throws: {
            "\($0)".contains("faults.openapi.yaml: no vendor can be called 'faults': the admin API has /__admin/sandboxes/{sandbox}/faults")
        }
    }

    @Test func `an operation that does not declare what the admin API may answer is refused with its place`() async throws {
        var contracts = Aviary.Contracts()
        contracts.admin["parrot"] = BirdAdmin.contract(of: "parrot").replacing("act-refused", with: "too-bad")
        await #expect { try await Aviary.run(.pipeline, contracts: contracts) { _ in } } throws: {
            "\($0)".contains("parrot.admin.openapi.yaml:8: operation 'squawk' does not declare the answer 'act-refused'")
        }
    }

    @Test func `a vendor without the contract of its operations, or with another, does not start`() async throws {
        var missing = Aviary.Contracts()
        missing.admin["magpie"] = nil
        await #expect { try await Aviary.run(.pipeline, contracts: missing) { _ in } } throws: {
            "\($0)".contains("there is no magpie.admin.openapi.yaml with the operation 'squawk'")
        }
        var other = Aviary.Contracts()
        other.admin["magpie"] = BirdAdmin.contract(of: "magpie", id: "chatter")
        await #expect { try await Aviary.run(.pipeline, contracts: other) { _ in } } throws: {
            "\($0)".contains("'chatter' is not implemented")
        }
    }
}
