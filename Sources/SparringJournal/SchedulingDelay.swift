import Foundation
import Glibc
import SparringJSON
import SparringLocks

/// How long the machine keeps its processes waiting for a processor. A thread that sleeps for a moment measures by how much it wakes up late; a client on the
/// same machine is late by about as much, through no fault of its own. A client that also works waits longer, since a processor goes to sleepers first: so
/// the thread also measures for how long there was no processor free.
package enum SchedulingDelay {
    /// In nanoseconds, since the process began.
    package struct Total: Sendable {
        /// The total by which sleeps were too long.
        package var late: Int64 = 0
        /// While at least as many threads of the machine wanted to run as it has processors.
        package var busy: Int64 = 0
    }

    private static let measured = Mutex(Total())
    private static let step: Int64 = 20_000_000
    /// The delay that a sleep may have even on an idle machine.
    private static let usual: Int64 = 1_000_000

    private static let meter: Void = Thread.detachNewThread {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        var before = Arrival.monotonicNow
        while true {
            Thread.sleep(forTimeInterval: Double(step) / 1_000_000_000)
            // The meter itself is running.
            let isBusy = (running() ?? 0) - 1 >= processors
            let now = Arrival.monotonicNow
            let late = now - before - step
            measured.withLock { total in
                if late > usual { total.late += late }
                if isBusy { total.busy += now - before }
            }
            before = now
        }
    }

    /// Begins to measure, once in a process.
    package static func begin() { _ = meter }

    package static var total: Total { measured.withLock { $0 } }

    private static let load = open("/proc/loadavg", O_RDONLY | O_CLOEXEC)

    /// How many threads of the machine run or want to: `0.20 0.18 0.12 3/300 12345` (proc(5), loadavg); nil where that cannot be read.
    private static func running() -> Int? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { line in
            let count = pread(load, line.baseAddress, line.count, 0)
            guard count > 0 else { return nil }
            var (spaces, running) = (0, 0)
            for byte in line[..<count] {
                if byte == UInt8(ascii: " ") { spaces += 1 }
                guard spaces == 3, byte != UInt8(ascii: " ") else { continue }
                guard byte.isDigit else { return running }
                running = running * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return nil
        }
    }
}
