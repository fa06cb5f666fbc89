import HTTPTypes
@testable import SparringContract
@testable import SparringEngine
import SparringJSON
import Support
import Testing

/// The text form, which is the same in the command line, the admin API, configuration files and the journal.
@Suite struct FaultTextTests {
    private static let reader = FaultReader(
        operations: (try? Contract.load(directory: Repository.folder("contracts")))?.filter { $0.vendor != "admin" }.flatMap(\.operations)
            ?? [])

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
            ("* status code=99", "'status' needs code=", []),
            ("* status code=100", "'status' needs code=", []),
            ("* status code=600", "'status' needs code=", []),
            ("* status code=ok", "'status' needs code=", []),
            ("* status code=503 retry-after=soon", "retry-after=soon is not a duration", []),
            ("* status code=503 retry-after=-1", "retry-after=-1 is not a duration", []),
            ("* status code=503 phase=onResponseStart", "'status' has no parameter 'phase'", []),
            ("* status code=503 tmies=1", "'status' has no parameter 'tmies'", ["times"]),
            ("* status code=503 by=1s", "'status' has no parameter 'by'", nil),
            ("* delay", "'delay' needs by=, such as by=2s", []),
            ("* delay by=2", "by=2 is not a duration such as 200ms", []),
            ("* delay by=-2s", "by=-2s is not a duration", []),
            ("* delay by=P1Y", "by=P1Y is not a duration", []),
            ("* delay by=4000d", "by=4000d is not a duration", []),
            ("* delay by=1s code=503", "'delay' has no parameter 'code'", nil),
            ("* EMPTY_RESPONSE phase=onRequestStart", "phase=onRequestStart is not onRequestEnd or onResponseStart", []),
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
            #expect(try await server.admin(.get, "faults") == ["faults": []])
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
                    "parameters": ["code": "503", "retry-after": "5s", "times": "2"], "hits": 0, "left": 2, "matched": 0,
                ])
            #expect(try await server.pattern(3) == "xx.")
            let now = try await server.admin(.get, "faults/1")
            #expect(now["hits"] == 2 && now["left"] == 0 && now["matched"] == 3)
            #expect(try await server.admin(.get, "faults") == ["faults": [now]])
            #expect(try await server.problem(.get, "/__admin/sandboxes/default/faults/2").words == "404 fault-unknown")
            #expect(try await server.problem(.delete, "/__admin/sandboxes/default/faults/2").words == "404 fault-unknown")
        }
    }
}
