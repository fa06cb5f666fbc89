import Foundation
import SparringContract
import SparringJSON
import Support
import Testing

@testable import SparringVerdict

/// Each rule that is shipped, in each circumstance that there can be: the runs are made from the rules' declarations. The table of what is played is
/// `circumstances.md` beside this file; `SPARRING_RECORD=1` writes it.
@Suite struct CircumstanceTests {
    static let cells = made.cells

    @Test(arguments: cells) func isJudged(_ cell: Cell) throws {
        let verdict = try Self.judge(cell)
        let isBroken = [.fail, .advice, .inconclusive].contains(verdict.result)
        switch cell.expected {
        case .broken: #expect(isBroken, "\(verdict.result): \(verdict.summary)")
        case .kept: #expect(verdict.result == .pass, "\(verdict.result): \(verdict.summary)")
        case .free: #expect(!isBroken, "\(verdict.summary)")
        }
    }

    @Test func theTableIsThatOfTheRules() throws {
        let file = Repository.folder("Tests/SparringVerdictTests/Circumstances/circumstances.md")
        let table = Self.table
        if ProcessInfo.processInfo.environment["SPARRING_RECORD"] == "1" { try Data(table.utf8).write(to: URL(filePath: file)) }
        let written = try String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        #expect(written == table, "SPARRING_RECORD=1 writes it")
    }

    // MARK: Making

    private struct Made {
        var cells: [Cell] = []
        /// Rules of which no run can be made.
        var missing: [String] = []
        var rules: [Rule] = []
        var behaviours: Behaviours
    }

    private static let made: Made = {
        do {
            return try make()
        } catch {
            fatalError("the shipped rules cannot be read: \(error)")
        }
    }()

    private static func make() throws -> Made {
        let contracts = try Contract.load(directory: Repository.folder("contracts")).filter { $0.vendor != "admin" }
        let behaviours = try Behaviours(folder: Repository.folder("contracts"), contracts: contracts, effects: ["STALL", "freeze"])
        let samples = SampleEvents(vocabulary: Vocabulary(contracts, effects: ["STALL", "freeze"]))
        var made = Made(behaviours: behaviours)
        for file in behaviours.files {
            let text = try String(
                decoding: Data(contentsOf: URL(filePath: Repository.folder("contracts") + "/\(file.vendor).behaviour.yaml")), as: UTF8.self)
            let declared = try YAMLDocument(parsing: text, file: file.vendor).json["rules"]?.array ?? []
            for (rule, json) in zip(file.rules, declared) {
                made.rules.append(rule)
                let form = try PolicyValues(file.policies, given: [:]).filling(json[rule.kind] ?? [:], at: .root)
                guard let plot = Plots(samples: samples).plot(rule.kind, form) else {
                    made.missing.append(rule.qualifiedName)
                    continue
                }
                let cells = Cells(
                    rule: rule, form: form, plot: plot, marks: file.marks, platforms: file.clients.names(.platform), samples: samples)
                made.cells += cells.all
            }
        }
        return made
    }

    private static func judge(_ cell: Cell) throws -> Verdict {
        var judging = Judging(
            Judging.Run(sandbox: "s", seed: 1, scenario: nil, pruned: 0), [Judging.Wanted(cell.rule)], made.behaviours,
            Timing(basis: cell.basis), client: Judging.Client(platform: cell.platform))
        for (index, event) in cell.events.enumerated() { judging.take(event.record(index + 1, isFrozen: cell.isFrozen).bytes) }
        let process = cell.events.map(\.process).max() ?? 1
        let end = Instant(
            sandbox: Int64(1_800_000_000_000 + (cell.isFrozen ? 0 : cell.end * 1000)), monotonic: Int64(cell.end * 1e9),
            process: Int(process))
        return judging.finish(at: end).verdicts[0]
    }

    // MARK: The table

    private static var table: String {
        var lines = [
            "# What is played of each rule", "",
            "Written by `CircumstanceTests`, which plays each of these: **b** the rule must be broken, **k** kept, **f** nothing may be held against the client; a number is how many there are. An empty cell",
            "cannot occur by the rule's declaration.", "",
        ]
        lines += Circumstance.allCases.map { "* \($0.rawValue): \($0.says)" }
        lines += ["", "| rule | " + Circumstance.allCases.map(\.rawValue).joined(separator: " | ") + " |"]
        lines.append("| --- |" + String(repeating: " --- |", count: Circumstance.allCases.count))
        let byRule = Dictionary(grouping: made.cells, by: \.rule.qualifiedName)
        for rule in made.rules {
            guard let cells = byRule[rule.qualifiedName] else { continue }
            let row = Circumstance.allCases.map { circumstance in
                let here = cells.filter { $0.circumstance == circumstance }
                return [Cell.Expected.broken, .kept, .free].compactMap { expected in
                    let count = here.count { $0.expected == expected }
                    return count == 0 ? nil : expected.rawValue.prefix(1) + (count == 1 ? "" : "\(count)")
                }.joined(separator: " ")
            }
            lines.append("| \(rule.qualifiedName) | " + row.joined(separator: " | ") + " |")
        }
        lines += [
            "", "\(made.cells.count) runs of \(byRule.count) rules.", "", "## Rules of which no run can be made: \(made.missing.count)", "",
        ]
        lines.append(made.missing.isEmpty ? "None." : made.missing.joined(separator: ", ") + ".")
        return lines.joined(separator: "\n") + "\n"
    }
}
