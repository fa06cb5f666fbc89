import SparringJSON

/// Faults that did nothing in a play, though somebody may believe that they did.
struct IdleFaults {
    /// The faults of a sandbox, as the admin API lists them.
    let faults: [JSON]
    /// The numbers of those that ended one of its sockets, or made it go dead.
    let ended: Set<Int64>

    /// - Parameter sockets: the journal's entries of what happened to the sandbox's sockets.
    init(faults: [JSON], sockets: [JSON]) {
        self.faults = faults
        ended = Set(sockets.flatMap { $0["faults"]?.array ?? [] }.compactMap(\.integer))
    }

    /// The faults of a sandbox that is still there.
    init(of sandbox: String, on client: AdminClient) async throws {
        let faults = try await client.call(.listFaults, in: sandbox).json["faults"]?.array ?? []
        let sockets =
            try await client.call(.readJournal, in: sandbox, ["kind": "socket", "limit": Self.mostEnds]).json["entries"]?.array ?? []
        self.init(faults: faults, sockets: sockets)
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
            !ended.contains(number)
        else { return nil }
        return "\(name) ended no socket: each was over before \(later)"
    }
}
