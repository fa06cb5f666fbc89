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
}
