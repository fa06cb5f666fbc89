import Foundation
import SparringLocks

/// How long the machine keeps this process waiting for a processor: a thread that sleeps for a moment measures by how much it wakes up late. A client on the
/// same machine is late by about as much, through no fault of its own.
public enum SchedulingDelay {
    private static let total = Mutex<Int64>(0)
    private static let step: Int64 = 20_000_000
    /// What any sleep is late by on an idle machine.
    private static let usual: Int64 = 1_000_000

    private static let meter: Void = Thread.detachNewThread {
        var before = Arrival.now.monotonic
        while true {
            Thread.sleep(forTimeInterval: Double(step) / 1_000_000_000)
            let now = Arrival.now.monotonic
            let late = now - before - step
            if late > usual { total.withLock { $0 += late } }
            before = now
        }
    }

    /// Begins to measure, once in a process.
    public static func begin() { _ = meter }

    /// All that was measured since, in nanoseconds.
    public static var nanoseconds: Int64 { total.withLock { $0 } }
}
