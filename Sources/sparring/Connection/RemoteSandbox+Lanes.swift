import SparringJSON

extension RemoteSandbox {
    /// Says so if a name under which the journal finds calls is not their lane: a person's calls may have the lane of a device or a visitor.
    ///
    /// - Parameter word: by which the lane is given, such as `--lane`.
    func noteLanes(otherThan name: String, as word: String) async throws {
        let found = try await call(.readJournal, ["lane": name, "limit": 1000]).json["entries"]?.array ?? []
        let calls = found.filter { ["exchange", "message"].contains($0["kind"]?.string) && $0["causedBy"] == nil }
        let others = Set(calls.compactMap { $0["lane"]?.string })
        guard !others.isEmpty, !others.contains(name) else { return }
        let lanes = others.sorted().map { "\(word)\(word.hasPrefix("--") ? " " : "=")\($0)" }.joined(separator: ", ")
        Terminal.complain("sparring: " + Terminal.printable("\(name) calls in another lane: \(lanes)"))
    }

    /// Says which lanes have made calls that the faults are about, for each lane that has made none.
    ///
    /// - Parameter faults: as they are armed, each beginning with its operation.
    func noteLanes(_ lanes: [String], thatCallNothingOf faults: [String]) async throws {
        guard !faults.isEmpty else { return }
        let operations = faults.compactMap { $0.split(separator: " ").first.map(String.init) }
        let found = try await call(.readJournal, ["tail": LaneHint.mostEntries]).json["entries"]?.array ?? []
        // A pattern may be that of a group: any call may be one of its operations.
        let isAny = operations.contains { $0.contains("*") }
        let hint = LaneHint(found.filter { isAny || operations.contains($0["operation"]?.string ?? "") }, areCalls: true)
        for words in lanes.compactMap(hint.words(forCallsOf:)) { Terminal.complain("sparring: " + Terminal.printable(words)) }
    }
}
