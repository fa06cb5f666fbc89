import HTTPTypes
import SparringJSON
import Support
import Testing

/// Calls whose sandbox is deleted or reset under them.
@Suite struct SandboxGoneTests {
    private static let calls: [(target: String, body: JSON)] = [
        ("credentials", ["form": "code", "subject": "ada"]), ("faults", ["fault": "* delay by=1s"]), ("journal/marks", ["mark": "x"]),
        ("consumers/ada/sign-out", [:]),
    ]

    @Test(arguments: calls)
    func `a call is as one that came before the sandbox went or after`(call: (target: String, body: JSON)) async throws {
        try await TestServer.run(.pipeline) { server in
            func post(_ target: String, _ body: JSON) async throws -> TestAnswer {
                try await server.send(.post, "/__admin/sandboxes\(target)", headers: [.contentType: "application/json"], body: body.bytes)
            }
            let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var statuses: [Int] = []
                        for _ in 0..<60 { statuses.append(try await post("/brief/\(call.target)", call.body).status) }
                        return statuses
                    }
                }
                group.addTask {
                    for _ in 0..<30 {
                        _ = try await post("", ["name": "brief"])
                        _ = try await post("/brief/reset", [:])
                        _ = try await server.send(.delete, "/__admin/sandboxes/brief")
                    }
                    return []
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(statuses.allSatisfy { $0 < 500 }, "\(Set(statuses))")
        }
    }
}
