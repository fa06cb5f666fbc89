import BirdSupport
import HTTPTypes
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Waiting for entries instead of asking again and again.
@Suite struct JournalWaitTests {
    private static let wait = "/__admin/sandboxes/default/journal/wait"

    @Test(arguments: TestServer.Speed.allCases)
    func `a wait returns as soon as the entries are committed`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            async let page = server.admin(.get, "journal/wait?operation=\(findBird)&count=3&timeout=60s")
            for _ in 0..<3 { try await server.find() }
            #expect(try await page["entries"]?.array?.compactMap { $0["number"]?.integer } == [1, 2, 3])
            // What is there already is not waited for.
            let start = ContinuousClock.now
            #expect(try await server.admin(.get, "journal/wait?timeout=300s")["next"] == 4)
            #expect(try await server.admin(.get, "journal/wait?since=3&kind=exchange&timeout=300s")["entries"]?.array?.count == 1)
            #expect(ContinuousClock.now - start < .seconds(200))
        }
    }

    @Test func `a wait that times out says how many it saw and what came nearest`() async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.find("ada")
            try await server.arm("* delay by=0s")
            let answer = try await server.send(.get, Self.wait + "?operation=\(findBird)&count=2&timeout=20ms")
            #expect(answer.status == 200 && answer.json?["timedOut"] == true && answer.json?["entries"]?.array?.count == 1)
            #expect(answer.json?["detail"] == "1 of 2 entries arrived within 20 ms")
            #expect(answer.json?["nearest"]?.array?.compactMap { $0["number"]?.integer } == [1, 2])
            let none = try await server.send(.get, Self.wait + "?operation=magpie.swap&since=2&timeout=0s")
            #expect(none.status == 200 && none.json?["timedOut"] == true && none.json?["entries"] == [])
            #expect(none.json?["nearest"]?.array?.compactMap { $0["number"]?.integer } == [2])
        }
    }

    @Test func `more than a page can be waited for`() async throws {
        try await Aviary.run(.pipeline) { server in
            for _ in 0..<1001 { try await server.find() }
            #expect(try await server.admin(.get, "journal/wait?count=1001&timeout=100ms")["entries"]?.array?.count == 1001)
            let answer = try await server.send(.get, Self.wait + "?count=1002&timeout=10ms")
            #expect(answer.status == 200 && answer.json?["detail"] == "1001 of 1002 entries arrived within 10 ms")
            #expect(
                answer.json?["nearest"]?.array?.compactMap { $0["number"]?.integer } == [999, 1000, 1001], "the newest are the nearest")
        }
    }

    @Test func `many wait for different things, and each gets its own`() async throws {
        try await Aviary.run { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for count in 1...20 {
                    group.addTask {
                        let page = try await server.admin(.get, "journal/wait?operation=\(findBird)&count=\(count)&timeout=60s")
                        #expect((page["entries"]?.array?.count ?? 0) >= count)
                    }
                }
                group.addTask { _ = try await server.admin(.get, "journal/wait?kind=clock&timeout=60s") }
                for _ in 0..<20 { try await server.find() }
                try await server.admin(.post, "clock/advance", ["by": "1s"])
                try await group.waitForAll()
            }
        }
    }
}
