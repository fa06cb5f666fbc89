import BirdSupport
import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The kinds of sockets that any vendor may have.
@Suite struct ParrotTests {
    @Test func `two spellings are one operation, and an error has no status, neither does its answer`() async throws {
        try await Aviary.run { server in
            let socket = try await server.openCage("polly")
            socket.perch("polly")
            #expect(try await socket.next() == .message(["eventId": "e-polly", "data": ["bird": "polly"]]))
            socket.perch("polly", as: "SitDown", ["bar": 1])
            #expect(try await socket.next() == .message(["eventId": "e-polly", "error": ["errorCode": "PerchTaken"]]))
            let entries = try await server.journal(of: "parrot.perch", atLeast: 2)
            #expect(entries.map { $0["answer"]?["name"] } == ["perched", "perch-taken"])
            #expect(entries.map { $0["answer"]?["outcome"] } == ["ok", "refused"])
            #expect(entries.allSatisfy { $0["answer"]?["status"] == nil && $0["kind"] == "message" && $0["findings"] == nil })
        }
    }

    @Test func `what is wrong with a message is reported for its own spelling`() async throws {
        try await Aviary.run { server in
            let socket = try await server.openCage("polly")
            socket.perch("polly", as: "SitDown", ["bar": "high"])
            _ = try await socket.next()
            let entry = try await server.journal(of: "parrot.perch")[0]
            let finding = try #require(entry["findings"]?.array?.first)
            #expect(finding["code"] == "type" && finding["place"] == "body:/payload/bar")
            #expect(finding["words"] == "body.payload.bar: expected integer, found string")
            #expect(finding["contract"]?["document"] == "parrot.asyncapi.yaml")
            #expect(finding["contract"]?["path"] == "$.components.messages.SitDown.payload.properties.payload.properties.bar")
        }
    }

    @Test func `a bare word is a message, and so is what answers it`() async throws {
        try await Aviary.run { server in
            let socket = try await server.openCage("polly")
            socket.sendText("beat")
            #expect(try await socket.next() == .text("tick"))
            // In quotes it is JSON, and none of the channel's.
            socket.send("beat")
            #expect(try await socket.next() == .message(["message": "Forbidden", "connectionId": "c1"]))
            let entry = try await server.journal(of: "parrot.beat")[0]
            #expect(entry["request"]?["body"] == "beat" && entry["answer"]?["body"] == "tick" && entry["answer"]?["outcome"] == "ok")
        }
    }

    @Test(arguments: [1, 3]) func `a client that closes right after its messages gets their answers first`(_ count: Int) async throws {
        try await Aviary.run { server in
            let socket = try await server.openCage("polly")
            for _ in 0..<count { socket.sendText("beat") }
            socket.close()
            // Each message is taken when the one before has been answered: what is still in line then is dropped.
            #expect(try await socket.next() == .text("tick"))
            var last = try await socket.next()
            while last == .text("tick") { last = try await socket.next() }
            #expect(last == .closed(code: 1000, reason: ""))
        }
    }

    @Test func `a message without a reply is a call that went well, and is heard by others`() async throws {
        try await Aviary.run { server in
            let (polly, coco) = (try await server.openCage("polly"), try await server.openCage("coco"))
            polly.say("ping")
            #expect(try await coco.next() == .message(["eventType": "Heard", "by": "polly", "text": "ping"]))
            #expect(try await coco.next() == .text("ping"))
            let entry = try await server.journal(of: "parrot.say")[0]
            #expect(entry["answer"] == ["outcome": "ok", "headers": [:]] && entry["cause"] == "said 'ping'" && entry["lane"] == "polly")
            // Nothing came back.
            polly.sendText("beat")
            #expect(try await polly.next() == .text("tick"))
        }
    }

