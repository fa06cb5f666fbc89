import BirdSupport
import HTTPTypes
@testable import SparringContract
import SparringJSON
@testable import SparringSandbox
import SparringTestKit
import Support
import Testing

/// The text form, which is the same in the command line, the admin API, configuration files and the journal.
@Suite struct FaultTextTests {
    /// A vendor with sockets and effects of its own, and one without.
    private static let reader = FaultReader(((try? Aviary.cast.get().contracts) ?? []).filter { $0.vendor != "admin" })

    @Test(
        arguments: [
            ("parrot.issueTicket bird-unwelcome", "parrot.issueTicket bird-unwelcome"),
            ("parrot.Door.* bird-unwelcome times=2", "parrot.Door.* bird-unwelcome times=2"),
            ("*.Door.* bird-unwelcome", "*.Door.* bird-unwelcome"),
            ("parrot.* status code=503", "parrot.* status code=503"),
            ("parrot.*.* status code=503", "parrot.* status code=503"),
            ("*.*.* status code=503", "* status code=503"),
            ("* status code=429 retry-after=30", "* status code=429 retry-after=30s"),
            ("* status code=429 retry-after=90s", "* status code=429 retry-after=90s"),
            ("* status retry-after=PT2M code=429", "* status code=429 retry-after=2m"),
            ("*.issueTicket delay by=200ms", "*.issueTicket delay by=200ms"),
            ("* delay by=1.5s", "* delay by=1500ms"),
            ("* delay by=PT10M phase=onRequestEnd", "* delay by=10m"),
            ("* delay by=P1DT2H phase=onResponseStart", "* delay by=26h phase=onResponseStart"),
            ("* delay by=0s", "* delay by=0ms"),
            ("  *\t CONNECTION_RESET_BY_PEER   times=1\n", "* CONNECTION_RESET_BY_PEER times=1"),
            ("* EMPTY_RESPONSE phase=onResponseStart", "* EMPTY_RESPONSE phase=onResponseStart"),
            ("* EMPTY_RESPONSE skip=0 every=1 per=sandbox", "* EMPTY_RESPONSE"),
            (
                "* EMPTY_RESPONSE per=lane probability=0.25 every=2 skip=3 times=4",
                "* EMPTY_RESPONSE times=4 skip=3 every=2 probability=0.25 per=lane"
            ),
            ("* EMPTY_RESPONSE probability=1", "* EMPTY_RESPONSE probability=1.0"),
            ("* EMPTY_RESPONSE probability=1e-3", "* EMPTY_RESPONSE probability=0.001"),
            ("* status code=502 type=text/html phase=onResponseStart", "* status code=502 type=text/html phase=onResponseStart"),
            (#"* status code=502 body="a \"quoted\" page""#, #"* status code=502 body="a \"quoted\" page""#),
            (#"* status code=200 body={"a":1}"#, #"* status code=200 body="{\"a\":1}""#),
            (#"* status code=200 body={"a": ["b \"}", {}]} times=1"#, #"* status code=200 body="{\"a\": [\"b \\\"}\", {}]}" times=1"#),
            (#"* status code=200 body=a"b"c"#, #"* status code=200 body="a\"b\"c""#),
            ("* delay from=1s to=2500ms", "* delay from=1s to=2500ms"),
            ("* delay sigma=0.5 median=300ms phase=onResponseBody", "* delay median=300ms sigma=0.5 phase=onResponseBody"),
            ("* delay by=1s phase=onRequestStart subject=ada", "* delay by=1s phase=onRequestStart subject=ada"),
            ("* malformed-json", "* malformed-json"), ("* empty-body", "* empty-body"),
            ("* wrong-content-type", "* wrong-content-type type=text/html"),
            ("* MALFORMED_RESPONSE_CHUNK phase=onResponseBody", "* MALFORMED_RESPONSE_CHUNK"),
            ("* RANDOM_DATA_THEN_CLOSE", "* RANDOM_DATA_THEN_CLOSE bytes=64"),
            ("* STALL phase=onResponseBody", "* STALL phase=onResponseBody"),
            ("* truncate bytes=10", "* truncate bytes=10"), ("* slicer size=1 gap=5ms", "* slicer size=1 gap=5ms"),
            ("* bandwidth rate=1024", "* bandwidth rate=1024"), ("* DISCONNECT_AT_END", "* DISCONNECT_AT_END"),
            ("parrot.Talk.* close code=1011 after-frames=3", "parrot.Talk.* close code=1011 after-frames=3"),
            (
                #"*.say close reason="try later" code=4000 phase=onResponseEnd"#,
                #"*.say close code=4000 reason="try later" phase=onResponseEnd"#
            ),
            ("parrot.Talk.* close after=30s", "parrot.Talk.* close after=30s"),
            (
                #"* status code=302 set-header:Set-Cookie="a=b; Path=/" location=https://login.example/?a=b"#,
                #"* status code=302 location=https://login.example/?a=b set-header:Set-Cookie="a=b; Path=/""#
            ),
            ("parrot.Talk.* abort after=30s", "parrot.Talk.* abort after=30s"),
            ("*.say freeze", "*.say freeze"), ("parrot.* drop probability=0.5", "parrot.* drop probability=0.5"),
            ("*.say drop phase=onRequestEnd", "*.say drop phase=onRequestEnd"),
            ("*.say truncate bytes=3", "*.say truncate bytes=3 phase=onResponseStart"),
            ("parrot.* duplicate", "parrot.* duplicate"), ("parrot.* reorder", "parrot.* reorder"),
            ("parrot.* corrupt", "parrot.* corrupt"),
            ("parrot.issueTicket forge seal=broken times=1", "parrot.issueTicket forge seal=broken times=1"),
            ("parrot.openCage moulted", "parrot.openCage moulted"),
            ("* EMPTY_RESPONSE ttl=31s between=10s..40s", "* EMPTY_RESPONSE ttl=31s between=10s..40s"),
            (
                "* EMPTY_RESPONSE between=2027-01-15T08:00:00Z..2027-01-15T10:00:00+01:00",
                "* EMPTY_RESPONSE between=2027-01-15T08:00:00.000Z..2027-01-15T09:00:00.000Z"
            ),
            (
                #"* EMPTY_RESPONSE body:/a~1b=x header:User-Agent="* iOS *" subject=ada account=1*"#,
                #"* EMPTY_RESPONSE account=1* subject=ada header:User-Agent="* iOS *" body:/a~1b=x"#
            ),
            (
                "*.say drop message:/payload/text=hello", "*.say drop message:/payload/text=hello"
            ),
        ] as [(String, String)])
    func `a text is read and written in one canonical form`(_ text: String, _ canonical: String) throws {
        let fault = try Self.reader.read(text: text)
        #expect(fault.text == canonical)
        #expect(try Self.reader.read(text: canonical).text == fault.text)
        #expect(try Self.reader.read(.string(text)).text == fault.text)
        #expect(try Self.reader.read(["fault": .string(text)]).text == fault.text)
    }

    @Test(
        arguments: [
            (
                ["where": "*", "effect": "status", "code": 503, "retry-after": 30, "probability": 0.3],
                "* status code=503 retry-after=30 probability=0.3"
            ),
            (["where": "*", "effect": "status", "code": "503", "retry-after": "30s"], "* status code=503 retry-after=30s"),
            (
                ["where": "parrot.Door.*", "effect": "bird-unwelcome", "times": 2, "skip": 1, "every": 3],
                "parrot.Door.* bird-unwelcome times=2 skip=1 every=3"
            ),
            (
                ["where": "*", "effect": "delay", "by": "2s", "phase": "onResponseStart", "per": "lane"],
                "* delay by=2s phase=onResponseStart per=lane"
            ),
            (["effect": "EMPTY_RESPONSE", "where": "*.issueTicket"], "*.issueTicket EMPTY_RESPONSE"),
        ] as [(JSON, String)])
    func `the same words in JSON are the same fault`(_ json: JSON, _ text: String) throws {
        let fault = try Self.reader.read(text: text)
        #expect(try Self.reader.read(json).text == fault.text)
    }

    @Test(
        arguments: [
            ("", "'' is not of the form WHERE EFFECT", []),
            ("bird-unwelcome", "'bird-unwelcome' is not of the form WHERE EFFECT", []),
            ("parrot status code=503", "'parrot' is not vendor.operationId, vendor.Tag.*, *.Tag.*, vendor.* or *", ["parrot.*"]),
            ("*.* status code=503", "'*.*' is not vendor.operationId", []),
            ("parrot. status code=503", "'parrot.' is not vendor.operationId", ["parrot.*"]),
            ("parrot.Door status code=503", "there is no operation 'parrot.Door'", nil),
            ("parrot..* status code=503", "'parrot..*' is not", ["parrot.*"]),
            ("a.b.c.d status code=503", "'a.b.c.d' is not", []),
            (
                "parrot.pinge status code=503", "there is no operation 'parrot.pinge'", ["parrot.pinged"]
            ),
            ("parot.* status code=503", "there is no operation 'parot.*'", ["parrot.*"]),
            ("*.Aviry.* status code=503", "there is no operation '*.Aviry.*'", nil),
            ("ara.Door.* status code=503", "there is no operation 'ara.Door.*'", nil),
            ("x.y status code=503", "there is no operation 'x.y': there is no vendor 'x'; there are magpie, parrot", []),
            ("* delay bye=1s", "'delay' has no parameter 'bye'", nil), ("* status cod=503", "'status' has no parameter 'cod'", ["code"]),
            ("admin.createSandbox status code=503", "there is no operation 'admin.createSandbox'", nil),
            (
                "parrot.issueTicket bird-unwelcom", "'bird-unwelcom' is neither an effect nor an unhappy answer of parrot.issueTicket",
                nil
            ),
            ("parrot.issueTicket ticket-issued", "'ticket-issued' is neither an effect nor an unhappy answer", nil),
            ("parrot.perch bird-unwelcome", "'bird-unwelcome' is neither an effect nor an unhappy answer", nil),
            ("* STATUS code=503", "'STATUS' is neither an effect", nil),
            ("* status", "'status' needs code=, a number from 200 to 599", []),
            ("* status code=99", "code=99 is not a whole number from 200 to 599", []),
            ("* status code=100", "code=100 is not a whole number", []),
            ("* status code=600", "code=600 is not a whole number", []),
            ("* status code=ok", "code=ok is not a whole number", []),
            ("* status code=503 type=html", "type=html is not a media type such as text/html", []),
            (
                "* status code=302 set-header:Content-Length=3",
                "'set-header:Content-Length' is not the name of a header that a fault can set", []
            ),
            ("* status code=302 set-header:a(b=3", "'set-header:a(b' is not the name of a header", []),
            ("* status code=302 location=/ set-header:location=/", "'set-header:location' is given twice", []),
            ("* status code=302 location=\"a\nb\"", "'Location' has characters that no header may have", []),
            ("parrot.* close reason=later", "'close' has reason= without code=", []),
            ("* status code=503 retry-after=soon", "retry-after=soon is not a duration", []),
            ("* status code=503 retry-after=-1", "retry-after=-1 is not a duration", []),
            (
                "* status code=503 phase=onRequestStart",
                "'status' cannot strike onRequestStart at *, only onRequestEnd, onResponseStart", []
            ),
            ("* status code=503 tmies=1", "'status' has no parameter 'tmies'", ["times", "type"]),
            ("* status code=503 by=1s", "'status' has no parameter 'by'", nil),
            ("* delay", "'delay' needs by=2s, or from=1s to=3s, or median=300ms sigma=0.5", []),
            ("* delay by=1s to=2s", "'delay' needs by=2s, or", []),
            ("* delay from=2s to=1s", "from=2s is longer than to=1s", []),
            ("* delay median=1s sigma=6", "sigma=6 is not a number from 0 to 5", []),
            ("* delay by=2", "by=2 is not a duration such as 200ms", []),
            ("* delay by=-2s", "by=-2s is not a duration", []),
            ("* delay by=P1Y", "by=P1Y is not a duration", []),
            ("* delay by=4000d", "by=4000d is not a duration", []),
            ("* delay by=1s code=503", "'delay' has no parameter 'code'", nil),
            ("* EMPTY_RESPONSE phase=onResponseBody", "'EMPTY_RESPONSE' cannot strike onResponseBody at *, only", []),
            ("* EMPTY_RESPONSE phase=onResponceStart", "phase=onResponceStart is not onRequestStart, onRequestBody,", nil),
            (
                "magpie.* close code=1011",
                "'close' strikes only a socket's opening or a client's message or a notification, and magpie.* has none", []
            ),
            ("magpie.stealTicket drop", "'drop' strikes only a client's message or a notification, and magpie.stealTicket has none", []),
            ("parrot.* close code=1006", "code=1006 must not be sent (RFC 6455 §7.4)", []),
            ("parrot.* abort after=1s after-frames=2", "after-frames= and after= cannot be used together", []),
            ("* slicer size=1", "'slicer' needs size= and gap=", []), ("* bandwidth", "'bandwidth' needs rate=", []),
            ("* truncate bytes=-1", "bytes=-1 is not a whole number from 0 to 1073741824", []),
            ("parrot.issueTicket forge", "'forge' needs seal=, one of broken, missing", []),
            ("parrot.issueTicket forge seal=brokn", "seal=brokn is not one of broken,", ["broken"]),
            ("parrot.Talk.* forge seal=broken", "'forge' is neither an effect nor an unhappy answer of parrot.Talk.*", nil),
            ("* EMPTY_RESPONSE ttl=soon", "ttl=soon is not a duration", []),
            ("* EMPTY_RESPONSE between=10s", "between=10s is not a period such as 10s..40s", []),
            ("* EMPTY_RESPONSE between=40s..10s", "between=40s..10s ends before it begins", []),
            ("* EMPTY_RESPONSE header:=x", "'header:' is not a header's name", []),
            ("* EMPTY_RESPONSE body:a=x", "'body:a' is not followed by a JSON Pointer", []),
            ("* EMPTY_RESPONSE heder:a=x", "'EMPTY_RESPONSE' has no parameter 'heder:a'", nil),
            ("* EMPTY_RESPONSE phase=onRequestStart body:/a=x", "a fault with a condition on the body cannot strike onRequestStart", []),
            ("*.openCage EMPTY_RESPONSE body:/a=x", "'EMPTY_RESPONSE' can strike nothing at *.openCage that has a body", []),
            ("magpie.* EMPTY_RESPONSE message:/a=x", "'EMPTY_RESPONSE' can strike nothing at magpie.* that has messages", []),
            (#"* status code=502 body="open"#, "a quotation mark is missing in", []),
            (#"* status code=502 body={"a":1"#, "the JSON in", []),
            ("* EMPTY_RESPONSE times=0", "times=0 is not a whole number of 1 or more", []),
            ("* EMPTY_RESPONSE times=1.5", "times=1.5 is not a whole number of 1 or more", []),
            ("* EMPTY_RESPONSE times=99999999999999999999", "times=99999999999999999999 is not a whole number", []),
            ("* EMPTY_RESPONSE skip=-1", "skip=-1 is not a whole number of 0 or more", []),
            ("* EMPTY_RESPONSE every=0", "every=0 is not a whole number of 1 or more", []),
            ("* EMPTY_RESPONSE probability=1.01", "probability=1.01 is not a number from 0 to 1", []),
            ("* EMPTY_RESPONSE probability=-0.1", "probability=-0.1 is not a number from 0 to 1", []),
            ("* EMPTY_RESPONSE probability=nan", "probability=nan is not a number from 0 to 1", []),
            ("* EMPTY_RESPONSE probability=30%", "probability=30% is not a number from 0 to 1", []),
            ("* EMPTY_RESPONSE per=account", "per=account is not sandbox or lane", []),
            ("* EMPTY_RESPONSE times", "'times' is not of the form key=value", []),
            ("* EMPTY_RESPONSE =1", "'=1' is not of the form key=value", []),
            ("* EMPTY_RESPONSE times=1 times=2", "'times' is given twice", []),
        ] as [(String, String, [String]?)])
    func `a fault that could never strike as meant is refused with the reason and what may have been meant`(
        _ text: String, _ reason: String, _ nearest: [String]?
    ) {
        let refused = #expect(throws: FaultRefused.self) { try Self.reader.read(text: text) }
        #expect(refused?.reason.hasPrefix(reason) == true, "\(refused?.reason ?? "")")
        if let nearest { #expect(refused?.nearest == nearest) }
    }

    @Test(
        arguments: [
            ([:], "a fault has 'where' and 'effect', or 'fault' with its text form"),
            ([1, 2], "a fault has 'where' and 'effect'"),
            (["where": "*"], "a fault has 'where' and 'effect'"),
            (["where": "*", "effect": "EMPTY_RESPONSE", "times": true], "'times' is neither text nor a number"),
            (["where": "*", "effect": "EMPTY_RESPONSE", "times": [1]], "'times' is neither text nor a number"),
            (["where": "*", "effect": "EMPTY_RESPONSE", "times": 1.5], "times=1.5 is not a whole number"),
        ] as [(JSON, String)])
    func `JSON that is no fault is refused`(_ json: JSON, _ reason: String) {
        let refused = #expect(throws: FaultRefused.self) { try Self.reader.read(json) }
        #expect(refused?.reason.hasPrefix(reason) == true, "\(refused?.reason ?? "")")
    }

    @Test func `the admin API refuses with 422, the reason and the nearest words, and arms nothing`() async throws {
        try await Aviary.run(.pipeline) { server in
            let faults = "/__admin/sandboxes/default/faults"
            let problem = try await server.problem(.post, faults, ["fault": "magpie.swap swapped-befor"])
            #expect(problem.words == "422 fault-refused")
            #expect(problem.nearest.first == "swapped-before")
            #expect(try await server.problem(.post, faults, ["fault": "*"]).words == "422 fault-refused")
            #expect(try await server.problem(.post, faults, ["where": "*", "effect": "delay"]).words == "422 fault-refused")
            #expect(try await server.admin(.get, "faults")["faults"] == [])
            #expect(try await server.journal("?kind=fault").isEmpty)
        }
    }

    @Test func `the admin API shows a fault by text, by members, and with what is left of it`() async throws {
        try await Aviary.run(.pipeline) { server in
            let armed = try await server.admin(
                .post, "faults", ["where": "*.findBird", "effect": "status", "code": 503, "retry-after": 5, "times": 2])
            #expect(
                armed == [
                    "number": 1, "text": "*.findBird status code=503 retry-after=5s times=2", "where": "*.findBird",
                    "effect": "status",
                    "parameters": ["code": "503", "retry-after": "5s", "times": "2"], "since": "2026-01-01T00:00:00.000Z",
                    "hits": 0, "left": 2, "matched": 0, "caveat": .string("it \(FaultCaveats.words)"),
                ])
            #expect(try await server.finds(3) == "xx.")
            let now = try await server.admin(.get, "faults/1")
            #expect(now["hits"] == 2 && now["left"] == 0 && now["matched"] == 3)
            #expect(try await server.admin(.get, "faults") == ["seed": 1, "faults": [now]])
            #expect(try await server.problem(.get, "/__admin/sandboxes/default/faults/2").words == "404 fault-unknown")
            #expect(try await server.problem(.delete, "/__admin/sandboxes/default/faults/2").words == "404 fault-unknown")
        }
    }
}
