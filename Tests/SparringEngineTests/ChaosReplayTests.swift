import BirdSupport
import SparringContract
import SparringEngine
import SparringJSON
@testable import SparringSandbox
import SparringTestKit
import Support
import Testing

/// The same seed disturbs each lane alike, however many connections there are and whichever comes first (promise 4 of the design).
@Suite struct ChaosReplayTests {
    private static let lanes = (1...16).map { "lane-\($0)" }
    private static let calls = 8

    /// Faults that count by lane, drawn by a number.
    static func plan(_ number: Int) -> [String] {
        func draw(_ purpose: String, _ bound: Int64) -> Int64 { Draw(seed: Int64(number), "plan", purpose).number(below: bound) }
        let effects = [
            "status code=503", "status code=418 phase=onResponseStart", "EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER phase=onResponseStart",
            "rate-limited", "malformed-json", "truncate", "delay by=0ms", "delay from=0ms to=2ms", "DISCONNECT_AT_END",
        ]
        return (0..<(2 + draw("count", 5))).map { index in
            var text = "\(findBird) \(effects[Int(draw("effect \(index)", Int64(effects.count)))]) per=lane"
            if draw("probable \(index)", 3) > 0 { text += " probability=0.\(1 + draw("probability \(index)", 8))" }
            if draw("skips \(index)", 3) == 0 { text += " skip=\(draw("skip \(index)", 4))" }
            if draw("every \(index)", 3) == 0 { text += " every=\(1 + draw("each \(index)", 3))" }
            if draw("times \(index)", 3) == 0 { text += " times=\(1 + draw("so often \(index)", 4))" }
            if draw("for \(index)", 4) == 0 { text += " subject=lane-\(1 + draw("whom \(index)", 16))" }
            return text
        }
    }

    /// On a connection of its own: a client with a pool would retry by itself.
    private static func call(_ lane: String, _ server: TestServer) async throws {
        let client = try RawClient(port: server.addresses.port)
        client.send("GET \(birdTarget()) HTTP/1.1\r\nHost: localhost\r\nX-Sparring-Lane: \(lane)\r\nConnection: close\r\n\r\n")
        _ = await client.read()
    }

    /// Each lane's calls in order, with the lanes dealt out to so many new connections.
    private func play(_ faults: [String], connections: Int, order: Int) async throws -> [String: [String]] {
        try await Aviary.run(.socket, seed: 42, clock: ["mode": "real"]) { server in
            for fault in faults { try await server.arm(fault) }
            var lanes = Self.lanes
            for index in lanes.indices.reversed() {
                lanes.swapAt(index, Int(Draw(seed: Int64(order), "deal", String(index)).number(below: Int64(index + 1))))
            }
            let hands = Dictionary(grouping: lanes.indices) { $0 % connections }.values.map { $0.map { lanes[$0] } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for hand in hands {
                    group.addTask {
                        for _ in 0..<Self.calls {
                            for lane in hand { try await Self.call(lane, server) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            var told: [String: [String]] = [:]
            for lane in Self.lanes {
                told[lane] = try await server.journal("?kind=exchange&lane=\(lane)&limit=1000").map { entry in
                    "\(entry["ordinal"]?.text ?? "") \(entry["faults"]?.text ?? "[]") \(entry["answer"]?["status"]?.text ?? "-") "
                        + "\(entry["answer"]?["delivery"]?.string ?? "")"
                }
            }
            return told
        }
    }

    @Test(arguments: 1...6)
    func `a plan drawn at random does the same to each lane at 1, 8 and 64 connections, and as was foretold`(_ number: Int) async throws {
        let faults = Self.plan(number)
        let one = try await play(faults, connections: 1, order: 1)
        #expect(one.values.allSatisfy { $0.count == Self.calls }, "every call is journalled")
        for (connections, order) in [(8, 2), (64, 3)] {
            let many = try await play(faults, connections: connections, order: order)
            for lane in Self.lanes { #expect(many[lane] == one[lane], "\(lane) at \(connections): \(faults)") }
        }
        let contracts = try Aviary.cast.get().contracts.filter { $0.vendor != "admin" }
        let plan = try ChaosPlan(
            seed: 42, faults: faults.enumerated().map { ($0.offset + 1, $0.element) }, lanes: Self.lanes, calls: Self.calls,
            contracts: contracts)
        for lane in Self.lanes {
            let foretold = (0..<Self.calls).map { call in
                plan.parts.filter { part in part.rows.contains { $0.lane == lane && $0.calls[call] != nil } }.map(\.number)
            }
            let struck = (one[lane] ?? []).map { entry in
                (try? JSON(parsing: String(entry.split(separator: " ")[1])))?.array?.compactMap(\.integer).map(Int.init) ?? []
            }
            #expect(struck == foretold, "\(lane): \(faults)")
        }
    }

    @Test func `another seed is another course`() async throws {
        func course(_ seed: Int64) async throws -> String {
            try await Aviary.run(.pipeline, seed: seed) { server in
                try await server.arm("* status code=503 probability=0.5")
                return try await server.finds(32, lane: "ada")
            }
        }
        #expect(try await course(1) != course(2))
    }
}