    @Test func `where only one of the members that distinguish messages is wrong, both are named`() async throws {
        try await Aviary.run { server in
            let socket = try await server.openCage("polly")
            socket.send(["action": "event", "payload": ["eventType": "Sya", "text": "x"]])
            _ = try await socket.next()
            let finding = try await server.journal(of: "parrot.openCage", atLeast: 2).first { $0["kind"] == "finding" }
            #expect(
                finding?["findings"]?.array?.first?["words"]
                    == "no message of channel cage is \"event\", \"Sya\"; nearest: parrot.say")
        }
    }

    @Test func `what is sent over a socket can have the address that its client reached`() async throws {
        try await Aviary.run { server in
            let (polly, coco) = (try await server.openCage("polly"), try await server.openCage("coco"))
            polly.say("where")
            _ = try await coco.next()
            #expect(try await coco.next() == .text("http://127.0.0.1:\(server.addresses.port)"))
        }
    }

    @Test(arguments: [
        ("x-misunderstood: { answer: { $ref: '#/channels/cage/messages/forbidden' } }\n", nil, true),
        ("x-misunderstood: ignore\n", nil, false), ("x-misunderstood: { close: 4000 }\n", 4000, false), ("summary: Cage\n", 1003, false),
    ])
    func `what is no message gets what the contract has for it`(policy: String, code: Int?, isAnswered: Bool) async throws {
        var contracts = Aviary.Contracts()
        contracts.messages.replace("x-misunderstood: { answer: { $ref: '#/channels/cage/messages/forbidden' } }\n", with: policy)
        try await Aviary.run(contracts: contracts) { server in
            let socket = try await server.openCage("polly")
            for text in [#"{"action":"authorise","eventId":"1","payload":{"eventType":"Perch","bird":"polly"}}"#, "not JSON", "[]"] {
                socket.sendText(text)
            }
            socket.sendText("beat")
            if let code {
                #expect(try await socket.next() == .closed(code: code, reason: ""))
            } else {
                for _ in 0..<3 where isAnswered {
                    #expect(try await socket.next() == .message(["message": "Forbidden", "connectionId": "c1"]))
                }
                #expect(try await socket.next() == .text("tick"))
            }
            let findings = try await server.journal(of: "parrot.openCage", atLeast: code == nil ? 4 : 2).filter { $0["kind"] == "finding" }
            #expect(findings.count == (code == nil ? 3 : 1))
            #expect(findings[0]["causeCode"] == "misunderstood")
            #expect(findings[0]["cause"] == "no message of channel cage is \"authorise\"")
            #expect(
                findings[0]["findings"]?.array?.first?["words"] == "no message of channel cage is \"authorise\"; did you mean parrot.perch?"
            )
            #expect(findings[0]["findings"]?.array?.first?["contract"]?["document"]?.string?.hasSuffix("asyncapi.yaml") == true)
            // One that is meant for no message stands where the socket's opening does.
            let opened = findings.last?["findings"]?.array?.first?["contract"]
            #expect(code != nil || opened?["document"]?.string?.hasSuffix("openapi.yaml") == true, "\(String(describing: opened))")
            #expect(findings[0]["answer"]?["outcome"] == (isAnswered ? "refused" : nil))
        }
    }

    @Test func `a message may name who sends it, unless the socket's opening does`() async throws {
        try await Aviary.run { server in
            let (free, named) = (try await server.openCage("polly"), try await server.openCage("polly", lane: "tablet"))
            free.say("a", as: "coco")
            free.perch("kiki")
            _ = try await free.next()
            free.say("b")
            named.say("c", as: "coco")
            named.perch("rio")
            _ = try await named.next()
            named.say("d")
            let entries = try await server.journal(of: "parrot.say", atLeast: 4)
            let lanes = entries.map { ($0["cause"]?.string ?? "") + " " + ($0["lane"]?.string ?? "") }.sorted()
            #expect(lanes == ["said 'a' coco", "said 'b' kiki", "said 'c' tablet", "said 'd' tablet"])
        }
    }

    @Test func `an error that comes as 200 can be armed by its name, and by its outcome is one`() async throws {
        try await Aviary.run { server in
            try await server.arm("parrot.issueTicket bird-unwelcome times=1")
            let refused = try await server.issueTicket("polly")
            #expect(refused.status == 200 && refused.json == ["error": ["errorCode": "BirdUnwelcome"]])
            try await server.arm("parrot.perch perch-taken times=1")
            try await server.arm("parrot.heard drop times=1")
            let (polly, coco) = (try await server.openCage("polly"), try await server.openCage("coco"))
            polly.perch("polly")
            #expect(try await polly.next() == .message(["eventId": "e-polly", "error": ["errorCode": "PerchTaken"]]))
            polly.perch("polly")
            #expect(try await polly.next() == .message(["eventId": "e-polly", "data": ["bird": "polly"]]))
            for text in ["lost", "found"] { polly.say(text) }
            #expect(try await coco.next() == .message(["eventType": "Heard", "by": "polly", "text": "found"]))
            let tickets = try await server.journal("?operation=parrot.issueTicket").map { $0["answer"]?["outcome"] }
            #expect(tickets == ["refused", "ok", "ok"])
            let verdicts = try await server.admin(.post, "verdicts")["verdicts"]?.array ?? []
            let results = verdicts.map { ($0["rule"]?.string ?? "") + " " + ($0["result"]?.string ?? "") }
            // The first refusal was forced.
            #expect(results == ["asks-before-it-sits pass", "speaks pass"], "\(verdicts)")
        }
    }

    @Test func `a message that Sparring fails over is journalled as a message, with the faults that struck it`() async throws {
        try await Aviary.run { server in
            try await server.arm("parrot.say delay by=0s")
            let socket = try await server.openCage("polly")
            socket.say("shriek")
            let entry = try await server.journal(of: "parrot.say")[0]
            #expect(entry["kind"] == "message" && entry["faults"] == [1] && entry["details"]?["socket"] == 1)
            #expect(entry["cause"]?.string?.hasPrefix("Sparring failed: ") == true)
            // Nothing that is no message of the channel's went out, and the next one is answered.
            socket.sendText("beat")
            #expect(try await socket.next() == .text("tick"))
        }
    }

    @Test(
        arguments: [(nil, "2026-01-01T00:10:00.000Z"), ("60s", "2026-01-01T00:01:00.000Z"), (60, "2026-01-01T00:01:00.000Z")]
            as [(JSON?, JSON)])
    func `a ticket expires when the flock's setting says, or else the default of its schema`(_ lifetime: JSON?, _ expiry: JSON) async throws
    {
        var tenants = Aviary.tenants
        tenants["parrot"]?["ticketLifetime"] = lifetime
        try await Aviary.run(.pipeline, tenants: tenants) { server in
            let issued = try await server.issueTicket("polly")
            #expect(issued.json?["expires"] == expiry)
        }
    }

    @Test(arguments: ["broken", "missing"]) func `a forged ticket names nobody, and only the call that the fault strikes gets one`(
        _ seal: String
    )
        async throws
    {
        try await Aviary.run { server in
            try await server.arm("parrot.issueTicket forge seal=\(seal) times=1")
            #expect(try await server.issueTicket("polly").json?["ticket"] == .string("ticket-of-polly-\(seal)"))
            #expect(try await server.issueTicket("polly").json?["ticket"] == "ticket-of-polly")
            let issued = try await server.journal("?operation=parrot.issueTicket")
            #expect(issued.map { $0["effects"] } == [["forge"], nil])
            var sockets: [SocketClient] = []
            for ticket in ["ticket-of-polly-\(seal)", "ticket-of-polly"] {
                sockets.append(try await SocketClient(port: server.addresses.port, target: "/?ticket=\(ticket)"))
            }
            let opened = try await server.journal("?kind=exchange&operation=parrot.openCage")
            #expect(opened.map { $0["lane"] } == ["parrot.openCage", "polly"] && sockets.count == 2)
        }
    }

    @Test func `work that falls due sends to the sockets that are open by then`() async throws {
        try await Aviary.run { server in
            let polly = try await server.openCage("polly")
            polly.say("echo")
            _ = try await server.journal(of: "parrot.say")
            let coco = try await server.openCage("coco")
            try await server.admin(.post, "clock/advance", ["by": "4s"])
            polly.sendText("beat")
            #expect(try await polly.next() == .text("tick"))
            try await server.admin(.post, "clock/advance", ["by": "1s"])
            for bird in [polly, coco] {
                #expect(try await bird.next() == .message(["eventType": "Heard", "by": "cage", "text": "echo"]))
            }
            let due = try #require(try await server.journal("?kind=due").first)
            #expect(due["operation"] == "parrot.echo" && due["lane"] == "polly" && due["cause"] == "the cage echoed \"echo\"")
        }
    }
}
