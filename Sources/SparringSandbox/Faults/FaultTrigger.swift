import SparringJSON
import SparringJournal

extension Fault {
    package enum Scope: String, Sendable, CaseIterable {
        case sandbox, lane
    }

    /// The rule that says which of the calls that match it a fault strikes.
    package struct Trigger: Sendable {
        /// Strikes at most this often.
        var times: Int?
        /// Leaves this many matching calls alone first.
        var skip = 0
        /// Strikes every *n*th matching call, starting with the first.
        var every = 1
        /// Each of those with this chance, drawn from the seed.
        var probability: Double?
        /// Whether ``times``, ``skip`` and ``every`` count the sandbox's calls or each lane's.
        var per = Scope.sandbox
        /// Sandbox time from the arming on after which it is over.
        var ttl: Duration?
        /// Sandbox time within which it is in force; calls outside of it are not counted.
        var between: Window?
    }

    /// From one moment of sandbox time to another, the second not included.
    package struct Window: Sendable {
        enum Moment: Sendable {
            case afterArming(Duration)
            case at(Timestamp)

            init?(_ text: String) {
                guard let moment = Duration(text: text).map({ Moment.afterArming($0) }) ?? Timestamp(text).map({ .at($0) }) else {
                    return nil
                }
                self = moment
            }

            var text: String {
                switch self {
                case .afterArming(let duration): duration.shortText
                case .at(let time): time.description
                }
            }

            func time(armed: Timestamp) -> Timestamp {
                switch self {
                case .afterArming(let duration): armed + duration
                case .at(let time): time
                }
            }
        }

        var from: Moment
        var to: Moment

        /// - Parameter name: of the parameter, for the refusal.
        init(_ text: String, of name: String) throws(FaultRefused) {
            let parts = text.split(separator: "..", omittingEmptySubsequences: false).map { Moment(String($0)) }
            guard parts.count == 2, let from = parts[0], let to = parts[1] else {
                throw FaultRefused(
                    "\(name)=\(text) is not a period such as 10s..40s after the arming, or 2027-01-15T08:00:00Z..2027-01-15T09:00:00Z")
            }
            switch (from, to) {
            case (.afterArming(let a), .afterArming(let b)) where a >= b: throw FaultRefused("\(name)=\(text) ends before it begins")
            case (.at(let a), .at(let b)) where a >= b: throw FaultRefused("\(name)=\(text) ends before it begins")
            default: (self.from, self.to) = (from, to)
            }
        }
    }
}

extension Fault.Trigger {
    static let parameters: [FaultParameter] = [
        .init("times", .number(1...Int.max), "How often it strikes at most. Default: no limit.", example: "2"),
        .init("skip", .number(0...Int.max), "How many calls it leaves alone first. Default: 0.", example: "1", unwritten: "0"),
        .init("every", .number(1...Int.max), "Strikes every nth call, starting with the first. Default: 1.", example: "3", unwritten: "1"),
        .init("probability", .fraction(upTo: 1), "Chance of each strike, drawn from the seed, from 0 to 1. Default: 1.", example: "0.3"),
        .init(
            "per", .word(Fault.Scope.allCases.map(\.rawValue)),
            "Whether `times`, `skip` and `every` count the sandbox's calls or each lane's. Default: sandbox.", unwritten: "sandbox"),
        .init("ttl", .duration(), "Sandbox time after which the fault is over. Default: never.", example: "31s"),
        .init(
            "between", .window, "When it is in force, in sandbox time: two durations after it was armed, or two times.", example: "10s..40s"
        ),
    ]

    init(_ given: FaultValues) {
        (times, skip, every) = (given["times"], given["skip"] ?? 0, given["every"] ?? 1)
        (probability, ttl, between) = (given["probability"], given["ttl"], given["between"])
        per = given["per"].flatMap(Fault.Scope.init(rawValue:)) ?? .sandbox
    }

    /// Whether a fault that was armed then is in force now.
    func isInForce(at now: Timestamp, armed: Timestamp) -> Bool {
        if isOver(at: now, armed: armed) { return false }
        return between.map { now >= $0.from.time(armed: armed) } ?? true
    }

    /// It will never be in force again, unless the clock is set back.
    func isOver(at now: Timestamp, armed: Timestamp) -> Bool {
        if let ttl, now >= armed + ttl { return true }
        return between.map { now >= $0.to.time(armed: armed) } ?? false
    }
}
