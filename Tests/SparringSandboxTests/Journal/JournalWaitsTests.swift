@testable import SparringSandbox
import Testing

/// Those who wait for a commit are bounded, and leave when they like.
@Suite struct JournalWaitsTests {
    @Test func `so many may wait, and one more is refused`() async throws {
        let waits = JournalWaits()
        let ends = await withTaskGroup(of: String.self) { group in
            for _ in 0..<JournalWaits.limit {
                group.addTask {
                    switch try? await waits.wait(for: .seconds(300), until: { Optional<Int>.none }) {
                    case .released: "released"
                    default: "other"
                    }
                }
            }
            while !waits.areFull { await Task.yield() }
            if case .refused? = try? await waits.wait(for: .seconds(300), until: { Optional<Int>.none }) {
            } else {
                Issue.record("not refused")
            }
            waits.end()
            return await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(ends.allSatisfy { $0 == "released" } && ends.count == JournalWaits.limit)
    }

    @Test func `a wait ends when its caller leaves`() async throws {
        let waits = JournalWaits()
        let end = try await waits.wait(for: .seconds(300), onHangUp: { leave in Task { leave() } }, until: { Optional<Int>.none })
        if case .abandoned = end {} else { Issue.record("\(end)") }
        #expect(!waits.areFull)
    }
}
