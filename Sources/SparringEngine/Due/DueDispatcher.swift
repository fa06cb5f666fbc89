import SparringJSON
import SparringJournal
import SparringSandbox

/// Gives what has fallen due to its owner.
final class DueDispatcher: DueRunner {
    private let world: World
    private let owners: [String: any DueOwner]
    private let outbound: any OutboundCalls
    private let metrics: Metrics
    private let addresses: @Sendable () -> Addresses

    /// - Parameter addresses: those that are known by now.
    init(
        _ world: World, owners: [any DueOwner], outbound: any OutboundCalls, metrics: Metrics,
        addresses: @escaping @Sendable () -> Addresses
    ) {
        self.metrics = metrics
        self.world = world
        self.owners = Dictionary(uniqueKeysWithValues: owners.map { ($0.name, $0) })
        self.outbound = outbound
        self.addresses = addresses
    }

    func run(_ item: DueItem, of dueWork: DueWork, _ work: SandboxClock.Work) async {
        // A sandbox that was deleted or reset has nothing left to do.
        guard let sandbox = world.sandbox(dueWork.sandbox), sandbox.dueWork === dueWork else { return }
        let lane = sandbox.lane(item.lane, else: item.name)
        let task = DueTask(
            item: item, sandbox: sandbox, addresses: addresses(), lane: lane, ordinal: sandbox.nextOrdinal(of: lane), work: work,
            outbound: outbound)
        do {
            guard let owner = owners[item.vendor] else { throw ToolError("nobody does '\(item.name)'") }
            try await count(task)
            try await owner.perform(task)
        } catch is SandboxGone {
            return
        } catch {
            await fail(task, error)
        }
        sandbox.journal.committed()
    }

    /// Counts an attempt at what an earlier process left, before it begins. The first attempt of all, in the process that scheduled it, is not counted: it
    /// is the rule, and a write more for each would be felt.
    ///
    /// - Throws: ``Abandoned`` where too many have begun without an end.
    private func count(_ task: DueTask) async throws {
        guard let abandoned = task.item.abandoned else { return }
        if abandoned >= DueItem.mostAbandoned { throw Abandoned(attempts: abandoned) }
        let number = task.item.number
        try await task.sandbox.store.write { try DueItem.countAttempt(number, $0) }
    }

    private struct Abandoned: Error {
        var attempts: Int
    }

    /// It is not tried again: what fails once would fail at each start. The journal keeps what was to be done.
    private func fail(_ task: DueTask, _ error: any Error) async {
        metrics.failed()
        let (item, sandbox) = (task.item, task.sandbox)
        var entry = task.entry()
        if let abandoned = error as? Abandoned {
            let words = "'\(item.name)' was begun \(abandoned.attempts) times after a restart and never ended; it is not tried again"
            entry.cause = Cause(words, code: Cause.failed)
            entry.findings = [Finding("put-aside", words)]
        } else {
            entry.cause = .failed(error)
        }
        entry.details = ["what": .string(item.what), "body": item.body]
        let failed = entry
        do {
            try await sandbox.store.write { db in
                guard try DueItem.remove(item.number, db) else { return }
                try sandbox.journal.append(failed, db)
            }
        } catch {
            // Where not even this can be written, the item stays, and the next process tries.
            sandbox.missed(error)
            sandbox.takeBack(task.ordinal, of: task.lane)
        }
    }
}
