import SparringJournal
@testable import SparringSandbox
import Testing

/// The queue of a clock's sleepers, compared with a list that is sorted each time.
@Suite struct DueQueueTests {
    private static func sleeper(_ number: Int, due: Int64) -> SandboxClock.Sleeper {
        SandboxClock.Sleeper(
            number: number, due: Timestamp.earliest + .milliseconds(due), what: "", work: SandboxClock.Work(), wake: { _ in })
    }

    @Test(arguments: 1...8 as ClosedRange<Int64>)
    func `the next one is first, whatever was put in and taken out`(_ seed: Int64) {
        var queue = DueQueue()
        var model: [(due: Int64, number: Int)] = []
        for step in 1...2000 {
            func draw(_ purpose: String, _ bound: Int) -> Int { Int(Draw(seed: seed, purpose, String(step)).number(below: Int64(bound))) }
            // Long stretches in which it grows, and others in which it is emptied.
            let grows = draw("grows", 10) < (step / 200 % 2 == 0 ? 8 : 3)
            if grows || model.isEmpty {
                // Few different times, so that many wait for the same one.
                let due = Int64(draw("due", 40))
                queue.insert(Self.sleeper(step, due: due))
                model.append((due, step))
            } else if draw("pops", 2) == 0, let next = model.min(by: { $0 < $1 }) {
                let first = queue.first
                #expect(first?.number == next.number)
                #expect(queue.remove(next.number)?.number == next.number)
                model.removeAll { $0.number == next.number }
            } else {
                let gone = model.remove(at: draw("gone", model.count)).number
                #expect(queue.remove(gone)?.number == gone)
                #expect(queue.remove(gone) == nil, "it is gone")
            }
            let next = model.min { $0 < $1 }
            #expect(queue.first?.number == next?.number)
            #expect(queue.isEmpty == model.isEmpty)
        }
        #expect(queue.inOrder.map(\.number) == model.sorted { $0 < $1 }.map(\.number))
    }
}
