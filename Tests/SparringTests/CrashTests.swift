import Foundation
import SparringJSON
import Support
import SparringLocks
import Testing

@Suite(.fewAtATime) struct CrashTests {
    /// The answers that clients received before the server was killed.
    private final class Told: Sendable {
        private let state = Mutex((lookups: Set<String>(), redeemed: Set<String>()))
        func lookup(_ call: String) { state.withLock { _ = $0.lookups.insert(call) } }
        func redeemed(_ code: String) { state.withLock { _ = $0.redeemed.insert(code) } }
        var count: Int { state.withLock { $0.lookups.count + $0.redeemed.count } }
        var all: (lookups: Set<String>, redeemed: Set<String>) { state.withLock { $0 } }
    }

    @Test func `after kill -9 under load, everything that a client saw acknowledged is there`() async throws {
        let folder = try TemporaryFolder()
        let database = folder.file("sparring.db")
        let first = try await ServerProcess.start(["--database", database], in: folder)
        let tenants = try #require(try await first.get("/__admin/sandboxes/default").json?["tenants"])
        let account = try #require(tenants["liveperson"]?["accountId"]?.string)
        let redirectURI = try #require(tenants["identity"]?["redirectURI"])
        var codes: [String] = []
        for number in 0..<120 {
            let minted = try await first.post(
                "/__admin/sandboxes/default/credentials",
                ["form": "code", "subject": .string("user-\(number)"), "redirectURI": redirectURI])
            codes.append(try #require(minted.json?["credential"]?.string, "\(minted.text)"))
        }

        let told = Told()
        let signIn = "/api/account/\(account)/app/default/authenticate?v=2.0"
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<16 {
                group.addTask { [codes] in
                    for number in 0... {
                        let call = "\(worker)-\(number)"
                        guard
                            let answer = try? await first.get("/api/account/\(account)/service/idp/baseURI.json?version=1.0&call=\(call)"),
                            answer.status == 200
                        else { return }
                        told.lookup(call)
                        let index = number * 16 + worker
                        guard codes.indices.contains(index) else { continue }
                        guard let answer = try? await first.post(signIn, ["code": .string(codes[index]), "redirect_uri": redirectURI])
                        else { return }
                        if answer.status == 200 { told.redeemed(codes[index]) }
                    }
                }
            }
            group.addTask {
                while told.count < 200 { await Task.yield() }
                first.signal(SIGKILL)
            }
        }
        #expect(try await first.end() == 128 + SIGKILL)

        let second = try await ServerProcess.start(["--database", database], in: folder)
        let (lookups, redeemed) = told.all
        #expect(lookups.count >= 100 && !redeemed.isEmpty)
        let entries = try await second.journal("liveperson.lookUpService")
        let journalled = Set(entries.compactMap { $0["request"]?["target"]?.string?.components(separatedBy: "call=").last })
        #expect(lookups.subtracting(journalled) == [])
        for code in redeemed {
            let again = try await second.post(signIn, ["code": .string(code), "redirect_uri": redirectURI])
            #expect(again.json == ["internalErrorCode": "mock-code-reused"], "\(again.text)")
        }
        #expect(try await second.stop() == 0)
    }
}
