import SparringJSON

/// Faults that did nothing in a play, though somebody may believe that they did.
struct IdleFaults {
    /// The faults of a sandbox, as the admin API lists them.
    let faults: [JSON]
    /// The causes of what happened to its sockets.
    let ends: [String]

    init(faults: [JSON], ends: [String]) { (self.faults, self.ends) = (faults, ends) }

    /// The faults of a sandbox that is still there.
    init(of sandbox: String, on client: AdminClient) async throws {
        let faults = try await client.call(.listFaults, in: sandbox).json["faults"]?.array ?? []
        let ends =
            try await client.call(.readJournal, in: sandbox, ["kind": "socket", "limit": Self.mostEnds]).json["entries"]?.array ?? []
        self.init(faults: faults, ends: ends.compactMap { $0["cause"]?.string })
    }

    private static let mostEnds = 10_000

    /// A sentence for each.
    var notes: [String] { faults.compactMap(note) }

    private func note(_ fault: JSON) -> String? {
        guard let number = fault["number"]?.integer, let text = fault["text"]?.string else { return nil }
        let lanes = fault["lanes"]?.object?.values.map { $0 } ?? []
        func sum(_ name: String) -> Int64 { lanes.isEmpty ? fault[name]?.integer ?? 0 : lanes.reduce(0) { $0 + ($1[name]?.integer ?? 0) } }
        let name = "fault \(number) (\(text))"
        if sum("hits") == 0 {
            let matched = sum("matched")
            return matched == 0
                ? "\(name) never struck: nothing came that it is for, at a time at which it is in force"
                : "\(name) never struck, of \(matched) \(matched == 1 ? "time" : "times") that it could have"
        }
        guard let effect = fault["effect"]?.string, ["close", "abort", "freeze"].contains(effect),
            let later = ["after", "after-frames"].compactMap({ name in fault["parameters"]?[name]?.string.map { "\(name)=\($0)" } }).first,
            !ends.contains(where: { Self.isOf(number, $0) })
        else { return nil }
        return "\(name) ended no socket: each was over before \(later)"
    }

    /// `closing with 1001: fault 1` is of fault 1, and not of fault 10.
    private static func isOf(_ fault: Int64, _ cause: String) -> Bool {
        cause.ranges(of: "fault \(fault)").contains { range in
            range.upperBound == cause.endIndex || !cause[range.upperBound].isNumber
        }
    }
}
