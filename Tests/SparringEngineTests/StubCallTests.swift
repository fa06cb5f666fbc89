import BirdSupport
import HTTPTypes
import SparringEngine
import SparringJSON
@testable import SparringSandbox
import SparringTestKit
import Support
import Testing

/// Operations that no code implements, among those that one does.
@Suite struct StubCallTests {
    private static let feed = """
          /parrot/flocks/{flock}/feeders/{feeder}:
            parameters: [{ $ref: '#/components/parameters/Flock' }, { name: feeder, in: path, required: true, schema: { type: string }, example: f }]
            put:
              operationId: fillFeeder
              tags: [Aviary]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.flock
              x-stub: filled
              parameters: [{ name: by, in: query, schema: { type: string }, example: ada }]
              requestBody:
                required: true
                content:
                  application/json:
                    schema: { type: object, required: [seeds], properties: { seeds: { type: integer } }, additionalProperties: false }
                    examples: { one: { value: { seeds: 3 } } }
              responses:
                '202': { description: Later., content: { text/html: { examples: { later: { value: "<p>{$request.path.feeder}</p>" } } } } }
                '409': { description: It is full., x-outcome: refused, content: { application/json: { examples: { full: { value: { error: "{$request.path.feeder} is full" } } } } } }
                '201':
                  description: It is filled.
                  headers: { Location: { required: true, schema: { type: string }, example: "/feeders/{$request.path.feeder}" } }
                  content:
                    application/json:
                      schema: { type: object, required: [id, seeds], properties: { id: { type: string, minLength: 24 }, seeds: { type: integer } } }
                      examples:
                        filled:
                          value: { id: "{$sandbox.id}", seeds: "{$request.body#/seeds}", by: "{$request.query.by}", until: "{$sandbox.now+10m}", expires: "{$sandbox.now.seconds+1s}" }

        """

    /// The parrot's contracts with a call, a message and an implemented operation that are stubs.
    private static func contracts() -> Aviary.Contracts {
        var contracts = Aviary.Contracts()
        contracts.calls.replace("  /parrot/tickets:\n", with: feed + "  /parrot/tickets:\n")
        contracts.calls.replace("      operationId: listBirds\n", with: "      operationId: listBirds\n      x-stub: true\n")
        contracts.messages.replace(
            "  heard:\n    action: send\n",
            with: """
                  whistle:
                    action: receive
                    channel: { $ref: '#/channels/cage' }
                    tags: [{ name: Talk }]
                    messages: [{ $ref: '#/channels/cage/messages/whistle' }]
                    reply: { messages: [{ $ref: '#/channels/cage/messages/whistled' }] }
                    x-stub: true
                    x-fidelity: assumed
                    x-source: a test
                  heard:
                    action: send

                """)
        contracts.messages.replace(
            "      say: { $ref: '#/components/messages/Say' }\n",
            with: """
                      say: { $ref: '#/components/messages/Say' }
                      whistle: { $ref: '#/components/messages/Whistle' }
                      whistled: { $ref: '#/components/messages/Whistled' }

                """)
        contracts.messages.replace(
            "    Say:\n      payload:\n",
            with: """
                    Whistle:
                      payload: { type: object, required: [action, tune], properties: { action: { const: whistle }, tune: { type: string }, id: { type: integer } } }
                      examples: [{ payload: { action: whistle, tune: la, id: 1 } }]
                    Whistled:
                      x-answer: whistled
                      x-outcome: ok
                      payload: { type: object, required: [heard], properties: { heard: { type: string }, of: { type: integer } } }
                      examples: [{ payload: { heard: "{$message.payload#/tune}, {$message.payload#/tune}", of: "{$message.payload#/id}" } }]
                    Say:
                      payload:

                """)
        return contracts
    }

    private func fill(_ server: TestServer, _ body: JSON = ["seeds": 5], lane: String = "ada") async throws -> TestAnswer {
        try await server.send(
            .put, "/parrot/flocks/macaws/feeders/north?by=ada",
            headers: [.init("X-Sparring-Lane")!: lane, .contentType: "application/json"], body: body.bytes)
    }

