import BirdSupport
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringSandbox
import SparringTestKit
import Support
import Testing

/// Calls that a sandbox answers beside the contracts: the member `stubs` of a tenant's configuration.
@Suite struct SandboxStubTests {
    private static let scales: JSON = [
        "weighBird": [
            "call": "POST /scales/{scale}?v=2", "status": 201, "headers": ["Location": "/scales/{$request.path.scale}"],
            "body": ["id": "{$sandbox.id}", "bird": "{$request.body#/bird}", "by": "{$request.header.X-Keeper}"],
        ]
    ]

    private static func tenants(_ stubs: JSON) -> JSON.Object {
        ["parrot": ["flock": "macaws", "stubs": stubs], "magpie": ["hoard": "shinies"]]
    }

    private func weigh(_ server: TestServer, host: String? = nil) async throws -> TestAnswer {
        var headers: HTTPFields = [.init("X-Keeper")!: "ann", .init("X-Sparring-Lane")!: "ada", .contentType: "application/json"]
        headers[.init("Host")!] = host
        return try await server.send(.post, "/scales/north?v=2", headers: headers, body: Array(#"{"bird":"polly"}"#.utf8))
    }

    @Test(arguments: TestServer.Speed.usual)
    func `a call that no contract has is answered, journalled and counted`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed, tenants: Self.tenants(Self.scales)) { server in
            let answer = try await weigh(server)
            #expect(answer.status == 201 && answer.headers[.location] == "/scales/north")
            #expect(answer.json?["bird"] == "polly" && answer.json?["by"] == "ann" && answer.json?["id"]?.string?.count == 24)
            #expect(try await server.send(.post, "/scales/north?v=1").status == 404, "the query is another")
            #expect(try await server.send(.get, "/scales/north?v=2").status == 404)
            let entry = try #require(try await server.journal("?operation=parrot.weighBird").first)
            #expect(entry["causeCode"] == "stub" && entry["lane"] == "ada" && entry["findings"] == nil, "\(entry)")
            #expect(try await server.send(.get, "/__admin/operations/parrot.weighBird").json?["stub"] == true)
            let rows = try await server.admin(.post, "verdicts", ["coverage": true])["coverage"]?["operations"]?.array ?? []
            let row = rows.first { $0["operation"] == "parrot.weighBird" }
            #expect(row?["stub"] == true && row?["calls"] == 1, "\(rows)")
        }
    }

    private func change(_ server: TestServer, _ stubs: JSON) async throws -> TestAnswer {
        try await server.send(.patch, "/__admin/sandboxes/default/tenants/parrot", json: ["stubs": stubs])
    }

    @Test func `a running sandbox takes stubs, changes them and lets go of them`() async throws {
        try await Aviary.run(.pipeline) { server in
            let before = try await weigh(server)
            #expect(before.status == 404)
            #expect(try await change(server, Self.scales).status == 200)
            #expect(try await weigh(server).status == 201)
            #expect(try await change(server, ["weighBird": ["status": 202]]).status == 200)
            #expect(try await weigh(server).status == 202)
            #expect(try await change(server, ["weighBird": .null]).status == 200)
            #expect(try await weigh(server).status == 404)
        }
    }

    @Test func `an operation of the contract gets another answer`() async throws {
        let stubs: JSON = ["listBirds": ["call": "GET /parrot/flocks/{flock}/birds", "status": 204]]
        try await Aviary.run(.pipeline, tenants: Self.tenants(stubs)) { server in
            let answer = try await server.send(.get, birdsTarget())
            #expect(answer.status == 204)
            #expect(try await server.entry("parrot.listBirds")["causeCode"] == "stub")
        }
    }

    @Test func `a stub of the contract gives another of its answers`() async throws {
        var contracts = Aviary.Contracts()
        contracts.calls.replace("      operationId: findBird\n", with: "      operationId: findBird\n      x-stub: true\n")
        try await Aviary.run(.pipeline, tenants: Self.tenants(["findBird": ["answer": "bird-unknown"]]), contracts: contracts) { server in
            #expect(try await server.find().status == 404)
            _ = try await server.admin(.patch, "tenants/parrot", ["stubs": ["findBird": .null]])
            #expect(try await server.find().status == 200)
        }
    }

