import SparringJSON
import SparringJournal

/// A point in a run, on each of the clocks that a verdict may be based on.
package struct Instant: Sendable, Hashable {
    /// Milliseconds since 1970 on the sandbox's clock.
    package var sandbox: Int64
    /// Nanoseconds on the machine's monotonic clock; only comparable within one ``process``.
    package var monotonic: Int64
    /// The number of the process that served the database.
    package var process: Int
    /// Nanoseconds that the machine has kept that process waiting for a processor by then, as far as it measured.
    package var delayed: Int64 = 0
    /// Nanoseconds for which the machine had no processor free by then.
    package var busy: Int64 = 0
    /// Nanoseconds that had passed since the client opened the connection for this request; 0: it used one that was open, or it is no request.
    package var opening: Int64 = 0

    package init(sandbox: Int64, monotonic: Int64, process: Int) {
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
    package func seconds(from a: Instant, to b: Instant) -> Double? {
        switch self {
        case .sandbox: Double(b.sandbox.subtractingClamped(a.sandbox)) / 1000
        case .wall: a.process == b.process ? Double(b.monotonic.subtractingClamped(a.monotonic)) / 1_000_000_000 : nil
        }
    }

    /// Whether one instant is earlier than another; what the sandbox's clock has at the same instant is in the order of the machine's.
    func isBefore(_ a: Instant, _ b: Instant) -> Bool {
        let apart = seconds(from: a, to: b) ?? 0
        return apart == 0 ? a.process == b.process && a.monotonic < b.monotonic : apart > 0
    }
}

/// How times are judged.
public struct Timing: Sendable, Hashable {
    public var basis: TimeBasis
    /// The length of a schedule's second in the run: 0.1 for clients whose timers were shortened to a tenth.
    public var scale: Double
    /// The smallest deviation, in seconds of the run, that is distinguished from none.
    public var floor: Double
    /// How many seconds of the sandbox's clock go by in one of the machine's; 0: it stands until it is advanced.
    var rate = 0.0

    /// - Parameter floor: in seconds; nil: 25 ms times the scale, at least 5 ms. The sandbox's clock needs none but its millisecond.
    package init(basis: TimeBasis = .wall, scale: Double = 1, floor: Double? = nil) {
        self.basis = basis
        self.scale = scale
        self.floor = floor ?? max(0.005, 0.025 * scale)
    }

    /// How far the sandbox's clock runs ahead of the client's.
    struct Lead: Sendable {
        /// How many seconds of the sandbox's clock go by in one of the client's.
        var speed: Double
        /// The highest rate at which the two go equally fast.
        var rate: Double

        var words: String {
            "it came of a limit on the sandbox's clock, which runs \(speed.rounded(to: 3)) times as fast as the client's, "
                + "so the client could not know: run with a rate of at most \(rate.rounded(to: 3)) to have it judged, "
                + "or with --time-basis sandbox if the client's timers sleep on the sandbox's clock"
        }
    }

    /// Nil where the client can keep the sandbox's times: its timers sleep on that clock, or that clock runs no faster than the client's. A hundredth
    /// more is a scale that was rounded.
    var lead: Lead? { basis == .wall && rate * scale > 1.01 ? Lead(speed: rate * scale, rate: 1 / scale) : nil }

    /// How many seconds of the machine's clock a second of a schedule takes. A stopped clock counts as one that goes at the machine's rate.
    var machineSecond: Double { basis == .sandbox && rate > 0 ? scale / rate : scale }

    /// How much later than it is due a request may arrive through no fault of the client's, in seconds of the run: its timers' share (``wakeUp``), as long
    /// as the machine kept processes waiting between the two instants, and as long as the connection's opening took, at most ``opening``. A client whose
    /// connection was reset has to open another one, and a TLS handshake on a busy machine takes a fifth of a second.
    func grace(from a: Instant, to b: Instant) -> Double {
        let own = basis == .wall ? Self.wakeUp : 0
        let opening = min(Double(b.opening) / 1_000_000_000, Self.opening) * (basis == .sandbox ? rate : 1)
        return own + opening + seconds(of: \.delayed, from: a, to: b)
    }

    /// How much later a client may be that also works, in seconds of the run: as long as the machine had no processor free, at most ``work``.
    func workGrace(from a: Instant, to b: Instant) -> Double { min(seconds(of: \.busy, from: a, to: b), Self.work) }

    private func seconds(of measure: KeyPath<Instant, Int64>, from a: Instant, to b: Instant) -> Double {
        guard a.process == b.process, b[keyPath: measure] > a[keyPath: measure] else { return 0 }
        let measured = Double(b[keyPath: measure].subtractingClamped(a[keyPath: measure])) / 1_000_000_000
        // A clock that stands does not run on while a client is kept waiting.
        return measured * (basis == .sandbox ? rate : 1)
    }

    /// Beside eight busy loops on two processors a good client came 530 ms late whose timers were woken up nearly in time.
    static let work = 0.5

    /// A client that opens a connection long before it needs it does not get more time by that.
    static let opening = 1.0

    /// A timer's occasional delay in a runtime that collects garbage or shares its threads, in seconds of the machine's time. It counts
    /// where a run's seconds are short: at a scale of 0.1 the first delay of a back-off is 100 ms.
    static let wakeUp = 0.05

    /// Whether the client waited longer for what came of something.
    func took(_ event: Event, longerThan duration: Duration) -> Bool {
        basis.seconds(from: event.begin, to: event.end).map { $0 > seconds(duration) } ?? false
    }

    /// Seconds of the run that a duration of a rule takes.
    func seconds(_ duration: Duration) -> Double { Double(duration.milliseconds) / 1000 * scale }
}
