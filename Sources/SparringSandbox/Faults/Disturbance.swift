package import HTTPTypes
package import SparringJournal

/// The combined effect of the faults that strike one call or message. Delays of a phase add up. Of the refusals and statuses the one armed
/// first counts; of what breaks the connection or ends the socket the one in the earliest phase, and of those the one armed first.
/// What changes the answer is done one after the other, in the order of arming.
package struct Disturbance: Sendable {
    /// In place of a decision, or of what was decided.
    package enum Replacement: Sendable {
        case refusal(String)
        case status(Fault.StatusAnswer)
    }

    /// The connection does not go on as it should.
    package struct Cut: Sendable {
        /// How it ends. These are all the ways that there are; the engine maps them to what SparringHTTP can do.
        package enum How: Sendable, Equatable {
            /// The client reads `ECONNRESET`.
            case reset
            case close
            /// Nothing more comes; the connection stays open.
            case stall
            /// The answer is chunked and goes on with what is no chunk; then the connection is closed.
            case malformedChunk
            /// These bytes, then the connection is closed.
            case raw([UInt8])
        }

        package var by: Int
        package var phase: Fault.Phase
        package var how: How
        /// Within the body: so many of its bytes go out before; nil: half of them.
        package var after: Int?
        var words: String
        package var isBefore: Bool { phase <= .onRequestEnd }
    }

    /// The body goes out slowly, on the wall clock.
    package enum Pace: Sendable {
        case slices(size: Int, gap: Duration)
        case bandwidth(bytesPerSecond: Int)
    }

    /// The answer is changed.
    package typealias Alteration = (words: String, make: @Sendable (_ headers: inout HTTPFields, _ body: inout [UInt8]) -> Void)

    package var strikes: [FaultTable.Strike] = []
    package var touched: [FaultTable.Touched] = []
    /// Sandbox time that passes.
    package var delays: [Fault.Phase: Duration] = [:]
    package var replacement: (by: Int, with: Replacement)?
    /// In place of the answer that was decided.
    package var substitute: (by: Int, status: Fault.StatusAnswer)?
    package var alterations: [Alteration] = []
    package var cut: Cut?
    package var pace: (pace: Pace, words: String)?
    package var ending: Fault.Ending?
    /// Endings of the socket that come later.
    package var plans: [Fault.Ending] = []
    package var messageChanges: [MessageChange] = []
    /// The message of a client is lost on its way here.
    package var lostBy: Int?
    package var vendorEffects: [Fault.VendorEffect] = []

    /// The call opens the socket that is to end, so that it must be open first.
    private var opensSocket = false

    package init() {}

    package init(_ chosen: (strikes: [FaultTable.Strike], touched: [FaultTable.Touched]), opensSocket: Bool = false) {
        touched = chosen.touched
        self.opensSocket = opensSocket
        for strike in chosen.strikes { add(strike) }
    }

    mutating func add(_ strike: FaultTable.Strike) {
        strikes.append(strike)
        strike.fault.act(strike, &self)
    }

    mutating func cut(_ strike: FaultTable.Strike, _ how: Cut.How, after: Int? = nil, words: String) {
        guard cut.map({ strike.phase < $0.phase }) ?? true else { return }
        cut = Cut(by: strike.number, phase: strike.phase, how: how, after: after, words: words)
    }

    package mutating func add(_ new: Fault.Ending) {
        if opensSocket || new.afterFrames > 0 || new.after != nil {
            plans.append(new)
        } else if ending.map({ new.phase < $0.phase }) ?? true {
            ending = new
        }
    }

    /// With what had struck before the request was whole.
    package func following(_ early: Disturbance) -> Disturbance {
        guard !early.touched.isEmpty else { return self }
        var all = early
        all.opensSocket = opensSocket
        for strike in strikes { all.add(strike) }
        all.touched += touched
        return all
    }

    /// Nothing is disturbed, now or later.
    package var isNone: Bool { strikes.isEmpty && touched.isEmpty && ending == nil && plans.isEmpty }

    package var numbers: [Int] {
        if strikes.count == 1, ending == nil { return [strikes[0].number] }
        return Set(strikes.map(\.number)).union([ending?.by].compactMap { $0 }).sorted()
    }

    /// The words of the effects that struck, each once, in the order of arming.
    package var effects: [String] {
        var words: [String] = []
        for strike in strikes where !words.contains(strike.fault.effect.word) { words.append(strike.fault.effect.word) }
        if let ending, !words.contains(ending.word) { words.append(ending.word) }
        return words
    }

    /// Nothing is decided: the connection is cut before, the socket is ended before, or the message never came.
    package var isCutBefore: Bool { cut?.isBefore == true || lostBy != nil || endsBefore }
    private var endsBefore: Bool { ending?.phase == .onRequestEnd }

    /// Why there is no decision, or not the one that there would have been, where that is so.
    package var cause: Cause? {
        if let cut, cut.isBefore { return .fault(cut.by) }
        if let lostBy { return .fault(lostBy) }
        if let ending, endsBefore { return .fault(ending.by) }
        return replacement.map { Cause("fault \($0.by) forced it", code: Cause.fault) }
    }
}
