import BirdSupport
import HTTPTypes
import SparringContract
import SparringJSON
@testable import SparringSandbox
import SparringTestKit
import Support
import Testing

/// Faults on the operation that opens a socket, with a condition on the message: they strike what a client sends, whether or not an operation is for it.
@Suite struct StrayMessageTests {
    private static let contracts = ((try? Aviary.cast.get().contracts) ?? []).filter { $0.vendor != "admin" }
    private static let forbidden = SocketClient.Event.message(["message": "Forbidden", "connectionId": "c1"])

    private func findings(_ server: TestServer, atLeast count: Int) async throws -> [JSON] {
        try await until { try await server.journal("?operation=parrot.openCage&kind=finding").count >= count }
        return try await server.journal("?operation=parrot.openCage&kind=finding")
    }

    // MARK: The text form

    @Test(arguments: [
        ("parrot.openCage close code=1011 message=beet", "parrot.openCage close code=1011 message=beet"),
        ("*.openCage drop message:/action=sing phase=onRequestEnd", "*.openCage drop phase=onRequestEnd message:/action=sing"),
        ("parrot.openCage corrupt message:/a=1 message=* subject=ada", "parrot.openCage corrupt subject=ada message=* message:/a=1"),
        (
            #"parrot.openCage truncate message={"a": 1} bytes=3"#,
            #"parrot.openCage truncate bytes=3 phase=onResponseStart message="{\"a\": 1}""#
        ),
        ("parrot.Talk.* drop message=*refund*", "parrot.Talk.* drop message=*refund*"),
        ("parrot.heard drop message=*", "parrot.heard drop message=*"),
    ])
    func `a condition on a message's text is read and written`(_ text: String, _ canonical: String) throws {
        let reader = FaultReader(Self.contracts)
        let fault = try reader.read(text: text)
        #expect(fault.text == canonical)
        #expect(try reader.read(text: canonical).text == fault.text)
    }

    @Test(arguments: [
        ("parrot.openCage drop", "'drop' strikes messages at parrot.openCage, so it needs a condition on them, such as message=* for all"),
        ("parrot.openCage drop body:/a=1", "'drop' can strike nothing at parrot.openCage that has a body"),
        ("parrot.openCage status code=503 message=*", "'status' can strike nothing at parrot.openCage that has messages"),
        (
            "parrot.openCage delay by=1s phase=onRequestStart message=*",
            "'delay' cannot strike onRequestStart at parrot.openCage, only onRequestEnd, onResponseStart"
        ),
        ("parrot.openCage moulted message=*", "'moulted' can strike nothing at parrot.openCage that has messages"),
        ("parrot.openCage forbidden message=*", "'forbidden' is neither an effect nor an unhappy answer of parrot.openCage"),
        ("parrot.findBird EMPTY_RESPONSE message=*", "'EMPTY_RESPONSE' can strike nothing at parrot.findBird that has messages"),
        ("parrot.openCage close message:action=sing", "'message:action' is not followed by a JSON Pointer"),
        ("parrot.openCage close mesage=*", "'close' has no parameter 'mesage'; nearest: message"),
        ("parrot.openCage close message=a message=b", "'message' is given twice"),
    ])
    func `a condition that nothing there could meet is refused, and so is an effect on messages that says not which`(
        _ text: String, _ reason: String
    ) {
        let refused = #expect(throws: FaultRefused.self) { try FaultReader(Self.contracts).read(text: text) }
        #expect(refused?.description.hasPrefix(reason) == true, "\(refused?.description ?? "")")
    }

    @Test func `the list of effects at a socket's opening says which of them need a condition`() throws {
        let vocabulary = FaultVocabulary(Self.contracts)
        let here = Dictionary(uniqueKeysWithValues: try vocabulary.effects(at: "parrot.openCage").map { ($0.word, $0.parameters) })
        #expect(here["drop"] == ["message=*"] && here["truncate"]?.first == "message=*")
        #expect(here["close"]?.contains("message=*") == false && here["delay"]?.contains("message=*") == false)
        let all = try vocabulary.effects(at: "parrot.*").first { $0.word == "drop" }
        #expect(all?.parameters == [])
    }

