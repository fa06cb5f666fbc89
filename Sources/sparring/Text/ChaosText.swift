import SparringJSON
import SparringSandbox

/// The effects of faults left to chance, as people and programs read them.
enum ChaosText {
    /// The plan of faults that are not armed yet.
    ///
    /// - Parameter first: the number that the first of them will get.
    /// - Throws: `FaultRefused` for one that is wrong.
    static func plan(of faults: [String], from first: Int = 1, seed: Int64?, lanes: [String], calls: Int, contracts: String? = nil) throws
        -> ChaosPlan
    {
        let numbered = faults.enumerated().map { (number: $0.offset + first, text: $0.element) }
        return try plan(seed ?? 1, numbered, lanes, calls, contracts)
    }

    /// The plan of a sandbox's faults, as the admin API lists them.
    static func plan(ofArmed json: JSON, seed: Int64?, lanes: [String], calls: Int, contracts: String? = nil) throws -> ChaosPlan {
        let armed = (json["faults"]?.array ?? []).map { ($0["number"]?.integer(in: 0...Int.max) ?? 0, $0["text"]?.string ?? "") }
        do { return try plan(seed ?? json["seed"]?.integer ?? 1, armed, lanes, calls, contracts) } catch let error as FaultRefused {
            throw CommandFailure(text: error.description, status: 1)
        }
    }

    private static func plan(
        _ seed: Int64, _ faults: [(number: Int, text: String)], _ lanes: [String], _ calls: Int, _ contracts: String?
    ) throws -> ChaosPlan {
        try ChaosPlan(seed: seed, faults: faults, lanes: lanes, calls: calls, contracts: try Resources.vendorContracts(contracts))
    }

    static func text(_ plan: ChaosPlan) -> String {
        var lines = ["seed \(plan.seed)"]
        for part in plan.parts {
            lines.append("")
            lines.append("fault \(part.number): \(Terminal.printable(part.text))")
            if let caveat = part.caveat { lines.append("  (\(caveat))") }
            var table = Table()
            for row in part.rows {
                let isPlain = row.calls.allSatisfy { $0 == nil || $0 == "x" }
                table.add("  " + row.lane, row.calls.map { $0 ?? "." }.joined(separator: isPlain ? "" : "  "))
            }
            if !part.rows.isEmpty { lines.append(table.text) }
        }
        if plan.parts.isEmpty { lines.append("no faults are armed") }
        return lines.joined(separator: "\n")
    }
}
