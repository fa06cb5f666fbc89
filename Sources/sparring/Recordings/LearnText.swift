import SparringAdmin
import SparringJSON

/// Proposals as text.
enum LearnText {
    static func list(_ proposals: Proposals) -> String {
        guard !proposals.all.isEmpty else { return "There is nothing to propose.\n" + left(proposals) }
        let rows = proposals.all.enumerated().map { ($0.offset + 1, $0.element) }
        let table = Table.text("", "corrects", "operation", "proposal", "seen", of: rows) { number, proposal in
            [
                "\(number)", proposal.kind.rawValue, proposal.operation, Terminal.printable(proposal.words),
                proposal.kind == .setting ? "" : "\(proposal.observed.times) of \(proposal.observed.of)",
            ]
        }
        return table + "\n\nTo accept: --accept NUMBER, --accept contract, --accept all\n" + left(proposals)
    }

    private static func left(_ proposals: Proposals) -> String {
        guard !proposals.left.isEmpty else { return "" }
        let shown = proposals.left.prefix(10).map { "  \(Terminal.printable($0.abbreviated(to: 200)))\n" }.joined()
        let rest = proposals.left.count > 10 ? "  and \(proposals.left.count - 10) more\n" : ""
        return "\nNo overlay can make good:\n" + shown + rest
    }
}
