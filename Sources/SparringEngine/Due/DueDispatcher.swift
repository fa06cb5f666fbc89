import SparringJSON
import SparringJournal
import SparringSandbox

/// Gives what has fallen due to its owner.
final class DueDispatcher: DueRunner {
    private let world: World
    private let owners: [String: any DueOwner]
    private let outbound: any OutboundCalls
    private let addresses: @Sendable () -> Addresses

    /// - Parameter addresses: those that are known by now.
    init(
        _ world: World, owners: [any DueOwner], outbound: any OutboundCalls, addresses: @escaping @Sendable () -> Addresses
    ) {
        self.world = world
        self.owners = Dictionary(uniqueKeysWithValues: owners.map { ($0.name, $0) })
        self.outbound = outbound
        self.addresses = addresses
    }

    func run(_ item: DueItem, of dueWork: DueWork, _ work: SandboxClock.Work) async {
        // A sandbox that was deleted or reset has nothing left to do.
        guard let sandbox = world.sandbox(dueWork.sandbox), sandbox.dueWork === dueWork else { return }
        let task = DueTask(
            item: item, sandbox: sandbox, addresses: addresses(), ordinal: sandbox.nextOrdinal(of: item.lane), work: work,
            outbound: outbound)
        do {
            guard let owner = owners[item.vendor] else { throw ToolError("nobody does '\(item.name)'") }
            try await owner.perform(task)
        } catch is SandboxGone {
            return
        } catch {
            await fail(task, error)
        }
        sandbox.journal.committed()
    }

    /// It is not tried again: what fails once would fail at each start. The journal keeps what was to be done.
    private func fail(_ task: DueTask, _ error: any Error) async {
        let (item, sandbox) = (task.item, task.sandbox)
        var entry = task.entry()
        entry.cause = .failed(error)
        entry.details = ["what": .string(item.what), "body": item.body]
        let failed = entry
        do {
            try await sandbox.store.write { db in
                guard try DueItem.remove(item.number, db) else { return }
                try sandbox.journal.append(failed, db)
            }
        } catch {
            // Where not even this can be written, the item stays, and the next process tries.
            sandbox.takeBack(task.ordinal, of: item.lane)
        }
    }
}
