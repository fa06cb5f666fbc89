import GRDB
import SparringJSON
import SparringJournal
import SparringLocks
import SparringLoop

/// Sandboxes that end by themselves.
extension World {
    /// The longest that the timer waits: the machine's clock may be set meanwhile, or the machine may sleep.
    private static let longestWait = Duration.seconds(600)
    /// Before another attempt, where a sandbox cannot be deleted.
    private static let shortestWait = Duration.milliseconds(100)

    /// Ends the sandboxes whose time is over, and sets the timer to the next one's end.
    func watchEndings() { store.loop.run { [weak self] in self?.setEndingTimer() } }

    /// The same, unless the timer ends sooner than a sandbox does.
    func watchEndings(before end: Timestamp) {
        if let next = nextEnding.withLock({ $0?.time }), next <= end { return }
        watchEndings()
    }

    private func setEndingTimer() {
        let next = sandboxes.compactMap(\.ends).min().map { end in
            let wait = max(Self.shortestWait, min(end - Timestamp.now, Self.longestWait))
            return (timer: store.loop.after(wait) { [weak self] in self?.endOverdue() }, time: Timestamp.now + wait)
        }
        let old = nextEnding.withLock { old in
            defer { old = next }
            return old
        }
        if let old { store.loop.cancel(old.timer) }
    }

    private func endOverdue() {
        Task { [weak self] in
            guard let self else { return }
            for sandbox in sandboxes where sandbox.isOverdue {
                await willEnd.withLock(\.self)?(sandbox)
                // It may have been used while somebody had a last look at it.
                guard sandbox.isOverdue, let lifetime = sandbox.lifetime else { continue }
                // Where it cannot be deleted now, the next round tries again.
                _ = try? await delete(sandbox.id, because: lifetime.words)
            }
            if !store.condition.isEnded { watchEndings() }
        }
    }

    /// Calls `body` before a sandbox ends by itself, and waits for it.
    package func beforeEnd(_ body: (@Sendable (Sandbox) async -> Void)?) { willEnd.withLock { $0 = body } }

    /// Calls `body` once there is one sandbox less.
    package func afterEnd(_ body: @escaping @Sendable () -> Void) { hasEnded.withLock { $0 = body } }

    func remember(_ ended: EndedSandbox) {
        endedOnes.withLock { endedOnes in
            endedOnes[ended.id] = ended
            if endedOnes.count > EndedSandbox.limit { endedOnes.removeFirst(endedOnes.count - EndedSandbox.limit) }
        }
    }

    /// A sandbox of that name that has ended by itself.
    package func ended(_ id: String) -> EndedSandbox? { endedOnes.withLock { $0[id] } }

    /// The one that had a tenant, the latest of several.
    package func ended(withTenant id: String, of vendor: String) -> EndedSandbox? {
        endedOnes.withLock { $0.values.last { $0.tenants[vendor] == id } }
    }
}

extension Sandbox {
    fileprivate var isOverdue: Bool { ends.map { $0 <= Timestamp.now } ?? false }
}
