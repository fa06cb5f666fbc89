import SparringJSON
import SparringJournal

/// A point in a run, on each of the clocks that a verdict may be based on.
public struct Instant: Sendable, Hashable {
    /// Milliseconds since 1970 on the sandbox's clock.
    public var sandbox: Int64
    /// Nanoseconds on the machine's monotonic clock; only comparable within one ``process``.
    public var monotonic: Int64
    /// Which of the processes that served the database it was.
    public var process: Int
    /// Nanoseconds that the machine has kept that process waiting for a processor by then, as far as it measured.
    public var delayed: Int64 = 0

    public init(sandbox: Int64, monotonic: Int64, process: Int) {
        self.sandbox = sandbox
        self.monotonic = monotonic
        self.process = process
    }
}

/// The clock that delays are measured on.
public enum TimeBasis: String, Sendable, CaseIterable {
    /// The machine's monotonic clock: for clients that sleep as they do in production.
    case wall
    /// The sandbox's: for clients whose timers sleep on it (`clock/wait`), and for clocks that are advanced.
    case sandbox

    /// Seconds from one instant to another; nil where they cannot be compared.
    public func seconds(from a: Instant, to b: Instant) -> Double? {
        switch self {
        case .sandbox: Double(b.sandbox.subtractingClamped(a.sandbox)) / 1000
        case .wall: a.process == b.process ? Double(b.monotonic.subtractingClamped(a.monotonic)) / 1_000_000_000 : nil
        }
    }
}

/// How times are judged.
public struct Timing: Sendable, Hashable {
    public var basis: TimeBasis
    /// What a second of a schedule is in the run: 0.1 for clients whose timers were shortened to a tenth.
    public var scale: Double
    /// The least deviation, in seconds of the run, that is told from none.
    public var floor: Double
    /// How many seconds of the sandbox's clock go by in one of the machine's; 0: it stands until it is advanced.
    var rate = 0.0

    /// - Parameter floor: in seconds; nil: 25 ms times the scale, at least 5 ms. The sandbox's clock needs none but its millisecond.
    public init(basis: TimeBasis = .wall, scale: Double = 1, floor: Double? = nil) {
        self.basis = basis
        self.scale = scale
        self.floor = floor ?? max(0.005, 0.025 * scale)
    }

    /// How late the client under test may be through no fault of its own, in seconds of the run: its timers' share (``wakeUp``), the wake-up delay that was
    /// measured between the two instants, and twice that, at most ``work``, since a client that also works waits for a processor more than once.
    func grace(from a: Instant, to b: Instant) -> Double {
        let own = basis == .wall ? Self.wakeUp : 0
        guard a.process == b.process, b.delayed > a.delayed else { return own }
        let delayed = Double(b.delayed.subtractingClamped(a.delayed)) / 1_000_000_000
        // A clock that stands does not run on while a client is kept waiting.
        return own + (delayed + min(2 * delayed, Self.work)) * (basis == .sandbox ? rate : 1)
    }

    /// Of 1,316 plays beside two compilers on two processors three clients, which fetched another code between two attempts, were later than the measured
    /// delay, by up to 95 ms.
    static let work = 0.1

    /// What a timer of a run time that collects garbage, or shares its threads, is late by now and then, in seconds of the machine's time. It counts where
    /// a run's seconds are short: at a scale of 0.1 the first delay of a back-off is 100 ms.
    static let wakeUp = 0.05

    /// Seconds of the run that a duration of a rule takes.
    func seconds(_ duration: Duration) -> Double { Double(duration.milliseconds) / 1000 * scale }
}
