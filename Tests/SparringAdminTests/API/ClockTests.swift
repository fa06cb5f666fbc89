import BirdSupport
import Foundation
import HTTPTypes
import SparringJSON
import SparringJournal
import Support
import Testing

/// A sandbox's clock in the admin API.
@Suite struct ClockTests {
    private static let clock = "/__admin/sandboxes/default/clock"

    @Test func `freeze, advance, rate and real show what time it is and how it goes`() async throws {
        try await Aviary.run(.pipeline) { server in
            func set(_ json: JSON) async throws -> JSON { try await server.admin(.put, "clock", json) }
            #expect(
                try await server.admin(.get, "clock")
                    == ["mode": "frozen", "now": "2026-01-01T00:00:00.000Z", "rate": 0, "pending": []])
            #expect(
                try await set(["mode": "frozen", "now": "2024-02-29T23:59:59.5+02:00"])
                    == ["mode": "frozen", "now": "2024-02-29T21:59:59.500Z", "rate": 0, "pending": []])
            for (by, now) in [
                ("PT10M", "2024-02-29T22:09:59.500Z"), ("P1D", "2024-03-01T22:09:59.500Z"), ("500ms", "2024-03-01T22:10:00.000Z"),
                ("0s", "2024-03-01T22:10:00.000Z"), ("1.5h", "2024-03-01T23:40:00.000Z"),
            ] {
                #expect(
                    try await server.admin(.post, "clock/advance", ["by": .string(by)]) == ["now": .string(now), "ran": 0, "settled": true])
            }
            // Backwards too: a phone's clock does it.
            #expect(try await set(["mode": "frozen", "now": "2023-01-01T00:00:00Z"])["now"] == "2023-01-01T00:00:00.000Z")

            let fast = try await set(["mode": "rate", "rate": 1_000_000])
            #expect(fast["mode"] == "rate" && fast["rate"] == 1_000_000)
            try await until { try await server.admin(.get, "clock")["now"]?.string ?? "" > "2023-01-02" }
            let frozen = try await set(["mode": "frozen"])
            #expect(frozen["now"]?.string ?? "" > "2023-01-02", "without a time it goes on from what it shows")
            #expect(try await server.admin(.get, "clock")["now"] == frozen["now"])

            let real = try await set(["mode": "real", "now": "2030-01-01T00:00:00Z"])
            #expect(real["mode"] == "real" && real["rate"] == 1 && real["now"]?.string?.hasPrefix("2030-01-01T00:") == true)
            try await until { try await server.admin(.get, "clock")["now"]?.string ?? "" > "2030-01-01T00:00:00.02" }
            // Seen from the machine's clock, by so much ahead or behind.
            for (offset, seconds) in [("5m", 300.0), ("-5m", -300), ("0s", 0)] {
                let before = Date().timeIntervalSince1970
                let text = try await set(["mode": "frozen", "offset": .string(offset)])["now"]?.string ?? ""
                let shown = Double(try #require(Timestamp(text)).milliseconds) / 1000 - seconds
                #expect(shown >= before - 0.01 && shown <= Date().timeIntervalSince1970 + 0.01, "\(offset): \(text)")
            }
            let causes = try await server.journal("?kind=clock").map { $0["cause"]?.string ?? "" }
            #expect(causes.filter { $0.hasPrefix("the clock was set ") }.count == 8)
            #expect(causes.contains("the clock was set to 2024-02-29T21:59:59.500Z, 671 days back; it is frozen"), "\(causes)")
            #expect(causes.contains("the clock was set to 2023-01-01T00:00:00.000Z, 425 days back; it is frozen"), "\(causes)")
            #expect(causes.contains { $0.hasSuffix(": it runs 1000000 times as fast as the machine's") }, "\(causes)")
            #expect(
                causes.contains {
                    $0.hasPrefix("the clock was set to 2030-01-01T00:00:00.000Z, ") && $0.hasSuffix("ahead; it runs as the machine's does")
                }, "\(causes)")
            #expect(causes.contains("the clock was advanced by 10 min"))
            for entry in try await server.journal("?kind=clock") {
                let isAdvance = entry["cause"]?.string?.hasPrefix("the clock was advanced") == true
                #expect(entry["causeCode"]?.string == (isAdvance ? "clock-advanced" : nil))
                let number = entry["number"]?.text ?? ""
                let step = try await server.send(.get, "/__admin/sandboxes/default/journal/\(number)/export?as=step")
                #expect(step.status == (isAdvance ? 409 : 200), "\(step.text)")
            }
            #expect(try await server.journal("?kind=clock").last?["details"]?["mode"] == "frozen")
        }
    }

    @Test(
        arguments: [
            (["mode": "rate"], "422 configuration-invalid /rate"),
            (["mode": "rate", "rate": 1_000_001], "422 configuration-invalid /rate"),
            (["mode": "frozen", "rate": 2], "422 configuration-invalid /rate"),
            (["mode": "real", "rate": 1], "422 configuration-invalid /rate"),
            (["mode": "rate", "rate": 0], "400 request-malformed /rate"), (["mode": "rate", "rate": -1], "400 request-malformed /rate"),
            (["mode": "rate", "rate": "fast"], "400 request-malformed /rate"), (["mode": "stopped"], "400 request-malformed /mode"),
            (["mode": "frozen", "now": "yesterday"], "400 request-malformed /now"),
            (["mode": "frozen", "now": "2023-02-29T00:00:00Z"], "400 request-malformed /now"),
            (["mode": "frozen", "now": 1_700_000_000], "400 request-malformed /now"),
            (["now": "2023-02-28T00:00:00Z"], "400 request-malformed /mode"),
            (["mode": "frozen", "nwo": "x"], "400 request-malformed /nwo"),
            (["mode": "real", "offset": "soon"], "422 configuration-invalid /offset"),
            (["mode": "real", "offset": "--5m"], "422 configuration-invalid /offset"),
            (["mode": "real", "offset": "5m", "now": "2023-02-28T00:00:00Z"], "422 configuration-invalid /offset"),
        ] as [(JSON, String)])
    func `a setting that cannot be is refused with its place, and the clock goes on as it went`(_ setting: JSON, _ words: String)
        async throws
    {
        try await Aviary.run(.pipeline) { server in
            let before = try await server.admin(.get, "clock")
            #expect(try await server.problem(.put, Self.clock, setting).words == words)
            let create = try await server.problem(.post, "/__admin/sandboxes", ["name": "x", "clock": setting])
            #expect(create.words.hasPrefix(words.prefix(3)) && create.pointers.allSatisfy { $0.hasPrefix("/clock") })
            #expect(try await server.admin(.get, "clock") == before)
            #expect(try await server.journal().isEmpty)
        }
    }

    @Test(
        arguments: [
            (["by": "11y"], "400 request-malformed /by"), (["by": "-1s"], "400 request-malformed /by"),
            (["by": ""], "400 request-malformed /by"),
            (["by": 10], "400 request-malformed /by"), ([:], "400 request-malformed /by"), (["by": "P"], "400 request-malformed /by"),
            (["by": "4000d"], "422 configuration-invalid /by"), (["by": "99999999999999999999h"], "422 configuration-invalid /by"),
            (["by": "P99999999W"], "422 configuration-invalid /by"),
        ] as [(JSON, String)])
    func `a distance that cannot be is refused, and time stands where it stood`(_ body: JSON, _ words: String) async throws {
        try await Aviary.run(.pipeline) { server in
            let problem = try await server.problem(.post, Self.clock + "/advance", body)
            #expect(problem.words == words)
            #expect(try await server.admin(.get, "clock")["now"] == "2026-01-01T00:00:00.000Z")
        }
    }

    @Test func `time set past a delay's end answers the call, as the contract has it`() async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.arm("* delay by=2s")
            async let answer = server.find()
            try await server.untilPending()
            try await server.admin(.put, "clock", ["mode": "frozen", "now": "2026-01-01T00:00:03Z"])
            #expect(try await answer.status == 200)
        }
    }

    @Test func `concurrent advances of one clock and calls under way come to one time`() async throws {
        try await Aviary.run { server in
            try await server.arm("* delay by=7s times=8")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 { group.addTask { try await server.find("\(number)").status } }
                try await server.untilPending(8)
                let ran = try await withThrowingTaskGroup(of: Int64.self) { advances in
                    for _ in 0..<10 {
                        advances.addTask { try await server.admin(.post, "clock/advance", ["by": "1s"])["ran"]?.integer ?? -1 }
                    }
                    return try await advances.reduce(0, +)
                }
                #expect(ran == 8)
                for try await status in group { #expect(status == 200) }
            }
            #expect(try await server.admin(.get, "clock")["now"] == "2026-01-01T00:00:10.000Z")
            #expect(try await server.journal("?operation=\(findBird)").allSatisfy { $0["sandboxTime"] == "2026-01-01T00:00:07.000Z" })
        }
    }

    @Test func `mode and time survive a restart: frozen stands, running has gone on`() async throws {
        try await TemporaryFolder.database { database in
            try await Aviary.run(.pipeline, database: database) { server in
                for (name, mode) in [("still", "frozen"), ("wall", "real")] {
                    _ = try await server.send(.post, "/__admin/sandboxes", json: ["name": .string(name), "clock": ["mode": .string(mode)]])
                }
                try await server.admin(.post, "clock/advance", ["by": "90s"])
                try await server.admin(.put, "clock", ["mode": "frozen", "now": "2000-01-01T00:00:00Z"], sandbox: "still")
                try await server.admin(.put, "clock", ["mode": "rate", "rate": 1000, "now": "2020-01-01T00:00:00Z"], sandbox: "wall")
            }
            try await Aviary.run(.pipeline, database: database) { server in
                #expect(
                    try await server.admin(.get, "clock") == [
                        "mode": "frozen", "now": "2026-01-01T00:01:30.000Z", "rate": 0, "pending": [],
                    ])
                #expect(try await server.admin(.get, "clock", sandbox: "still")["now"] == "2000-01-01T00:00:00.000Z")
                let running = try await server.admin(.get, "clock", sandbox: "wall")
                #expect(running["mode"] == "rate" && running["rate"] == 1000 && running["now"]?.string ?? "" > "2020-01-01T00:00:00.000Z")
            }
        }
    }
}
