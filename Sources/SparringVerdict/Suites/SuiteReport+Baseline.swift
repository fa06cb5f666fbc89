/// Known violations that a run no longer shows.
extension SuiteReport {
    /// The baseline for later runs: violations of the contract, calls that fit no sandbox, and broken rules.
    package var baseline: FindingBaseline {
        let broken = reports.flatMap(\.verdicts).filter { $0.result == .fail || $0.isKnown }
        return .of(reports.flatMap(\.contract.rows) + plays.flatMap(\.strays), rules: broken.map(\.rule))
    }

    /// The entries of the baseline that no sandbox showed; none where the report cannot tell: of one sandbox, of a client that called nothing, or where findings
    /// were left out.
    var stale: [FindingBaseline.Known] {
        let reports = reports
        guard !command.isEmpty, let first = reports.first, reports.contains(where: { $0.calls > 0 }),
            reports.allSatisfy({ $0.contract.gate != .off && !$0.contract.isCut })
        else { return [] }
        let seen = Set(baseline.all.map(\.fingerprint))
        return first.contract.resolved.filter { !seen.contains($0.fingerprint) }
    }

    private static let mostStale = 20

    /// The stale entries for people: a heading without its colon, and a line each. Nil where there are none.
    var staleWords: (heading: String, lines: [String])? {
        let stale = stale
        guard !stale.isEmpty else { return nil }
        let them = stale.count == 1 ? "it" : "them"
        let heading = "Known, but no longer seen; if all tests ran, take \(them) out, or write the file again with --write-known"
        let rest = stale.count > Self.mostStale ? ["and \(stale.count - Self.mostStale) more"] : []
        return (heading, stale.prefix(Self.mostStale).map(\.line) + rest)
    }

    /// Empty where there are none.
    func staleText(_ paint: Paint) -> String {
        guard let (heading, lines) = staleWords else { return "" }
        return "\n" + ([paint(heading + ":", .doubt)] + lines.map { "  " + $0.printable }).joined(separator: "\n") + "\n"
    }
}

extension FindingBaseline.Known {
    /// `liveperson.login body:/id_token missing (0123456789abcdef)`
    fileprivate var line: String {
        let parts = [operation, place, code].compactMap(\.self).filter { !$0.isEmpty }
        return ((parts.isEmpty ? [words].compactMap(\.self) : parts) + ["(\(fingerprint))"]).joined(separator: " ")
    }
}
