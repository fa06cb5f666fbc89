import SparringLocks

/// How long what is to be written waits for another program that has the database's write lock: once as long as ``StoreFile/patience``, then, until it is free
/// again, hardly at all, as everything that waits would wait behind each other. Nobody waits on the loop: it tries again later.
struct LockPatience {
    /// Milliseconds.
    private static let short = 50
    /// Between two attempts.
    static let pause = Duration.milliseconds(5)

    /// When the lock was found taken.
    private var since: ContinuousClock.Instant?
    /// The lock was not free within that time.
    private var isSpent = false

    /// The lock is another's.
    ///
    /// - Returns: whether to try again.
    mutating func waits(now: ContinuousClock.Instant = .now) -> Bool {
        let begun = since ?? now
        since = begun
        if now - begun < .milliseconds(isSpent ? Self.short : StoreFile.patience) { return true }
        (since, isSpent) = (nil, true)
        return false
    }

    /// The lock was ours.
    mutating func ended() { (since, isSpent) = (nil, false) }
}
