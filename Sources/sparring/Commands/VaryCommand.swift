import ArgumentParser
import SparringContract
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVariation

/// `sparring vary`
struct VaryCommand: WordedCommand {
    static let abstract = "List the variations of what clients receive, and preview them."
    static var subcommands: [any ParsableCommand.Type] { [Families.self, Plan.self] }

    struct Families: LocalCommand {
        static let abstract = "List the families of variations."
        static let discussion = """
            Tier 1 stays within the contract, tier 2 within every published compatibility policy. Tier 3 has been seen in practice, and \
            is arguably a vendor's fault; --vary-wild adds it.
            """

        @Flag(help: "Print JSON.") var json = false

        func perform() async throws {
            let families = VariationFamily.allCases
            if json {
                let list = families.map { family -> JSON in
                    [
                        "id": .string(family.id), "tier": .integer(Int64(family.tier.rawValue)), "title": .string(family.title),
                        "advice": .string(family.advice),
                    ]
                }
                return try Terminal.print(JSON.array(list).prettyText)
            }
            try Terminal.print(
                Table.text("family", "tier", "what is varied", "what a client does", of: families) { family in
                    [family.id, String(family.tier.rawValue), family.title, family.advice]
                })
        }
    }

    struct Plan: LocalCommand {
        static let abstract = "Print what a seed varies in the contracts' examples."
        static let discussion = """
            For each answer that a lane gets from an operation, or each message with that name, prints what is varied and how. A \
            sandbox sends other members and items than the contract's example, but varies them in the same way: the same seed varies \
            each lane's answers in the same way, whether on one connection or on many.
              sparring vary plan --vary 7 --operation identity.token
              sparring vary plan --vary 7:V4,V5 --operation liveperson.eventsPublished \\
                --lane alice --calls 5
            """

        @OptionGroup var variation: VariationOptions
        @Option(help: "The operation or message, such as identity.token. Default: all.") var operation: String?
        @Option(help: "The name of one of its answers. Default: the first that is not a refusal.") var answer: String?
        @Option(help: "The lane, such as a user.") var lane = "alice"
        @Option(help: "How many answers or messages to show for each.") var calls = 3
        @Flag(help: "Print JSON.") var json = false
        @Option(help: "Folder of the contracts. Default: the one that came with this binary.") var contracts: String?

        func validate() throws {
            if variation.vary == nil { throw ValidationError("Give a seed, such as --vary 7.") }
            if !(1...1000).contains(calls) { throw ValidationError("--calls must be from 1 to 1000.") }
        }

        func perform() async throws {
            guard let plan = try variation.plan else { return }
            if variation.namesVariations { try variation.check(Resources.vendorContracts(contracts), mayGrow: false) }
            let variations = Variations(plan)
            let rows = try points().flatMap { point in
                (1...calls).map { call in
                    (
                        point.name, call,
                        point.changes(
                            VariationSubject(
                                variations, vendor: String(point.name.prefix { $0 != "." }), point: point.name, lane: lane, ordinal: call))
                    )
                }
            }
            try Terminal.print(json ? Self.json(rows).prettyText : Self.text(rows))
        }

        private typealias Row = (point: String, call: Int, changes: [VariedPlace])

        private struct Point {
            let name: String
            let changes: (VariationSubject) -> [VariedPlace]
        }

        private func points() throws -> [Point] {
            let all = try Resources.vendorContracts(contracts)
            let operations = all.flatMap { $0.operations.filter { !$0.isAdmin } + $0.channels.flatMap(\.received) }
            let points = operations.compactMap { operation -> Point? in
                let answers = operation.answers.filter { $0.status != 101 }
                let chosen = answer.map { name in answers.first { $0.name == name } } ?? answers.first { !$0.isUnhappy }
                return chosen.map { chosen in
                    Point(name: operation.qualifiedName) { VariationForecast.changes(of: chosen, of: operation, $0) }
                }
            }
            let messages = all.flatMap(\.channels).flatMap { channel in
                channel.sent.map { message in
                    Point(name: message.qualifiedName) { VariationForecast.changes(of: message, on: channel, $0) }
                }
            }
            guard let operation else { return points + messages }
            let found = (points + messages).filter { $0.name == operation }
            if found.isEmpty, let known = operations.first(where: { $0.qualifiedName == operation }) { throw unknownAnswer(of: known) }
            if found.isEmpty {
                let hint = Nearest.hint(for: operation, in: operations.map(\.qualifiedName) + messages.map(\.name))
                throw CommandFailure(text: "there is no operation or message '\(Terminal.printable(operation))'\(hint)", status: 64)
            }
            return found
        }

        private func unknownAnswer(of operation: ContractOperation) -> CommandFailure {
            let names = operation.answers.filter { $0.status != 101 }.map(\.name)
            let what = answer.map { "has no answer \($0.quoted)" } ?? "has unhappy answers only: give one"
            let hint = answer.map { Nearest.hint(for: $0, in: names) } ?? ""
            let text = "--answer: \(operation.qualifiedName) \(what); there are \(names.joined(separator: ", "))\(hint)"
            return CommandFailure(text: Terminal.printable(text), status: 64)
        }

        private static func text(_ rows: [Row]) -> String {
            let lines = rows.filter { !$0.changes.isEmpty }.flatMap { row in
                ["\(row.point), \(row.call)"]
                    + row.changes.map { "  \(Table.padded($0.id.family.id, 4)) \($0.place.isEmpty ? "" : $0.place + ": ")\($0.words)" }
            }
            return lines.isEmpty ? "nothing is varied" : lines.map(Terminal.printable).joined(separator: "\n")
        }

        private static func json(_ rows: [Row]) -> JSON {
            .array(
                rows.map { row in
                    [
                        "operation": .string(row.point), "ordinal": .integer(Int64(row.call)),
                        "varied": .array(row.changes.recorded.map(\.json)),
                    ]
                })
        }
    }
}
