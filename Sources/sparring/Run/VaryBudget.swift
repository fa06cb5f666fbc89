import SparringLocks

/// How many runs of the command there may be, and until when.
final class VaryBudget: Sendable {
    private let runs = Mutex(0)
    private let most: Int
    private let deadline: ContinuousClock.Instant?
    private let words: String

    /// - Parameter time: nil: no limit.
    init(runs: Int, time: Duration?, words: String) {
        most = runs
        deadline = time.map { .now + $0 }
        self.words = words
    }

    var used: Int { runs.withLock { $0 } }

    /// Why nothing more can be run; nil: something can.
    var end: String? {
        if used >= most { return "\(most) runs were made, as --max-runs allows: not everything was tried" }
        if let deadline, deadline <= .now { return "\(words) have passed, as --max-time allows: not everything was tried" }
        return nil
    }

    func count() { runs.withLock { $0 += 1 } }
}
