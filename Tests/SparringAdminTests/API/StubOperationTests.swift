import BirdSupport
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import SparringTestKit
import Support
import Testing

/// The operations of the admin API, and the commands, that put stubs into a sandbox.
@Suite struct StubOperationTests {
    private static let path = "/__admin/sandboxes/default/stubs"

    private func add(_ server: TestServer, _ stub: JSON) async throws -> TestAnswer {
        try await server.send(.post, Self.path, json: stub)
    }

    @Test(arguments: TestServer.Speed.usual)
    func `a stub is added, listed, replaced and removed`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            let added = try await add(
                server, ["call": "POST /scales/{scale}", "status": 201, "header:location": "/scales/{$request.path.scale}"])
            let stub: JSON = [
                "operation": "parrot.postScales", "call": "POST /scales/{scale}", "from": "sandbox", "answer": "stub", "status": 201,
                "answers": ["stub"],
            ]
            #expect(added.status == 201 && added.json == stub, "\(added.text)")
            #expect(try await server.send(.get, Self.path).json == ["stubs": [stub]])
            let answer = try await server.send(.post, "/scales/north")
            #expect(answer.status == 201 && answer.headers[.location] == "/scales/north")
            // Nothing of the first one is left.
            #expect(try await add(server, ["call": "POST /scales/{scale}", "body": ["on": true]]).json?["status"] == 200)
            let replaced = try await server.send(.post, "/scales/north")
            #expect(replaced.status == 200 && replaced.headers[.location] == nil && replaced.json == ["on": true])
            #expect(try await server.send(.get, Self.path).json?["stubs"]?.array?.count == 1)
            for (name, status) in [("postScale", 404), ("postScales", 204), ("parrot.postScales", 404)] {
                #expect(try await server.send(.delete, "\(Self.path)/\(name)").status == status)
            }
            let gone = try await server.send(.post, "/scales/north")
            #expect(gone.status == 404)
            #expect(try await server.admin(.get, "tenants/parrot")["stubs"] == nil)
            let words = try await server.journal("?kind=configuration").compactMap { $0["cause"]?.string }
            #expect(
                words == [
                    "a stub was added: POST /scales/{scale}", "a stub was added: POST /scales/{scale}",
                    "the stub parrot.postScales was removed",
                ])
        }
    }

    /// The body of a request, and the operation that it gets.
    @Test(
        arguments: [
            (["call": "GET /magpie/{hoard}/shelves/{shelf}"], "magpie.getMagpieShelves"),
            (["call": "GET /parrot/flocks/{flock}/birds"], "parrot.listBirds"),
            (["call": "GET /", "vendor": "magpie"], "magpie.getRoot"),
            (["call": "DELETE /parrot/nests/{nest}/egg-counts.json"], "parrot.deleteParrotNestsEggCountsJson"),
            (["call": "GET /elsewhere", "name": "readScale"], "parrot.readScale"),
        ] as [(JSON, String)])
    func `vendor and name are found where they are not given`(_ stub: JSON, _ operation: String) async throws {
        try await Aviary.run(.pipeline) { server in
            let added = try await add(server, stub)
            #expect(added.json?["operation"] == .string(operation), "\(added.text)")
        }
    }

    @Test func `a name that two vendors have is suggested once`() async throws {
        try await Aviary.run(.pipeline) { server in
            for vendor in ["parrot", "magpie"] {
                let stub: JSON = ["call": .string("GET /\(vendor)s"), "name": "readScale", "vendor": .string(vendor)]
                #expect(try await add(server, stub).status == 201)
            }
            let unknown = try await server.problem(.delete, "\(Self.path)/readScal")
            #expect(unknown.words == "404 stub-unknown" && unknown.nearest == ["readScale"], "\(unknown)")
        }
    }

    @Test func `two calls whose names would be the same get two names`() async throws {
        try await Aviary.run(.pipeline) { server in
            let calls = [
                ("GET /scales/{scale}", 200, "getScales"), ("GET /scales", 200, "getScales2"), ("GET /scales/{scale}", 204, "getScales"),
            ]
            for (call, status, name) in calls {
                let added = try await add(server, ["call": .string(call), "status": .integer(Int64(status))])
                #expect(added.json?["operation"] == .string("parrot.\(name)"))
            }
            for (path, status) in [("/scales/north", 204), ("/scales", 200)] {
                let answer = try await server.send(.get, path)
                #expect(answer.status == status)
            }
        }
    }

    @Test(
        arguments: [
            (["call": "GIT /x"], 422, "call: a method and a path, such as GET /settings/{platform}; the method is one of"),
            (["call": "GET x"], 422, "call: a method and a path"),
            (["call": "GET /__admin/health"], 422, "call: /__admin/health is Sparring's own, and no vendor's"),
            (["call": "GET /x", "vendor": "parot"], 422, "vendor: there is no vendor 'parot' (did you mean 'parrot'?)"),
            (["call": "GET /x", "name": "listBirds"], 422, "stubs.listBirds.call: the contract has an operation parrot.listBirds"),
            (["call": "GET /x", "body": "{$request.foo}"], 422, "'{$request.foo}' is neither a value of the request"),
            (["call": "GET /x", "colour": 1], 400, "unknown member 'colour'"), (["status": 200], 400, "call"),
            (["call": "GET /x", "status": 600], 400, "status"),
        ] as [(JSON, Int, String)])
    func `what is no stub is refused by its place, and nothing is changed`(_ stub: JSON, _ status: Int, _ words: String) async throws {
        try await Aviary.run(.pipeline) { server in
            let answer = try await add(server, stub)
            #expect(answer.status == status && answer.json?["detail"]?.string?.contains(words) == true, "\(answer.text)")
            #expect(try await server.send(.get, Self.path).json == ["stubs": []])
            #expect(try await server.journal("?kind=configuration").isEmpty)
        }
    }

    @Test func `a stub of the contract is listed, gives the answer that was chosen, and its own again`() async throws {
        var contracts = Aviary.Contracts()
        contracts.calls.replace("      operationId: findBird\n", with: "      operationId: findBird\n      x-stub: true\n")
        try await Aviary.run(.pipeline, contracts: contracts) { server in
            func listed() async throws -> JSON? { try await server.send(.get, Self.path).json?["stubs"]?.array?.first }
            let first = try await listed()
            #expect(first?["operation"] == "parrot.findBird" && first?["from"] == "contract" && first?["status"] == 200)
            #expect(first?["answers"]?.array?.contains("bird-unknown") == true)
            let chosen = try await server.send(.put, "\(Self.path)/findBird/answer", json: ["answer": "bird-unknown"])
            #expect(chosen.status == 200 && chosen.json?["status"] == 404)
            #expect(try await server.find().status == 404)
            #expect(try await listed()?["answer"] == "bird-unknown")
            #expect(try await server.send(.delete, "\(Self.path)/parrot.findBird").status == 204)
            #expect(try await server.find().status == 200)
            #expect(try await listed() == first)
            for (name, answer, status) in [("findBird", "bird-unknwon", 422), ("findBrid", "bird-unknown", 404)] {
                let refused = try await server.send(.put, "\(Self.path)/\(name)/answer", json: ["answer": .string(answer)])
                #expect(
                    refused.status == status && refused.text.contains(status == 422 ? "bird-unknown" : "findBird"), "\(refused.text)"
                )
            }
            let nothing = try await server.problem(.delete, "\(Self.path)/findBird")
            #expect(nothing.words == "404 stub-unknown" && nothing.detail.hasSuffix("there is nothing to remove"), "\(nothing)")
            #expect(nothing.nearest.isEmpty)
        }
    }

    @Test func `a fault keeps its stub`() async throws {
        try await Aviary.run(.pipeline) { server in
            _ = try await add(server, ["call": "GET /scales"])
            // As the live page offers it at an entry.
            let effects = try await server.send(.get, "/__admin/effects?where=parrot.getScales").json?["effects"]?.array
            #expect(effects?.contains { $0["effect"] == "status" } == true)
            let planned = try await server.admin(.post, "faults/plan", ["faults": ["parrot.getScales status code=503"], "lanes": ["ada"]])
            #expect(planned["faults"]?.array?.count == 1)
            try await server.arm("parrot.getScales status code=503 times=1")
            #expect(try await server.send(.delete, "\(Self.path)/getScales").status == 422)
            #expect(try await server.send(.get, "/scales").status == 503)
            #expect(try await server.send(.get, "/scales").status == 200)
            try await server.admin(.delete, "faults/1")
            #expect(try await server.send(.delete, "\(Self.path)/getScales").status == 204)
        }
    }

    // MARK: Calls that matched nothing

    @Test(arguments: [
        ("GET", "/parrot/flocks/macaws/perches/7?x=1", "sparring stub add 'GET /parrot/flocks/{flock}/perches/7'"),
        ("POST", "/scales", "sparring stub add 'POST /scales'"),
        ("DELETE", "/parrot/flocks/macaws/birds", "sparring stub add 'DELETE /parrot/flocks/{flock}/birds'"),
        ("GET", "/it's", nil), ("GET", "/" + String(repeating: "x", count: 400), nil), ("GET", "/__admin/sandbox", nil),
        ("TRACE", "/scales", nil),
    ])
    func `a call that matched nothing offers the command that would answer it`(_ method: String, _ target: String, _ command: String?)
        async throws
    {
        try await Aviary.run(.pipeline) { server in
            let answer = try await server.send(#require(HTTPRequest.Method(rawValue: method)), target)
            #expect(answer.json?["stub"]?.string == command, "\(answer.text)")
            let kept = try await server.send(.get, "/__admin/unplaced").json?["entries"]?.array?.first
            #expect(kept?["stub"]?.string == command)
            guard let command, let call = command.split(separator: "'").dropFirst().first else { return }
            #expect(try await add(server, ["call": .string(String(call)), "status": 204]).status == 201)
            #expect(try await server.send(#require(HTTPRequest.Method(rawValue: method)), target).status == 204)
        }
    }

    @Test func `the report offers it too`() async throws {
        try await Aviary.run(.pipeline) { server in
            #expect(try await server.send(.get, "/parrot/flocks/macaws/perches").status == 404)
            let report = try await server.admin(.post, "verdicts", [:])
            let stub = report["contract"]?["findings"]?.array?.compactMap { $0["stub"]?.string }
            #expect(stub == ["sparring stub add 'GET /parrot/flocks/{flock}/perches'"], "\(report["contract"] ?? .null)")
        }
    }
}
