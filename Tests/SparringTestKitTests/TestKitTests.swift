import HTTPTypes
import SparringClient
import SparringJSON
import SparringTestKit
import SparringVerdict
import Testing

/// The kit as somebody uses it who tests a client of their own: over the wire, with nothing of Sparring's insides.
@Suite struct TestKitTests {
    /// An app that registers for pushes, and waits on the sandbox's clock.
    private struct App {
        var sandbox: SparringSandbox
        var account: String

        init(_ sandbox: SparringSandbox) throws {
            self.sandbox = sandbox
            account = try sandbox.tenant("liveperson", "accountId")
        }

        private func call(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, token: String? = nil) async throws -> (
            Int, JSON
        ) {
            var request = HTTPClient.Request(
                method, sandbox.url + path, headers: [.contentType: "application/json"], body: body?.bytes ?? [])
            if let token { request.headers[.authorization] = "Bearer \(token)" }
            let answer = try await HTTPClient(limits: .init(whole: .seconds(300))).send(request)
            return (answer.status, (try? JSON(parsing: answer.body)) ?? .null)
        }

        func start(waiting waits: [String]) async throws -> [Int] {
            _ = try await call(.get, "/api/account/\(account)/service/pusher/baseURI.json?version=1.0")
            let credential = try await sandbox.mint("alice")
            let signedIn = try await call(
                .post, "/api/account/\(account)/app/default/authenticate?v=2.0", ["id_token": .string(credential)])
            var statuses: [Int] = []
            for wait in [nil] + waits.map(Optional.some) {
                if let wait { try await sandbox.advance(wait) }
                let device: JSON = ["deviceToken": .string(String(repeating: "ab", count: 32)), "pushType": "APNS"]
                let (status, _) = try await call(
                    .put, "/mock/pusher/account/\(account)/registrations/app", device, token: signedIn.1["jwt"]?.string)
                statuses.append(status)
                if status < 300 { break }
            }
            return statuses
        }
    }

    private static let frozen: JSON = ["mode": "frozen", "now": "2027-01-15T08:00:00Z"]

    @Test(.sparring(scenario: "pusher-down-for-31s", clock: frozen))
    func `a client that backs off passes what the scenario asks for`() async throws {
        let sandbox = try SparringSandbox.current
        #expect(try await App(sandbox).start(waiting: ["1s", "2s", "4s", "8s", "16s"]) == [503, 503, 503, 503, 503, 201])
        let verdict = try await sandbox.verdict(basis: .sandbox)
        #expect(verdict.isGood, "\(verdict)")
        #expect(verdict.result(of: "backs-off-1-2-4-8-16s") == .pass && verdict.result(of: "registers-in-the-end") == .pass)
    }

    @Test(.sparring(scenario: "pusher-down-for-31s", clock: frozen))
    func `one that does not learns at which attempt`() async throws {
        let sandbox = try SparringSandbox.current
        _ = try await App(sandbox).start(waiting: ["1s", "1s", "1s", "1s", "1s"])
        let verdict = try await sandbox.verdict("backs-off-1-2-4-8-16s", basis: .sandbox)
        #expect(!verdict.isGood)
        #expect(
            "\(verdict)".contains(
                "attempt 3 of liveperson.registerPush (alice) came 1.0 s after attempt 2; due after 2.0 s (1.6 s to 3.0 s)"))
    }

    @Test(.sparring(clock: frozen, faults: ["liveperson.registerPush unavailable"]))
    func `what is left open is settled by advancing the clock`() async throws {
        let sandbox = try SparringSandbox.current
        _ = try await App(sandbox).start(waiting: ["1s"])
        #expect(try await sandbox.verdict("backs-off-1-2-4-8-16s", basis: .sandbox).result == .undecided)
        let settled = try await sandbox.verdict("backs-off-1-2-4-8-16s", basis: .sandbox, settling: .seconds(60))
        #expect(settled.result == .fail && "\(settled)".contains("did not come within"))
    }

    @Test(.sparring(clock: frozen), arguments: 0..<4)
    func `each test has a world of its own`(_ number: Int) async throws {
        let sandbox = try SparringSandbox.current
        #expect(try await sandbox.journal().isEmpty)
        let fault = try await sandbox.arm("liveperson.registerPush rate-limited times=\(number + 1)")
        #expect(fault == 1)
        #expect(try await App(sandbox).start(waiting: []) == [429])
        #expect(try await sandbox.journal("liveperson.registerPush").count == 1)
        try await sandbox.disarm()
        try await sandbox.mark("gave-up", lane: "alice")
        #expect(try await sandbox.journal().last?["details"]?["mark"] == "gave-up")
    }

    @Test func `without the trait there is no sandbox, and what is wrong is reported`() async throws {
        #expect { try SparringSandbox.current } throws: { "\($0)".contains("no trait .sparring") }
        let server = try await SparringServer()
        await #expect { try await server.sandbox(scenario: "pusher-down-for-31") } throws: { "\($0)".contains("pusher-down-for-31s") }
        await #expect { try await server.sandbox(faults: ["liveperson.Login.* token-expird"]) } throws: {
            "\($0)".contains("token-expired")
        }
        let sandbox = try await server.sandbox()
        #expect { try sandbox.tenant("liveperson", "accountID") } throws: { "\($0)".contains("accountId") }
        await #expect { try await sandbox.verdict("backs-off-1-2-4-8-16") } throws: { "\($0)".contains("backs-off-1-2-4-8-16s") }
        await server.stop()
    }
}