    // MARK: What is struck

    @Test(arguments: [
        ("not JSON", "message=not*"), ("not JSON", "message=\"not JSON\""), ("[]", "message=*"),
        (#"{"action":"sing"}"#, "message:/action=sing"),
        (#"{"action":"sing"}"#, #"message=*"sing"*"#),
        (#"{"action":"event","payload":{"eventType":"Sya"}}"#, "message:/payload/eventType=S*"),
    ])
    func `a message that no operation is for loses its answer, and the next one does not`(_ frame: String, _ condition: String) async throws
    {
        try await Aviary.run { server in
            try await server.arm("parrot.openCage drop times=1 \(condition)")
            let socket = try await server.openCage("polly")
            for text in [frame, frame, "beat"] { socket.sendText(text) }
            #expect(try await socket.next() == Self.forbidden)
            #expect(try await socket.next() == .text("tick"))
            let told = try await findings(server, atLeast: 2)
            #expect(told.map { $0["faults"] ?? [] } == [[1], []], "\(told)")
            #expect(told.first?["effects"] == ["drop"] && told.first?["answer"]?["name"] == "forbidden")
            #expect(told.first?["answer"]?["delivery"] == "the response: lost on its way")
            #expect(told.first?["findings"]?.array?.first?["code"] == "misunderstood", "that it was sent stays a finding")
            let fault = try await server.admin(.get, "faults/1")
            // The heartbeat is a message like any other.
            #expect(fault["hits"] == 1 && fault["matched"] == (condition == "message=*" ? 3 : 2))
        }
    }

    @Test(arguments: ["message=other", "message:/action=Sing", "message=* subject=coco", "message=* account=gulls"])
    func `a condition that does not hold leaves it alone and uncounted`(_ condition: String) async throws {
        try await Aviary.run { server in
            try await server.arm("parrot.openCage drop \(condition)")
            let socket = try await server.openCage("polly")
            socket.sendText(#"{"action":"sing"}"#)
            #expect(try await socket.next() == Self.forbidden)
            #expect(try await server.admin(.get, "faults/1")["matched"] == 0)
        }
    }

    @Test(
        arguments: [
            ("close code=4001 reason=later", .closed(code: 4001, reason: "later"), false, "closed with 4001: nothing was decided"),
            (
                "close code=4001 phase=onResponseStart", .closed(code: 4001, reason: ""), false,
                "closed with 4001: decided and committed, the response was lost"
            ),
            (
                "close code=4001 phase=onResponseEnd", .closed(code: 4001, reason: ""), true,
                "closed with 4001: decided and committed, the response was sent"
            ),
            ("abort", .ended(.closed), false, "closed without a close frame: nothing was decided"),
            ("CONNECTION_RESET_BY_PEER", .ended(.reset), false, "reset: nothing was decided"),
            (
                "EMPTY_RESPONSE phase=onResponseStart", .ended(.closed), false,
                "closed without an answer: decided and committed, the answer was lost"
            ),
        ] as [(String, SocketClient.Event, Bool, String)])
    func `it may end the socket, before its answer or after`(
        _ effect: String, _ end: SocketClient.Event, _ isAnswered: Bool, _ delivery: String
    ) async throws {
        try await Aviary.run { server in
            try await server.arm("parrot.openCage \(effect) message=junk")
            let socket = try await server.openCage("polly")
            socket.sendText("beat")
            #expect(try await socket.next() == .text("tick"), "what the condition does not fit goes well")
            socket.sendText("junk")
            if isAnswered { #expect(try await socket.next() == Self.forbidden) }
            #expect(try await socket.next() == end)
            let told = try #require(try await findings(server, atLeast: 1).first)
            #expect(told["answer"]?["delivery"] == .string(delivery) && told["faults"] == [1], "\(told)")
            if delivery.hasSuffix("nothing was decided") { #expect(told["cause"] == "fault 1" && told["causeCode"] == "fault") }
        }
    }

    @Test func `a message that is lost on its way is not one that the vendor closes the socket for`() async throws {
        var contracts = Aviary.Contracts()
        contracts.messages.replace(
            "x-misunderstood: { answer: { $ref: '#/channels/cage/messages/forbidden' } }\n", with: "x-misunderstood: { close: 4000 }\n")
        try await Aviary.run(contracts: contracts) { server in
            try await server.arm("parrot.openCage drop phase=onRequestEnd message=junk times=1")
            let socket = try await server.openCage("polly")
            for text in ["junk", "beat", "junk"] { socket.sendText(text) }
            #expect(try await socket.next() == .text("tick"))
            #expect(try await socket.next() == .closed(code: 4000, reason: ""))
        }
    }

    @Test func `a delay is the sandbox's, and keeps the order of what was sent`() async throws {
        try await Aviary.run { server in
            try await server.arm("parrot.openCage delay by=2s message=junk")
            try await server.arm("parrot.openCage delay by=3s phase=onResponseStart message=junk")
            let socket = try await server.openCage("polly")
            for text in ["junk", "beat"] { socket.sendText(text) }
            try await server.untilPending()
            let pending = try await server.admin(.get, "clock")["pending"]?.array?.first?["what"]?.string ?? ""
            #expect(pending.hasSuffix("on socket 1, delayed by fault 1, 2"), "\(pending)")
            #expect(try await server.journal("?kind=finding").isEmpty)
            try await server.admin(.post, "clock/advance", ["by": "2s"])
            #expect(try await findings(server, atLeast: 1).first?["sandboxTime"] == "2026-01-01T00:00:02.000Z")
            try await server.untilPending()
            try await server.admin(.post, "clock/advance", ["by": "3s"])
            #expect(try await socket.next() == Self.forbidden)
            #expect(try await socket.next() == .text("tick"))
        }
    }

    @Test func `a message of an operation is one of its socket too`() async throws {
        try await Aviary.run { server in
            try await server.arm("parrot.openCage drop message:/payload/eventType=Say phase=onRequestEnd times=1")
            let (polly, coco) = (try await server.openCage("polly"), try await server.openCage("coco"))
            for text in ["lost", "found"] { polly.say(text) }
            #expect(try await coco.next() == .message(["eventType": "Heard", "by": "polly", "text": "found"]))
            let said = try await server.journal(of: "parrot.say", atLeast: 2)
            #expect(said.first?["faults"] == [1] && said.first?["cause"] == "fault 1")
        }
    }

    // MARK: Replay

    @Test func `messages that no operation is for change no draw of a fault that was there before`() async throws {
        let faults = [
            "parrot.Talk.* delay by=0ms message:/action=* probability=0.5", "* abort message:/action=sing",
            "parrot.openCage close after=1h",
        ]
        func course(strays: Bool) async throws -> [JSON?] {
            try await Aviary.run { server in
                for fault in faults { try await server.arm(fault) }
                let socket = try await server.openCage("polly")
                for number in 1...24 {
                    if strays { socket.sendText(#"{"action":"sing"}"#) }
                    socket.say("\(number)")
                }
                let said = try await server.journal(of: "parrot.say", atLeast: 24)
                #expect(try await server.admin(.get, "faults/1")["matched"] == 24)
                #expect(try await server.admin(.get, "faults/2")["matched"] == 0, "only the socket's own operation reaches them")
                return said.map { $0["faults"] }
            }
        }
        let plain = try await course(strays: false)
        #expect(try await course(strays: true) == plain)
        #expect(Set(plain.map { $0?.text ?? "" }).count == 2, "some are struck and some are not: \(plain)")
    }

    @Test func `what strikes them is drawn from the seed, and previewed`() async throws {
        let fault = "parrot.openCage drop message=junk probability=0.5"
        let foretold = try ChaosPlan(seed: 7, faults: [(1, fault)], lanes: ["polly"], calls: 16, contracts: Self.contracts)
        try await Aviary.run(seed: 7) { server in
            try await server.arm(fault)
            let socket = try await server.openCage("polly", lane: "polly")
            for _ in 1...16 { socket.sendText("junk") }
            let struck = try await findings(server, atLeast: 16).map { $0["faults"] == [1] }
            #expect(struck == foretold.parts.first?.rows.first?.calls.map { $0 != nil })
        }
    }
}
