import BirdSupport
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import Support
import Testing

/// The request that a command line stands for: `POST …/commands`.
@Suite struct CommandTests {
    private static func read(_ form: JSON) async throws -> TestAnswer {
        try await Aviary.run(.pipeline) { server in try await server.send(.post, "/__admin/sandboxes/default/commands", json: form) }
    }

    @Test(
        arguments: [
            ("clock show", "GET clock", nil), ("sparring clock freeze", "PUT clock", ["mode": "frozen"]),
            ("clock resume", "PUT clock", ["mode": "real"]), ("clock resume --rate 0.5", "PUT clock", ["mode": "rate", "rate": 0.5]),
            ("clock resume --offset=-5m", "PUT clock", ["mode": "real", "offset": "-5m"]),
            ("clock advance 10m --keep-sockets", "POST clock/advance", ["by": "10m", "keepSockets": true]),
            ("fault add identity.token code-reused  times=2", "POST faults", ["fault": "identity.token code-reused times=2"]),
            (#"fault add '* delay subject="a b"'"#, "POST faults", ["fault": #"* delay subject="a b""#]),
            (#"fault add "\$x \"y\" \z" a\ b"#, "POST faults", ["fault": #"$x "y" \z a b"#]),
            ("fault remove --all", "DELETE faults", nil), ("fault remove 3", "DELETE faults/3", nil),
            (
                #"act liveperson say consumer=ada text='"5"' n=5 note=it\'s\ so"#, "POST acts",
                ["operation": "say", "vendor": "liveperson", "with": ["consumer": "ada", "text": "5", "n": 5, "note": "it's so"]]
            ),
            (
                "device push ada --vendor liveperson -- --x", "POST acts",
                ["operation": "push", "vendor": "liveperson", "with": ["consumer": "ada", "text": "--x"]]
            ),
            (
                "journal resend 7 --header 'X-A:  b: c' --header X-B: --as eve", "POST journal/7/resend",
                ["lane": "eve", "headers": ["X-A": "b: c", "X-B": ""]]
            ),
            ("journal mark badge --as ada --set value=0", "POST journal/marks", ["value": 0, "mark": "badge", "lane": "ada"]),
            ("journal show 7 --as curl", "GET journal/7/export?as=curl", nil),
            ("device notifications 'a/b' --limit 5", "GET devices/a%2Fb/notifications?limit=5", nil),
            (#"tenant change identity --set '{"a": null}'"#, "PATCH tenants/identity", ["a": .null]),
            (
                "agent say ada Hi --quick-reply Yes --quick-reply No", "POST acts",
                [
                    "operation": "say", "with": ["consumer": "ada", "text": "Hi", "quickReplies": ["Yes", "No"]],
                ]
            ),
        ] as [(String, String, JSON?)])
    func `a line stands for one request`(_ line: String, _ request: String, _ body: JSON?) async throws {
        let answer = try await Self.read(["line": .string(line)])
        let read = try #require(answer.json)
        let target = (read["target"]?.string ?? "").replacing("/__admin/sandboxes/default/", with: "")
        #expect("\(read["method"]?.string ?? "") \(target)" == request, "\(read.text)")
        #expect(read["body"] == body)
    }

    /// The command that is shown is read as the same again.
    @Test(
        arguments: [
            (["fault", "add", "--", "identity.token code-reused"], "fault add 'identity.token code-reused'"),
            (["act", "liveperson", "say", #"text="Hello""#], "act liveperson say text=Hello"),
            (["act", "liveperson", "say", #"text="5""#], #"act liveperson say 'text="5"'"#),
            (["act", "liveperson", "say", #"text="{""#], #"act liveperson say 'text="{"'"#),
            (["act", "liveperson", "say", #"text="""#], "act liveperson say text="),
            (["device", "push", "--", "ada", "-5 it's"], #"device push -- ada '-5 it'\''s'"#),
            (["journal", "resend", "7", "--body=-x", "--as="], "journal resend 7 --body=-x --as ''"),
            (["journal", "mark", "'\u{301}; x"], #"journal mark ''\''"# + "\u{301}; x'"),
            (["journal", "mark", "a\u{A0}b"], "journal mark 'a\u{A0}b'"),
            (["journal", "mark", "=x"], "journal mark '=x'"), (["journal", "mark", "ñ"], "journal mark 'ñ'"),
            (["sparring", "clock", "advance", "1ms"], "clock advance 1ms"),
        ] as [([String], String)])
    func `the command line that is shown is the shortest that says the same`(_ words: [String], _ line: String) async throws {
        func read(_ form: JSON) async throws -> JSON { try #require(try await Self.read(form).json) }
        let first = try await read(["words": .array(words.map { .string($0) })])
        let shown = try #require(first["command"]?.string)
        #expect(shown.replacing(#/ --url \S+/#, with: "") == "sparring \(line)")
        var again = try await read(["line": .string(shown.replacing(#/ --url \S+/#, with: ""))])
        again["command"] = first["command"]
        #expect(again == first)
    }

    @Test func `the command names the sandbox and the server, and may name no other`() async throws {
        try await Aviary.run(.pipeline) { server in
            #expect(try await server.send(.post, "/__admin/sandboxes", json: ["name": "checkout"]).status == 201)
            func read(_ line: String) async throws -> TestAnswer {
                try await server.send(.post, "/__admin/sandboxes/checkout/commands", json: ["line": .string(line)])
            }
            let shown = try #require(try await read("clock show").json?["command"]?.string)
            #expect(shown.hasPrefix("sparring clock show --sandbox checkout --url http://"))
            #expect(try await read(shown).json?["target"] == "/__admin/sandboxes/checkout/clock")
            let own = try #require(try await read("sandbox reset other").json?["command"]?.string)
            #expect(own.hasPrefix("sparring sandbox reset other --url"))
            for line in [
                "clock show --sandbox default", "clock show --sandbox=default", "clock show --url http://a.example", "clock show --sandbox",
            ] {
                #expect(Problem(try await read(line)).words == "422 command-invalid")
            }
        }
    }

    @Test(
        arguments: [
            (
                "clock advanse 3",
                "there is no command 'clock advanse' that is a single request; there is clock show, clock freeze, clock resume, clock advance, clock wait"
            ),
            ("clock advance", "DURATION is missing: clock advance DURATION [--keep-sockets]"),
            ("clock advance 1s 2s", "unexpected word '2s': clock advance DURATION [--keep-sockets]"),
            ("clock advance 1s --far", "there is no option '--far': clock advance DURATION [--keep-sockets]"),
            ("clock advance 1s --keep-sockets=no", "--keep-sockets takes no value: clock advance DURATION [--keep-sockets]"),
            ("fault remove ..", "NUMBER: '..' can be no name"),
            ("clock freeze --at", "--at needs a value: clock freeze [--at TIME]"),
            (
                "clock advance -5m",
                "'-5m' looks like an option; write a text that begins so after '--': clock advance DURATION [--keep-sockets]"
            ),
            ("fault remove", "--all is missing: fault remove --all; or NUMBER is missing: fault remove NUMBER"),
            ("clock resume --rate fast", "--rate: 'fast' is not a number"), ("clock resume --rate ''", "--rate: '' is not a number"),
            ("tenant change identity --set {a", "--set: not JSON: expected a name in double quotes at line 1, column 2"),
            ("act liveperson say note=[x", "NAME=JSON: not JSON: unexpected 'x' where a value is expected at line 1, column 2"),
            ("act liveperson say consumer", "NAME=JSON: 'consumer' must be name=JSON"),
            ("journal resend 3 --header x", "--header: 'x' must be 'Name: text'"), ("fault add 'x", "the quote ' is not closed"),
        ])
    func `what is no such command is refused, and says why`(_ line: String, _ reason: String) async throws {
        let answer = try await Self.read(["line": .string(line)])
        #expect(answer.status == 422)
        let detail = answer.json?["detail"]?.string ?? ""
        #expect(detail == reason)
    }

    @Test(arguments: [[:], ["line": ""], ["words": []], ["line": "a", "words": ["a"]], ["words": [1]], ["lines": "x"]] as [JSON])
    func `a request without a command is malformed`(_ form: JSON) async throws {
        #expect(Problem(try await Self.read(form)).words.hasPrefix("400 request-malformed"))
    }

    @Test func `reading a command does nothing`() async throws {
        try await Aviary.run(.pipeline) { server in
            for line in ["fault add identity.token code-reused", "journal mark x", "sandbox delete default"] {
                let answer = try await server.send(.post, "/__admin/sandboxes/default/commands", json: ["line": .string(line)])
                #expect(answer.status == 200)
            }
            #expect(try await server.journal() == [])
            #expect(try await server.admin(.get, "faults")["faults"] == [])
        }
    }
}
