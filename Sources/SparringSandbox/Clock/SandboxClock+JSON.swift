public import SparringJSON
public import SparringJournal
import SparringLocks
package import SparringLoop

extension SandboxClock {
    private static let rates = 0.000_001...1_000_000

    /// How a clock is asked for: `{"mode":"real|frozen|rate","now":…,"rate":…}`, every member optional; `"offset":"-5m"` in place of
    /// `now` for a clock that goes wrong by so much, seen from the machine's.
    public struct Setting: Sendable {
        public var mode: Mode
        public var now: Timestamp?

        public init(mode: Mode = .real, now: Timestamp? = nil) {
            self.mode = mode
            self.now = now
        }

        /// - Throws: ``ConfigurationError`` with the member's pointer.
        public init(_ json: JSON, at pointer: JSONPointer = .root, current: Mode = .real) throws(ConfigurationError) {
            let declared = try Declaration(json, at: pointer, known: ["mode", "now", "rate", "offset"])
            switch try declared.optionalText("mode") {
            case nil: mode = json["rate"] == nil ? current : .rate(1)
            case "real": mode = .real
            case "frozen": mode = .frozen
            case "rate": mode = .rate(1)
            case let other?: throw ConfigurationError(pointer.appending("mode"), "'\(other)' is not real, frozen or rate")
            }
            if case .rate = mode {
                guard let rate = json["rate"]?.double, SandboxClock.rates.contains(rate) else {
                    throw ConfigurationError(pointer.appending("rate"), "the mode rate needs a number from 0.000001 to 1000000")
                }
                mode = .rate(rate)
            } else if json["rate"] != nil {
                throw ConfigurationError(pointer.appending("rate"), "only the mode 'rate' has a rate")
            }
            if let text = try declared.optionalText("now") {
                guard let time = Timestamp(text) else {
                    throw ConfigurationError(pointer.appending("now"), "'\(text)' is not an RFC 3339 time such as 2026-01-31T12:00:00Z")
                }
                now = time
            }
            if let text = try declared.optionalText("offset") {
                guard now == nil else {
                    throw ConfigurationError(pointer.appending("offset"), "'now' and 'offset' cannot be used together")
                }
                let isBehind = text.hasPrefix("-")
                guard let offset = Duration(text: isBehind ? String(text.dropFirst()) : text) else {
                    throw ConfigurationError(pointer.appending("offset"), "'\(text)' is not a duration such as 5m, or -5m for a slow clock")
                }
                now = Timestamp.now + (isBehind ? .zero - offset : offset)
            }
        }
    }

    package convenience init(_ setting: Setting, on loop: Loop) { self.init(mode: setting.mode, now: setting.now, on: loop) }

    /// The clock as the admin API shows it.
    public var json: JSON {
        state.withLock { state in
            var json = Self.shown(state.mode, state.now(Arrival.monotonicNow))
            json["pending"] = .array(state.sleepers.inOrder.map { ["due": .string($0.due.description), "what": .string($0.what)] })
            return json
        }
    }

    /// The same without what waits on the clock.
    package var shown: JSON { state.withLock { Self.shown($0.mode, $0.now(Arrival.monotonicNow)) } }

    static func shown(_ mode: Mode, _ now: Timestamp) -> JSON {
        ["mode": .string(word(mode)), "now": .string(now.description), "rate": .number(mode.speed)]
    }

    /// The state that a restart needs: the clock goes on as if the process had never been away.
    var stored: JSON {
        let arrival = Arrival.now
        return state.withLock { state in
            Self.stored(state.mode, state.advancingTo ?? state.now(arrival.monotonic), arrival.wall)
        }
    }

    /// The same once the clock has been moved to `time`.
    func stored(at time: Timestamp) -> JSON { Self.stored(mode, time, Arrival.now.wall) }

    static func stored(_ mode: Mode, _ time: Timestamp, _ wall: Int64) -> JSON {
        ["mode": .string(word(mode)), "rate": .number(mode.speed), "base": .integer(time.milliseconds), "wall": .integer(wall)]
    }

    convenience init(stored: JSON, on loop: Loop) {
        let mode = Self.mode(of: stored)
        let away = Double(Arrival.now.wall.subtractingClamped(stored["wall"]?.integer ?? 0)) / 1_000_000
        let base = Timestamp(milliseconds: stored["base"]?.integer ?? 0)
        self.init(mode: mode, now: base + .milliseconds(Int64(clamped: away * mode.speed)), on: loop)
    }

    /// How a stored clock goes.
    static func mode(of stored: JSON) -> Mode {
        switch stored["mode"]?.string {
        case "frozen": .frozen
        case "rate": .rate(stored["rate"]?.double.flatMap { rates.contains($0) ? $0 : nil } ?? 1)
        default: .real
        }
    }

    static func word(_ mode: Mode) -> String {
        switch mode {
        case .real: "real"
        case .frozen: "frozen"
        case .rate: "rate"
        }
    }
}
