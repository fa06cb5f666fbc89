import BirdSupport
import Foundation
import GRDB
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Sandboxes that are made of scenarios.
@Suite struct ScenarioTests {
    private static let sandboxes = "/__admin/sandboxes"

    /// The scenario of the tests that bring no other.
    private static let scenario: JSON = [
        "scenario": "storm", "title": "A storm", "about": "It comes and goes.",
        "sandbox": [
            "seed": 77, "clock": ["mode": "frozen", "now": "2027-01-15T08:00:00Z"],
            "tenants": ["parrot": ["flock": "gulls", "ticketLifetime": "5m"]],
            "faults": ["parrot.findBird status code=503"],
        ],
        "timeline": [
            ["at": "10s", "do": "removeFault", "with": ["fault": 1]],
            ["at": "20s", "do": "changeTenant", "with": ["vendor": "parrot", "ticketLifetime": "9m"]],
            ["at": "20s", "do": "armFault", "with": ["fault": "parrot.findBird status code=503 times=1"]],
            ["at": "30s", "do": "parrot.squawk", "with": ["consumer": "nobody", "text": "ahoy"]],
            ["at": "1h", "do": "clearFaults"],
        ],
        "expect": [["rule": "speaks", "because": "it passes"]],
    ]

    private func make(_ server: TestServer, _ more: JSON.Object = [:]) async throws -> JSON {
        var body: JSON = ["name": "played", "scenario": Self.scenario]
        for (name, value) in more { body[name] = value }
        let answer = try await server.send(.post, Self.sandboxes, json: body)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer.json)
    }

    private func advance(_ server: TestServer, _ by: String) async throws {
        try await server.admin(.post, "clock/advance", ["by": .string(by)], sandbox: "played")
    }

    private func pending(_ server: TestServer) async throws -> [String] {
        try await server.admin(.get, "clock", sandbox: "played")["pending"]?.array?
            .map { "\($0["due"]?.string?.dropFirst(11).prefix(8) ?? "") \($0["what"]?.string ?? "")" } ?? []
    }

    // MARK: Making

    @Test func `a scenario that was sent has a name while a sandbox plays it`() async throws {
        try await Aviary.run { server in
            let sent: JSON = ["scenario": "gust", "title": "A gust", "about": "It is short.", "sandbox": ["seed": 9]]
            #expect(try await server.send(.post, Self.sandboxes, json: ["scenario": "gust"]).status == 422)
            let first = try await server.send(.post, Self.sandboxes, json: ["name": "first", "scenario": sent])
            #expect(first.status == 201, "\(first.text)")
            let second = try await server.send(.post, Self.sandboxes, json: ["name": "second", "scenario": "gust"])
            #expect(second.status == 201 && second.json?["scenario"] == "gust" && second.json?["seed"] == 9, "\(second.text)")
        }
    }

    @Test(arguments: TestServer.Speed.usual)
    func `a sandbox is what its scenario says, and its journal says which`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            let made = try await make(server)
            #expect(made["scenario"] == "storm" && made["seed"] == 77)
            #expect(made["clock"]?["now"] == "2027-01-15T08:00:00.000Z")
            #expect(made["tenants"]?["parrot"]?["flock"] == "gulls")
            let faults = try await server.admin(.get, "faults", sandbox: "played")["faults"]?.array ?? []
            #expect(faults.map { $0["text"] } == ["parrot.findBird status code=503"])
            let entries = try await server.journal(sandbox: "played")
            #expect(entries.count == 1 && entries[0]["kind"] == "configuration")
            #expect(entries[0]["cause"] == "begun: scenario 'storm' with seed 77")
            #expect(entries[0]["details"] == ["scenario": "storm", "seed": 77])
            #expect(try await server.admin(.get, "", sandbox: "default")["scenario"] == nil)
            let pending = try await pending(server)
            #expect(pending.first == "08:00:10 the scenario's timeline: removeFault {\"fault\":1}")
            #expect(pending.count == 5 && pending[2].hasPrefix("08:00:20 the scenario's timeline: armFault"))
        }
    }

    @Test func `what is given beside it takes the place of its own, tenants are merged, faults added`() async throws {
        try await Aviary.run(.pipeline) { server in
            let made = try await make(
                server,
                [
                    "seed": 5, "clock": ["mode": "frozen", "now": "2030-01-01T00:00:00Z"],
                    "tenants": ["parrot": ["flock": "mine"], "magpie": ["hoard": "yours"]], "faults": ["* delay by=0s"],
                ])
            #expect(made["seed"] == 5 && made["clock"]?["now"] == "2030-01-01T00:00:00.000Z")
            #expect(made["tenants"]?["parrot"]?["flock"] == "mine" && made["tenants"]?["magpie"]?["hoard"] == "yours")
            #expect(try await server.admin(.get, "tenants/parrot", sandbox: "played")["ticketLifetime"] == "5m")
            let faults = try await server.admin(.get, "faults", sandbox: "played")["faults"]?.array ?? []
            #expect(faults.map { $0["text"] } == ["parrot.findBird status code=503", "* delay by=0ms"])
            #expect(try await pending(server).first?.hasPrefix("00:00:10") == true)
        }
    }

    @Test(
        arguments: [
            ("nothing", "422 configuration-invalid /scenario"), (["scenario": "x"], "422 configuration-invalid /scenario /scenario"),
            (
                ["scenario": "x", "title": "T", "about": "A", "sandbox": ["faults": ["* x"]]],
                "422 configuration-invalid /scenario/sandbox/faults/0"
            ),
            (
                ["scenario": "x", "title": "T", "about": "A", "timeline": [["at": "1s", "do": "removeFault", "with": ["fault": 1]]]],
                "422 configuration-invalid /scenario/timeline/0/with/fault"
            ),
            (7, "400 request-malformed /scenario"), ("Not a name", "400 request-malformed /scenario"),
        ] as [(JSON, String)])
    func `what is no scenario makes no sandbox`(_ scenario: JSON, _ words: String) async throws {
        try await Aviary.run(.pipeline) { server in
            let problem = try await server.problem(.post, Self.sandboxes, ["name": "played", "scenario": scenario])
            #expect(problem.words == words, "\(problem)")
            #expect(server.engine.world.sandboxes.map(\.id) == ["default"])
        }
    }

    @Test func `all that is wrong with a scenario is in one answer`() async throws {
        try await Aviary.run(.pipeline) { server in
            let scenario: JSON = [
                "scenario": "x", "titel": "T", "about": "A", "sandbox": ["faults": ["* x", "* delay by=1s"]],
                "timeline": [["at": "1s", "do": "removeFault", "with": ["fault": 9]]],
            ]
            let answer = try await server.send(.post, Self.sandboxes, json: ["name": "played", "scenario": scenario])
            #expect(answer.status == 422)
            let places = (answer.json?["violations"]?.array ?? []).compactMap { $0["pointer"]?.string }
            #expect(
                Set(places) == ["/scenario/titel", "/scenario", "/scenario/sandbox/faults/0", "/scenario/timeline/0/with/fault"],
                "\(answer.text)")
        }
    }

    // MARK: Its timeline

    @Test(arguments: TestServer.Speed.usual)
    func `the timeline is played in order as time comes, and the journal has each step before what it did`(_ speed: TestServer.Speed)
        async throws
    {
        try await Aviary.run(speed) { server in
            _ = try await make(server)
            func find() async throws -> Int { try await server.find(flock: "gulls").status }
            #expect(try await find() == 503)
            try await advance(server, "10s")
            #expect(try await find() == 200)
            try await advance(server, "15s")
            #expect(try await server.admin(.get, "tenants/parrot", sandbox: "played")["ticketLifetime"] == "9m")
            #expect(try await [find(), find()] == [503, 200])
            try await advance(server, "2h")
            #expect(try await pending(server) == [])
            #expect(try await server.admin(.get, "faults", sandbox: "played")["faults"] == [])

            let entries = try await server.journal(sandbox: "played").filter { $0["kind"] != "exchange" && $0["kind"] != "clock" }
            let told = entries.map {
                "\($0["sandboxTime"]?.string?.dropFirst(11).prefix(8) ?? "") \($0["kind"]?.string ?? "") \($0["cause"]?.string ?? "")"
            }
            #expect(
                told == [
                    "08:00:00 configuration begun: scenario 'storm' with seed 77",
                    "08:00:10 due the scenario's timeline: removeFault {\"fault\":1}",
                    "08:00:10 fault removed: parrot.findBird status code=503",
                    "08:00:20 due the scenario's timeline: changeTenant {\"vendor\":\"parrot\",\"ticketLifetime\":\"9m\"}",
                    "08:00:20 configuration parrot was configured",
                    "08:00:20 due the scenario's timeline: armFault {\"fault\":\"parrot.findBird status code=503 times=1\"}",
                    "08:00:20 fault armed: parrot.findBird status code=503 times=1",
                    "08:00:30 due the scenario's timeline: parrot.squawk {\"consumer\":\"nobody\",\"text\":\"ahoy\"} was refused: "
                        + "consumer: there is no bird 'nobody'",
                    "09:00:00 due the scenario's timeline: clearFaults",
                    "09:00:00 fault removed: parrot.findBird status code=503 times=1",
                ], "\(told.joined(separator: "\n"))")
            let steps = entries.filter { $0["kind"] == "due" }
            #expect(steps.map { $0["operation"] }.first == "admin.removeFault" && steps.allSatisfy { $0["lane"] == "timeline" })
            #expect(steps.map { $0["ordinal"] } == [1, 2, 3, 4, 5])
            #expect(steps.map { $0["findings"]?.array?.count ?? 0 } == [0, 0, 0, 1, 0], "what does not fit is reported")
        }
    }

    @Test func `a running clock plays it by itself`() async throws {
        try await Aviary.run(.pipeline) { server in
            _ = try await make(server, ["clock": ["mode": "rate", "rate": 1_000_000]])
            try await until { try await server.journal("?kind=due", sandbox: "played").count == 5 }
            #expect(try await pending(server).isEmpty)
        }
    }

    @Test func `a reset restarts it`() async throws {
        try await Aviary.run(.pipeline) { server in
            _ = try await make(server)
            try await advance(server, "25s")
            let reset = try await server.admin(.post, "reset", sandbox: "played")
            #expect(reset["scenario"] == "storm" && reset["clock"]?["now"] == "2027-01-15T08:00:00.000Z")
            #expect(try await pending(server).count == 5)
            #expect(try await server.journal(sandbox: "played").map { $0["cause"] } == ["begun: scenario 'storm' with seed 77"])
            try await advance(server, "10s")
            #expect(try await server.admin(.get, "faults", sandbox: "played")["faults"] == [])
        }
    }

    @Test func `a restart goes on with it, each step once, and remembers the scenario`() async throws {
        try await TemporaryFolder.database { database in
            try await Aviary.run(.pipeline, database: database) { server in
                _ = try await make(server)
                try await advance(server, "15s")
            }
            try await Aviary.run(.pipeline, database: database) { server in
                #expect(try await server.admin(.get, "", sandbox: "played")["scenario"] == "storm")
                #expect(try await pending(server).count == 4)
                try await advance(server, "10s")
                // As if it had been away for a day.
                try Dump.change(database) { try $0.execute(sql: "UPDATE due_work SET due = due - 86400000") }
            }
            try await Aviary.run(.pipeline, database: database) { server in
                try await until { try await server.journal("?kind=due", sandbox: "played").count == 5 }
                let steps = try await server.journal("?kind=due", sandbox: "played")
                #expect(
                    steps.map { $0["operation"] } == [
                        "admin.removeFault", "admin.changeTenant", "admin.armFault", "parrot.squawk", "admin.clearFaults",
                    ])
                try await server.admin(.post, "reset", sandbox: "played")
                #expect(try await pending(server).count == 5)
            }
        }
    }

    @Test func `a step and the end of its being due are one change: where one cannot be, neither is`() async throws {
        try await TemporaryFolder.database { database in
            try await Aviary.run(.pipeline, database: database) { server in
                _ = try await make(server)
                try Dump.change(database) {
                    try $0.execute(sql: "CREATE TRIGGER stop BEFORE DELETE ON due_work BEGIN SELECT RAISE(ABORT, 'no'); END")
                }
                try await advance(server, "10s")
                #expect(try await server.admin(.get, "faults", sandbox: "played")["faults"]?.array?.count == 1)
                #expect(try await server.journal("?kind=due", sandbox: "played").isEmpty)
                try Dump.change(database) { try $0.execute(sql: "DROP TRIGGER stop") }
            }
            // What could not be done is done by the next process.
            try await Aviary.run(.pipeline, database: database) { server in
                try await until { try await server.journal("?kind=due", sandbox: "played").count == 1 }
                #expect(try await server.admin(.get, "faults", sandbox: "played")["faults"] == [])
            }
        }
    }

    @Test func `a clock that jumps in the timeline takes an advance along`() async throws {
        let scenario: JSON = [
            "scenario": "jump", "title": "T", "about": "A", "sandbox": ["clock": ["mode": "frozen", "now": "2027-01-15T08:00:00Z"]],
            "timeline": [
                ["at": "10s", "do": "setClock", "with": ["mode": "frozen", "now": "2027-01-15T07:55:10Z"]],
                ["at": "20s", "do": "clearFaults"],
            ],
        ]
        try await Aviary.run(.pipeline) { server in
            _ = try await make(server, ["scenario": scenario])
            try await advance(server, "15s")
            #expect(try await server.admin(.get, "clock", sandbox: "played")["now"] == "2027-01-15T07:55:15.000Z")
            #expect(try await pending(server) == ["08:00:20 the scenario's timeline: clearFaults"])
        }
    }
}
