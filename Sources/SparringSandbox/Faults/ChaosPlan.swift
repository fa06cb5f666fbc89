public import SparringContract
public import SparringJSON
import SparringJournal

/// The strikes of faults on each lane, known before they happen: draws depend only on the seed, the fault's number, the lane and the
/// position of the call among the lane's calls that the fault matches.
public struct ChaosPlan: Sendable {
    public struct Row: Sendable, Equatable {
        public var lane: String
        /// For each call of the lane that the fault matches: nil where it is left alone, else what happens, in few words.
        public var calls: [String?]
    }

    public struct Part: Sendable {
        public var number: Int
        public var text: String
        public var rows: [Row]
        /// A caveat that the rows cannot show, such as that all lanes' calls count together, so that it depends on who comes first.
        public var caveat: String?
    }

    public let seed: Int64
    public let parts: [Part]

    /// - Parameters:
    ///   - faults: texts, with the numbers that they have in their sandbox.
    ///   - calls: how many matching calls of each lane are looked at.
    /// - Throws: ``FaultRefused``
    public init(
        seed: Int64, faults: [(number: Int, text: String)], lanes: [String], calls: Int, contracts: [Contract],
        stubs: [ContractOperation] = []
    ) throws(FaultRefused) {
        let reader = FaultReader(contracts).adding(stubs)
        var parts: [Part] = []
        for (number, text) in faults {
            let fault = try reader.read(text: text)
            let rows = lanes.filter { Self.concerns(fault, $0) }.map { Self.row(fault, number, $0, calls, seed) }
            parts.append(Part(number: number, text: fault.text, rows: rows, caveat: Self.caveat(fault, lanes: rows.count)))
        }
        self.seed = seed
        self.parts = parts
    }

    private static func concerns(_ fault: Fault, _ lane: String) -> Bool {
        fault.match.subject.map { TextPattern.matches(lane, $0) } ?? true
    }

    /// The row of a lane as if the lane were alone.
    private static func row(_ fault: Fault, _ number: Int, _ lane: String, _ calls: Int, _ seed: Int64) -> Row {
        var armed = FaultTable.Armed(number: number, fault: fault, since: Timestamp(milliseconds: 0))
        var row = Row(lane: lane, calls: [])
        for _ in 0..<calls {
            let (ordinal, strikes) = armed.count(lane, seed)
            let strike = FaultTable.Strike(number: number, fault: fault, seed: seed, lane: lane, ordinal: ordinal)
            row.calls.append(strikes ? words(strike) : nil)
        }
        return row
    }

    private static func words(_ strike: FaultTable.Strike) -> String {
        Disturbance(([strike], [])).delays.values.first?.words ?? "x"
    }

    private static func caveat(_ fault: Fault, lanes: Int) -> String? {
        let trigger = fault.trigger
        var caveats: [String] = []
        if FaultCaveats.areDue(trigger), lanes > 1 { caveats.append("it " + FaultCaveats.words) }
        if trigger.ttl != nil || trigger.between != nil { caveats.append("only while it is in force") }
        if caveats.isEmpty { return nil }
        return caveats.joined(separator: "; ")
    }

    /// The plan for programs: for each call, null where it is left alone.
    public var json: JSON {
        let parts: [JSON] = parts.map { part in
            var lanes = JSON.Object()
            for row in part.rows { lanes[row.lane] = .array(row.calls.map { $0.map { .string($0) } ?? .null }) }
            return .members([
                "number": .integer(Int64(part.number)), "text": .string(part.text), "lanes": .object(lanes),
                "caveat": part.caveat.map { .string($0) },
            ])
        }
        return ["seed": .integer(seed), "faults": .array(parts)]
    }
}
