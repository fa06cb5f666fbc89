import Glibc

/// When something reached this process, on both of the machine's clocks.
package struct Arrival: Sendable, Hashable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    package var wall: Int64
    /// Nanoseconds since the machine was started; never runs backwards, so that distances can be judged on it.
    package var monotonic: Int64
    /// Nanoseconds for which its connection had been open, if it is the first request on that; otherwise 0.
    package var opening: Int64 = 0

    package static var now: Arrival {
        Arrival(wall: read(CLOCK_REALTIME), monotonic: read(CLOCK_MONOTONIC))
    }

    /// ``monotonic`` alone.
    package static var monotonicNow: Int64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Timestamp {
    /// The machine's time.
    package static var now: Timestamp { Timestamp(milliseconds: Arrival.now.wall / 1_000_000) }
}
