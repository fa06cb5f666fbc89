import SparringLocks
import SparringSandbox

/// The pasts that were looked at last: somebody who looks at one reads several things of it. What was does not change.
final class PastCache: Sendable {
    private static let limit = 3

    private let held = Mutex<[(sandbox: Sandbox, past: Past)]>([])

    /// - Returns: nil where the journal does not have the entry.
    func past(of sandbox: Sandbox, at entry: Int) async throws -> Past? {
        if let past = held.withLock({ $0.first { $0.sandbox === sandbox && $0.past.entry == entry } })?.past { return past }
        guard let past = try await sandbox.past(at: entry) else { return nil }
        held.withLock { held in
            held.append((sandbox, past))
            if held.count > Self.limit { held.removeFirst() }
        }
        return past
    }
}
