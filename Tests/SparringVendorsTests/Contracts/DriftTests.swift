import HTTPTypes
import SparringContract
import SparringJSON
import Support
import Testing

/// The contracts against the vendors' behaviour, over all vendors and all operations.
@Suite struct DriftTests {
    @Test(arguments: OperationRow.all, TestServer.Speed.usual)
    func `the contract's own request gets a declared answer`(_ row: OperationRow, _ speed: TestServer.Speed) async throws {
        let operation = row.operation
        try await TestServer.run(speed, tenants: ContractExamples.tenants) { server in
            let scene = try await Scene(server)
            for request in ContractExamples.requests(of: operation, scene) {
                let comment = Comment(rawValue: request.name)
                let answer = try await server.send(request.method, request.target, headers: request.headers, body: request.body)
                let entry = try #require(try await scene.entry(operation.qualifiedName), comment)
                // What is not emulated says so.
                let isEmulated = operation.tag != "NotEmulated"
                // The example of a call for a token comes a second time, without need; a JWT of an iOS app comes with an Android client.
                let harmless: Set = ["token-still-good", "jwt-platform-of-another"]
                let findings = entry["findings"]?.array?.filter { !harmless.contains($0["code"]?.string ?? "") } ?? []
                #expect(findings.isEmpty == isEmulated, comment)
                let name = try #require(entry.answerName, comment)
                // Its credentials may stand in three places, so that the contract requires none of them.
                let isMalformed = name == "request-malformed" && operation.id != "issueAppToken"
                #expect(name != "internal-error" && name != "server-error" && !isMalformed, "\(request.name): \(entry.cause)")
                #expect(entry["request"]?["target"]?.string == request.target, comment)
                let violations = operation.checkAnswer(
                    name: name, status: answer.status, headers: answer.headers, body: ContractExamples.json(of: answer, operation))
                #expect(violations.isEmpty, "\(request.name): \(violations)")
                #expect(entry["answer"]?["status"]?.integer == Int64(answer.status), comment)
            }
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test(arguments: OperationRow.all.filter { !$0.operation.hostNamesTenant })
    func `an unknown tenant gets the declared answer and leaves a trace among the unplaced`(_ row: OperationRow) async throws {
        let operation = row.operation
        try await TestServer.run(tenants: ContractExamples.tenants) { server in
            let scene = try await Scene(server)
            let contract = try #require(ContractExamples.contracts.first { $0.vendor == operation.vendor })
            let declared = try #require(contract.unknownTenantAnswer.flatMap { operation.answer($0) })
            let request = try #require(ContractExamples.requests(of: operation, scene).first)
            let key = ContractExamples.tenantKeys[operation.vendor] ?? ""
            let names = [scene.tenants[operation.vendor]?[key]?.string ?? ""] + (ContractExamples.otherNames[operation.vendor] ?? [])
            let target = names.reduce(request.target) { $0.replacing($1, with: "nobody") }
            let body = names.reduce(String(decoding: request.body, as: UTF8.self)) { $0.replacing($1, with: "nobody") }
            let headers = HTTPFields(
                request.headers.map { HTTPField(name: $0.name, value: names.contains($0.value) ? "nobody" : $0.value) })
            let answer = try await server.send(request.method, target, headers: headers, body: Array(body.utf8))
            if row.operation.jsonpCallback != nil, operation.tag == "DomainLookup" {
                // A script's function is called whatever is known.
                #expect(answer.status == 200 && answer.text.contains("mock-account-unknown"), "\(answer.text)")
            } else {
                #expect(answer.status == declared.status && answer.json == declared.example)
            }
            let unplaced = try await server.send(.get, "/__admin/unplaced").json?["entries"]?.array?.last
            #expect(unplaced?["target"]?.string == target)
            #expect(try await server.journal("?kind=exchange").isEmpty)
        }
    }
}