    @Test(arguments: TestServer.Speed.usual)
    func `a call is answered by its example, and journalled like any other`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed, contracts: Self.contracts()) { server in
            let answers = [try await fill(server), try await fill(server), try await fill(server, lane: "bob")]
            for answer in answers {
                #expect(answer.status == 201 && answer.headers[.location] == "/feeders/north")
                #expect(answer.json?["seeds"] == 5 && answer.json?["by"] == "ada")
                #expect(answer.json?["until"] == "2026-01-01T00:10:00.000Z" && answer.json?["expires"] == 1_767_225_601)
            }
            #expect(Set(answers.compactMap { $0.json?["id"]?.string }).count == 3, "each call draws an id of its own")
            let entry = try #require(try await server.journal("?operation=parrot.fillFeeder").first)
            #expect(entry["cause"] == "a stub: the example 'filled'" && entry["causeCode"] == "stub")
            #expect(entry["answer"]?["name"] == "filled" && entry["lane"] == "ada")
            #expect(try await server.journal("?kind=finding").isEmpty)
            #expect(try await server.send(.get, "/__admin/operations/parrot.fillFeeder").json?["stub"] == true)
        }
    }

    @Test func `an answer that is not JSON is its text`() async throws {
        var contracts = Self.contracts()
        contracts.calls.replace("x-stub: filled", with: "x-stub: later")
        try await Aviary.run(.pipeline, contracts: contracts) { server in
            let answer = try await fill(server)
            #expect(answer.status == 202 && answer.text == "<p>north</p>" && answer.headers[.contentType] == "text/html; charset=utf-8")
        }
    }

    @Test func `the same seed draws the same ids`() async throws {
        func ids() async throws -> [String?] {
            try await Aviary.run(.pipeline, seed: 7, contracts: Self.contracts()) { server in
                [try await fill(server).json?["id"]?.string, try await fill(server).json?["id"]?.string]
            }
        }
        #expect(try await ids() == ids())
    }

    @Test func `faults strike it, with its own refusals too`() async throws {
        try await Aviary.run(.pipeline, contracts: Self.contracts()) { server in
            var answers: [TestAnswer] = []
            for fault in ["full", "status code=503", "malformed-json"] {
                try await server.arm("parrot.fillFeeder \(fault) times=1")
                answers.append(try await fill(server))
            }
            #expect(answers.map(\.status) == [409, 503, 201])
            #expect(answers[0].json == ["error": "north is full"] && answers[2].json == nil)
            #expect(try await fill(server).json?["seeds"] == 5)
            let causes = try await server.journal("?operation=parrot.fillFeeder").map { $0["causeCode"]?.string }
            #expect(causes == ["fault", "fault", "stub", "stub"])
        }
    }

    @Test func `its requests are held against the contract`() async throws {
        try await Aviary.run(.pipeline, contracts: Self.contracts()) { server in
            #expect(try await fill(server, ["seeds": "many"]).status == 201)
            let findings = try await server.journal("?operation=parrot.fillFeeder").first?["findings"]?.array ?? []
            #expect(findings.map { $0["place"]?.string } == ["body:/seeds"])
            // The example's value is of the wrong type then, and Sparring says so of itself.
            #expect(try await server.journal("?kind=finding").count == 1)
        }
    }

    @Test func `an operation that a vendor implements is one where the contract says so`() async throws {
        try await Aviary.run(.pipeline, contracts: Self.contracts()) { server in
            let answer = try await server.send(.get, birdsTarget())
            #expect(answer.json == ["birds": ["polly"]])
            #expect(try await server.entry("parrot.listBirds")["causeCode"] == "stub")
        }
    }

    @Test func `a message is answered by its example`() async throws {
        try await Aviary.run(contracts: Self.contracts()) { server in
            let socket = try await server.openCage("polly")
            socket.send(["action": "whistle", "tune": "la", "id": 9])
            #expect(try await socket.next() == .message(["heard": "la, la", "of": 9]))
            let entry = try #require(try await server.journal(of: "parrot.whistle").first)
            #expect(entry["causeCode"] == "stub" && entry["answer"]?["name"] == "whistled")
        }
    }

    @Test func `coverage says which operations are stubs`() async throws {
        try await Aviary.run(.pipeline, contracts: Self.contracts()) { server in
            _ = try await fill(server)
            let report = try await server.admin(.post, "verdicts", ["coverage": true])
            let rows = report["coverage"]?["operations"]?.array ?? []
            #expect(
                rows.filter { $0["stub"] == true }.map { $0["operation"]?.string } == [
                    "parrot.listBirds", "parrot.fillFeeder", "parrot.whistle",
                ])
            #expect(rows.first { $0["operation"] == "parrot.fillFeeder" }?["state"] == "partial")
        }
    }
}
