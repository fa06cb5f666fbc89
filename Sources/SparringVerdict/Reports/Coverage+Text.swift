extension Coverage {
    /// A line for each axis, then what is missing and extra.
    ///
    /// - Parameter verbose: names each operation with what it lacks.
    package func lines(verbose: Bool) -> [String] {
        var lines = Axis.allCases.map { axis in
            let share = share(axis)
            let words = axis.rawValue.padded(to: 12)
            return share.all == 0 ? words + "none" : words + "\(share.met) of \(share.all) (\(share.percent))"
        }
        lines.append("effects".padded(to: 12) + (effects.isEmpty ? "none" : effects.joined(separator: ", ")))
        lines.append("close codes".padded(to: 12) + (closeCodes.isEmpty ? "none" : closeCodes.map(String.init).joined(separator: ", ")))
        if !varied.isEmpty {
            lines.append(
                "variations".padded(to: 12) + variedByFamily.map { "\($0.family) at \($0.operations.count)" }.joined(separator: ", "))
        }
        let names = rows.map(\.name.count).max() ?? 0
        for row in rows where verbose || row.calls > 0 {
            lines.append("\(row.state.rawValue.padded(to: 8)) \(row.name.padded(to: names))  \(row.words)")
        }
        lines += extra.map { "extra    \($0.name)  \($0.count)" }
        return lines.map(\.printable)
    }
}

extension Coverage.Row {
    /// A summary of what was met of it and what was not.
    var words: String {
        let stub = isStub ? " of a stub" : ""
        guard calls > 0 else { return "not called" + (isStub ? "; a stub" : "") }
        let count = "\(calls) \(calls == 1 ? "call" : "calls")\(stub)"
        return ([count] + (lack.isEmpty ? [] : [lack]) + (live.map { [$0] } ?? [])).joined(separator: "; ")
    }

    /// The answers that were not met and the members that were not sent.
    var lack: String {
        let unmet = answers.filter { $0.count == 0 }.map(\.name)
        let unsent = members.filter { !$0.isSent }.map(\.name)
        let parts = [("not met", unmet), ("not sent", unsent)].filter { !$0.1.isEmpty }
        return parts.map { "\($0.0): \(Self.list($0.1))" }.joined(separator: "; ")
    }

    /// The first names, and how many more there are.
    private static func list(_ names: [String]) -> String {
        let most = 5
        return names.prefix(most).joined(separator: ", ") + (names.count > most ? " and \(names.count - most) more" : "")
    }
}

extension Coverage.Share {
    /// Rounded down, so that 100% is all.
    package var percent: String { Self.percent(part) }
    static func percent(_ part: Double) -> String { "\(Int(part * 100 + 1e-9))%" }
}