    @Test(
        arguments: [
            (["x": ["call": "weigh"]], "stubs.x.call: a method and a path, such as GET /settings/{platform}"),
            (["x": ["call": "GET /a/{"]], "stubs.x.call: the path "),
            (["x": ["call": "GET /__admin/health"]], "stubs.x.call: /__admin/health is Sparring's own"),
            (
                ["x": ["call": "GET /a", "body": "{$request.path.b}"]],
                "stubs.x: answer 'stub' of the stub: 'b' is not a declared path parameter"
            ),
            (["x": ["call": "GET /a", "body": ["{$sandbox.nwo}"]]], "stubs.x.body: '{$sandbox.nwo}' is neither"),
            (["x": ["call": "GET /a", "status": 700]], "stubs.x.status: 700"),
            (["x": ["call": "GET /a", "type": "text/x"]], "stubs.x.type: there is no body"),
            (["x": ["call": "GET /a", "type": "text/x", "body": "y"]], "stubs.x: "),
            (
                ["listBirds": ["call": "GET /a"]],
                "stubs.listBirds.call: the contract has an operation parrot.listBirds, which is GET /parrot/flocks/{flock}/birds"
            ),
            (["findBird": ["answer": "bird-unknown"]], "stubs.findBird.answer: no stub of the contract is 'findBird'"),
            (["X": ["call": "GET /a"]], "stubs"), (["x": ["cal": "GET /a"]], "stubs.x"),
            (["x": ["call": "GET /a"], "y": ["call": "GET /a"]], "stubs"),
        ] as [(JSON, String)])
    func `what cannot be a stub is refused at its place, and changes nothing`(_ stubs: JSON, _ reason: String) async throws {
        try await Aviary.run(.pipeline) { server in
            let answer = try await change(server, stubs)
            #expect(answer.status == 400 || answer.status == 422, "\(answer.text)")
            #expect(answer.json?["detail"]?.string?.contains(reason) == true, "\(answer.text)")
            #expect(try await server.admin(.get, "tenants/parrot")["stubs"] == nil)
        }
    }

    @Test func `a call with the id of another sandbox's tenant is that one's`() async throws {
        let stubs: JSON = [
            "listBirds": ["call": "GET /parrot/flocks/{flock}/birds", "status": 204],
            "readPerch": ["call": "GET /parrot/flocks/{flock}/perch", "status": 204],
        ]
        try await Aviary.run(.pipeline, tenants: Self.tenants(stubs)) { server in
            let other: JSON = ["name": "other", "tenants": ["parrot": ["flock": "cockatoos"]]]
            #expect(try await server.send(.post, "/__admin/sandboxes", json: other).status == 201)
            for (flock, birds, perch) in [("macaws", 204, 204), ("cockatoos", 200, 404)] {
                let (list, read) = (
                    try await server.send(.get, birdsTarget(flock)), try await server.send(.get, "/parrot/flocks/\(flock)/perch")
                )
                #expect(list.status == birds && read.status == perch, "\(flock)")
            }
        }
    }

    @Test func `a fault that strikes early finds the sandbox of the stub`() async throws {
        try await Aviary.run(tenants: ["parrot": ["flock": "macaws"], "magpie": ["hoard": "shinies"]]) { server in
            let other: JSON = [
                "name": "other", "tenants": ["parrot": ["stubs": ["weighBird": ["call": "POST /scales/{scale}?v=2", "status": 202]]]],
                "faults": ["parrot.weighBird CONNECTION_RESET_BY_PEER phase=onRequestStart times=1"],
            ]
            let made = try await server.send(.post, "/__admin/sandboxes", json: other)
            #expect(made.status == 201)
            await #expect(throws: (any Error).self) { try await weigh(server) }
            #expect(try await weigh(server).status == 202)
        }
    }

    @Test func `where two sandboxes have a stub for a call, the host decides`() async throws {
        try await Aviary.run(.pipeline, tenants: Self.tenants(Self.scales)) { server in
            let other: JSON = [
                "name": "other", "tenants": ["parrot": ["stubs": ["weighBird": ["call": "POST /scales/{scale}?v=2", "status": 202]]]],
            ]
            let made = try await server.send(.post, "/__admin/sandboxes", json: other)
            #expect(made.status == 201, "\(made.text)")
            #expect(try await weigh(server, host: "localhost").status == 201)
            #expect(try await weigh(server, host: "other.localhost").status == 202)
            #expect(try await server.send(.delete, "/__admin/sandboxes/default").status == 204)
            #expect(try await weigh(server, host: "localhost").status == 202, "only one is left")
        }
    }

    @Test func `faults strike it, and hold it as long as they are armed`() async throws {
        try await TemporaryFolder.database { database in
            func run(_ body: (TestServer) async throws -> Void) async throws {
                try await Aviary.run(.pipeline, database: database, tenants: Self.tenants(Self.scales), body)
            }
            try await run { server in
                try await server.arm("parrot.weighBird status code=503 times=2")
                #expect(try await weigh(server).status == 503)
                let answer = try await change(server, ["weighBird": .null])
                #expect(
                    answer.text.contains("fault 1, parrot.weighBird status code=503 times=2, is armed at a stub that would be gone"),
                    "\(answer.text)")
            }
            try await run { server in
                #expect(try await weigh(server).status == 503, "as it was before the restart")
                #expect(try await weigh(server).status == 201)
                let fork = try await server.send(.post, "/__admin/sandboxes/default/journal/1/fork", json: ["name": "past"])
                #expect(fork.status == 201, "\(fork.text)")
                #expect(try await weigh(server, host: "past.localhost").status == 503)
            }
        }
    }
}
