import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Sleeping on a sandbox's clock, for clients whose timers can be put in another's hands.
extension AdminAPI {
    /// Answers once the clock has come to the time asked for, at once where it has already. An advance that brings it there sees the wait
    /// end and goes on: what the client does then is not waited for.
    func waitForClock(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let clock = sandbox.clock
        let start = clock.now
        let due = try due(call, from: start)
        guard start < due else { return Answer("clock", clock.json) }
        let work = SandboxClock.Work()
        defer { clock.ended(work) }
        switch await sleep(until: due, on: clock, for: call.timeout, call, work) {
        case .due: return Answer("clock", clock.json)
        case .abandoned: throw timedOut(clock, due, after: call.timeout)
        case .released: throw released(sandbox, "the clock does not continue")
        }
    }

    /// - Returns: `abandoned` when the time is over, or the client has left.
    private func sleep(
        until due: Timestamp, on clock: SandboxClock, for timeout: Duration, _ call: AdminCall, _ work: SandboxClock.Work
    ) async -> SandboxClock.Wake {
        var timer: Task<Void, any Error>?
        defer { timer?.cancel() }
        let what = "a client waits" + (call.request.headers[.sparringLane].map { " (\($0))" } ?? "")
        return await clock.sleep(until: due, what: what, work: work) { abandon in
            call.onHangUp(abandon)
            timer = Task {
                try await Task.sleep(for: timeout)
                abandon()
            }
        }
    }

    /// The time that the query asks for: given as such, or as a distance from now.
    private func due(_ call: AdminCall, from now: Timestamp) throws -> Timestamp {
        switch (call.query("until"), call.query("for")) {
        case (let until?, nil):
            guard let due = Timestamp(until) else {
                throw malformed("until", "\(until.quoted) is not an RFC 3339 time such as 2026-01-31T12:00:00Z")
            }
            return due
        case (nil, let distance?):
            guard let distance = Duration(text: distance) else {
                throw malformed("for", "\(distance.quoted) is not a duration such as PT10M, 10m, 2s or 200ms, of ten years at most")
            }
            return now + distance
        case (nil, nil): throw malformed("until", "until= or for= is needed")
        case (_?, _?): throw malformed("for", "until= and for= cannot be used together")
        }
    }

    private func malformed(_ parameter: String, _ message: String) -> AdminProblem {
        AdminProblem("request-malformed", message, members: ["violations": [["pointer": .string(parameter), "message": .string(message)]]])
    }

    private func timedOut(_ clock: SandboxClock, _ due: Timestamp, after timeout: Duration) -> AdminProblem {
        let now = clock.now
        return AdminProblem(
            "wait-timed-out",
            "the sandbox's clock did not reach \(due) within \(timeout.words): it shows \(now), \((due - now).words) too early",
            members: ["clock": clock.json])
    }

    func released(_ sandbox: Sandbox, _ consequence: String) -> AdminProblem {
        let successor = world.sandbox(sandbox.id)
        let (code, why) =
            if successor == nil {
                ("sandbox-deleted", "the sandbox was deleted")
            } else if successor === sandbox {
                ("server-stops", "the server stops")
            } else {
                ("sandbox-reset", "the sandbox was reset")
            }
        return AdminProblem("wait-released", "\(why): \(consequence)", members: ["because": .string(code)])
    }
}
