import HTTPTypes
@testable import SparringContract
@testable import SparringEngine
import SparringJSON
import Support
import Testing

/// The text form, which is the same in the command line, the admin API, configuration files and the journal.
@Suite struct FaultTextTests {
    private static let reader = FaultReader(
        (try? Contract.load(directory: Repository.folder("contracts")))?.filter { $0.vendor != "admin" } ?? [])

    @Test(arguments: [
        ("liveperson.authenticateV1 token-expired", "liveperson.authenticateV1 token-expired"),
        ("liveperson.Login.* token-expired times=2", "liveperson.Login.* token-expired times=2"),
        ("*.Login.* token-expired", "*.Login.* token-expired"),
        ("liveperson.* status code=503", "liveperson.* status code=503"),
        ("liveperson.*.* status code=503", "liveperson.* status code=503"),
        ("*.*.* status code=503", "* status code=503"),
        ("* status code=429 retry-after=30", "* status code=429 retry-after=30s"),
        ("* status code=429 retry-after=90s", "* status code=429 retry-after=90s"),
        ("* status retry-after=PT2M code=429", "* status code=429 retry-after=2m"),
        ("*.lookUpService delay by=200ms", "*.lookUpService delay by=200ms"),
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
        ("liveperson.Messaging.* close code=1011 after-frames=3", "liveperson.Messaging.* close code=1011 after-frames=3"),
        (
            #"*.publishText close reason="try later" code=4000 phase=onResponseEnd"#,
            #"*.publishText close code=4000 reason="try later" phase=onResponseEnd"#
        ),
        ("liveperson.Messaging.* abort after=30s", "liveperson.Messaging.* abort after=30s"),
        ("*.publishText freeze", "*.publishText freeze"), ("liveperson.* drop probability=0.5", "liveperson.* drop probability=0.5"),
        ("*.publishText drop phase=onRequestEnd", "*.publishText drop phase=onRequestEnd"),
        ("*.publishText truncate bytes=3", "*.publishText truncate bytes=3 phase=onResponseStart"),
        ("liveperson.* duplicate", "liveperson.* duplicate"), ("liveperson.* reorder", "liveperson.* reorder"),
        ("liveperson.* corrupt", "liveperson.* corrupt"),
        ("identity.token mint defect=wrong-key times=1", "identity.token mint defect=wrong-key times=1"),
        ("liveperson.deliverPush stale-badge", "liveperson.deliverPush stale-badge"),
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
            "*.publishText drop message:/body/event/type=ContentEvent", "*.publishText drop message:/body/event/type=ContentEvent"
        ),
    ])
    func `a text is read and written in one canonical form`(_ text: String, _ canonical: String) throws {
        let fault = try Self.reader.read(text: text)
        #expect(fault.text == canonical)
        #expect(try Self.reader.read(text: canonical) == fault)
        #expect(try Self.reader.read(.string(text)) == fault)
        #expect(try Self.reader.read(["fault": .string(text)]) == fault)
    }

    @Test(
        arguments: [
            (
                ["where": "*", "effect": "status", "code": 503, "retry-after": 30, "probability": 0.3],
                "* status code=503 retry-after=30 probability=0.3"
            ),
            (["where": "*", "effect": "status", "code": "503", "retry-after": "30s"], "* status code=503 retry-after=30s"),
            (
                ["where": "liveperson.Login.*", "effect": "token-expired", "times": 2, "skip": 1, "every": 3],
                "liveperson.Login.* token-expired times=2 skip=1 every=3"
            ),
            (
                ["where": "*", "effect": "delay", "by": "2s", "phase": "onResponseStart", "per": "lane"],
                "* delay by=2s phase=onResponseStart per=lane"
            ),
            (["effect": "EMPTY_RESPONSE", "where": "*.authenticateV2"], "*.authenticateV2 EMPTY_RESPONSE"),
        ] as [(JSON, String)])
    func `the same words in JSON are the same fault`(_ json: JSON, _ text: String) throws {
        let fault = try Self.reader.read(text: text)
        #expect(try Self.reader.read(json) == fault)
    }

    @Test(
        arguments: [
            ("", "'' is not of the form WHERE EFFECT", []),
            ("token-expired", "'token-expired' is not of the form WHERE EFFECT", []),
            ("liveperson status code=503", "'liveperson' is not vendor.operationId, vendor.Tag.*, *.Tag.*, vendor.* or *", []),
            ("*.* status code=503", "'*.*' is not vendor.operationId", []),
            ("liveperson. status code=503", "'liveperson.' is not vendor.operationId", []),
            ("liveperson.Login status code=503", "no operation is 'liveperson.Login'", nil),
            ("liveperson..* status code=503", "'liveperson..*' is not", []),
            ("a.b.c.d status code=503", "'a.b.c.d' is not", []),
            (
                "liveperson.authenticateV4 status code=503", "no operation is 'liveperson.authenticateV4'",
                ["liveperson.authenticateV1", "liveperson.authenticateV2", "liveperson.authenticateV3"]
            ),
            ("livepersn.* status code=503", "no operation is 'livepersn.*'", ["liveperson.*"]),
            ("admin.createSandbox status code=503", "no operation is 'admin.createSandbox'", nil),
            (
                "identity.token code-resued", "'code-resued' is neither an effect nor an unhappy answer of identity.token",
                nil
            ),
            ("identity.token token-issued", "'token-issued' is neither an effect nor an unhappy answer", nil),
            ("liveperson.authenticateV1 code-reused", "'code-reused' is neither an effect nor an unhappy answer", nil),
            ("* STATUS code=503", "'STATUS' is neither an effect", nil),
            ("* status", "'status' needs code=, a number from 200 to 599", []),
            ("* status code=99", "code=99 is not a whole number from 200 to 599", []),
            ("* status code=100", "code=100 is not a whole number", []),
            ("* status code=600", "code=600 is not a whole number", []),
            ("* status code=ok", "code=ok is not a whole number", []),
            ("* status code=503 type=html", "type=html is not a media type such as text/html", []),
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
                "identity.* close code=1011",
                "'close' strikes a socket's opening or a client's message or a notification, and identity.* has none", []
            ),
            ("identity.token drop", "'drop' strikes a client's message or a notification, and identity.token has none", []),
            ("liveperson.* close code=1006", "code=1006 is none that may be sent (RFC 6455 §7.4)", []),
            ("liveperson.* close", "'close' needs code=, a number from 1000 to 4999", []),
            ("liveperson.* abort after=1s after-frames=2", "after-frames= and after= exclude each other", []),
            ("* slicer size=1", "'slicer' needs size= and gap=", []), ("* bandwidth", "'bandwidth' needs rate=", []),
            ("* truncate bytes=-1", "bytes=-1 is not a whole number from 0", []),
            ("identity.token mint", "'mint' needs defect=, one of expired, not-yet-valid", []),
            ("identity.token mint defect=expird", "defect=expird is none of expired,", ["expired"]),
            ("liveperson.Login.* mint defect=expired", "'mint' is neither an effect nor an unhappy answer of liveperson.Login.*", nil),
            ("* EMPTY_RESPONSE ttl=soon", "ttl=soon is not a duration", []),
            ("* EMPTY_RESPONSE between=10s", "between=10s is not like 10s..40s", []),
            ("* EMPTY_RESPONSE between=40s..10s", "between=40s..10s ends before it begins", []),
            ("* EMPTY_RESPONSE header:=x", "'header:' names no header", []),
            ("* EMPTY_RESPONSE body:a=x", "'body:a' is not followed by a JSON Pointer", []),
            ("* EMPTY_RESPONSE heder:a=x", "'EMPTY_RESPONSE' has no parameter 'heder:a'", nil),
            ("* EMPTY_RESPONSE phase=onRequestStart body:/a=x", "a fault that looks at the body cannot strike onRequestStart", []),
            ("*.lookUpService EMPTY_RESPONSE body:/a=x", "nothing at *.lookUpService that 'EMPTY_RESPONSE' could strike has a body", []),
            ("identity.* EMPTY_RESPONSE message:/a=x", "nothing at identity.* that 'EMPTY_RESPONSE' could strike has messages", []),
            (#"* status code=502 body="open"#, "a quotation mark is missing in", []),
            ("* EMPTY_RESPONSE times=0", "times=0 is not a whole number from 1 on", []),
            ("* EMPTY_RESPONSE times=1.5", "times=1.5 is not a whole number from 1 on", []),
            ("* EMPTY_RESPONSE times=99999999999999999999", "times=99999999999999999999 is not a whole number", []),
            ("* EMPTY_RESPONSE skip=-1", "skip=-1 is not a whole number from 0 on", []),
            ("* EMPTY_RESPONSE every=0", "every=0 is not a whole number from 1 on", []),
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
        try await TestServer.run(.pipeline, tenants: acme) { server in
            let faults = "/__admin/sandboxes/default/faults"
            let problem = try await server.problem(.post, faults, ["fault": "identity.token code-resued"])
            #expect(problem.words == "422 fault-refused")
            #expect(problem.nearest.first == "code-reused")
            #expect(try await server.problem(.post, faults, ["fault": "*"]).words == "422 fault-refused")
            #expect(try await server.problem(.post, faults, ["where": "*", "effect": "delay"]).words == "422 fault-refused")
            #expect(try await server.admin(.get, "faults")["faults"] == [])
            #expect(try await server.journal("?kind=fault").isEmpty)
        }
    }

    @Test func `the admin API shows a fault by text, by members, and with what is left of it`() async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            let armed = try await server.admin(
                .post, "faults", ["where": "*.lookUpService", "effect": "status", "code": 503, "retry-after": 5, "times": 2])
            #expect(
                armed == [
                    "number": 1, "text": "*.lookUpService status code=503 retry-after=5s times=2", "where": "*.lookUpService",
                    "effect": "status",
                    "parameters": ["code": "503", "retry-after": "5s", "times": "2"], "since": "2026-01-01T00:00:00.000Z",
                    "hits": 0, "left": 2, "matched": 0,
                ])
            #expect(try await server.pattern(3) == "xx.")
            let now = try await server.admin(.get, "faults/1")
            #expect(now["hits"] == 2 && now["left"] == 0 && now["matched"] == 3)
            #expect(try await server.admin(.get, "faults") == ["seed": 1, "faults": [now]])
            #expect(try await server.problem(.get, "/__admin/sandboxes/default/faults/2").words == "404 fault-unknown")
            #expect(try await server.problem(.delete, "/__admin/sandboxes/default/faults/2").words == "404 fault-unknown")
        }
    }
}
