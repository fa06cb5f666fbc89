import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Waiting for what was recorded.
extension Replay {
    /// Milliseconds without anything new after which what is missing is given up. Where much is missing, nobody wants to wait as long for the rest.
    private var patience: Int { misses < Self.mostMisses ? 2000 : 200 }
    static let mostMisses = 5
    /// A message comes with the answer to the call that brings it about, or soon after.
    private var patienceForMessages: Int { patience / 4 }
    /// The same for a call that waits for the clock, and for one that was answered later than this.
    private static let shortPatience = 30

    /// Waits until all has come that was recorded before a moment.
    mutating func settle(_ sandbox: Sandbox, before moment: ReplayMoment?) async {
        var (quiet, seen) = (0, activity(in: sandbox))
        while isOpen(before: moment) {
            try? await Task.sleep(for: .milliseconds(1))
            let now = activity(in: sandbox)
            (quiet, seen) = (now == seen ? quiet + 1 : 0, now)
            let isOverdue = isOverdue(before: moment)
            let isAnswered = waiting.allSatisfy { $0.answer.outcome != nil }
            guard quiet >= (isOverdue ? isAnswered ? patienceForMessages : patience : Self.shortPatience) else { continue }
            if isOverdue { misses += 1 }
            break
        }
        // What came besides.
        for _ in 0..<2 {
            for socket in sockets { await socket.wire.handled() }
            try? await server.engine.settle()
        }
        for index in sockets.indices { sockets[index].giveUp(before: moment) }
    }

    private func isOpen(before moment: ReplayMoment?) -> Bool {
        waiting.contains { $0.answer.outcome == nil } || sockets.contains { $0.isLate(before: moment) }
    }

    /// Something that was recorded before the moment has not come.
    private func isOverdue(before moment: ReplayMoment?) -> Bool {
        sockets.contains { $0.isLate(before: moment) }
            || waiting.contains { call in
                guard call.answer.outcome == nil else { return false }
                return moment.map { end(of: placed[call.place].call) < $0.time } ?? true
            }
    }

    func end(of call: Archive.Call) -> Timestamp {
        call.own?.ended ?? call.started + .milliseconds(Int64(clamped: call.took))
    }

    private func activity(in sandbox: Sandbox) -> [Int] {
        [sandbox.journal.newestBeforeJob, sockets.reduce(0) { $0 + $1.wire.count }, sandbox.clock.pending.count]
    }
}
