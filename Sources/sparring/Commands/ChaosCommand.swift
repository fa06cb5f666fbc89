import ArgumentParser
import SparringContract
import SparringJSON
import SparringSandbox

/// `sparring chaos`
struct ChaosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chaos", abstract: "Preview what faults left to chance will do.", subcommands: [Plan.self])

    struct Plan: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what faults will do to each lane.",
            discussion: """
                One line for each lane: its calls that the fault matches, from the first; 'x' is struck, '.' left alone, a delay is shown as \
                long as it will be. The same seed gives each lane the same, at one connection and at many.

                With --fault no server is asked; without it the faults and the seed are those of the sandbox, from each lane's first call.
                  sparring chaos plan --seed 42 --lane alice --lane bob \\
                    --fault '*.Pusher.* status code=503 probability=0.3'
                """)

        @Option(help: "The seed. Default: the sandbox's, or 1 with --fault.") var seed: Int64?
        @Option(name: .customLong("fault"), help: "A fault as it will be armed, the first as number 1; may be given several times.")
        var faults: [String] = []
        @Option(name: .customLong("lane"), help: "A lane: who calls; may be given several times.") var lanes: [String] = []
        @Option(help: "How many matching calls of each lane to show.") var calls = 20
        @Option(help: "Folder of the contracts. Default: the one that came with this binary.") var contracts: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func validate() throws {
            if lanes.isEmpty { throw ValidationError("Give at least one --lane, such as --lane alice.") }
            if !(1...1000).contains(calls) { throw ValidationError("--calls is a number from 1 to 1000.") }
        }

        func run(_ server: AdminClient) async throws {
            var known = faults.enumerated().map { (number: $0.offset + 1, text: $0.element) }
            var seed = seed ?? 1
            if faults.isEmpty {
                let json = try await server.get(AdminPath.faults(sandbox.name)).json
                known = (json["faults"]?.array ?? []).map { ($0["number"]?.integer(in: 0...Int.max) ?? 0, $0["text"]?.string ?? "") }
                seed = self.seed ?? json["seed"]?.integer ?? 1
            }
            let plan: ChaosPlan
            do throws(FaultRefused) {
                plan = try ChaosPlan(
                    seed: seed, faults: known, lanes: lanes, calls: calls, contracts: try contractsOrRefuse())
            } catch { throw CommandFailure(text: error.description, status: 1) }
            try Terminal.print(connection.json ? Self.json(plan).text : Self.text(plan))
        }

        private func contractsOrRefuse() throws(FaultRefused) -> [Contract] {
            do { return try Resources.vendorContracts(contracts) } catch { throw FaultRefused("\(error)") }
        }

        private static func text(_ plan: ChaosPlan) -> String {
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

        private static func json(_ plan: ChaosPlan) -> JSON {
            let parts: [JSON] = plan.parts.map { part in
                var lanes = JSON.Object()
                for row in part.rows { lanes[row.lane] = .array(row.calls.map { $0.map { .string($0) } ?? .null }) }
                return .members([
                    "number": .integer(Int64(part.number)), "text": .string(part.text), "lanes": .object(lanes),
                    "caveat": part.caveat.map { .string($0) },
                ])
            }
            return ["seed": .integer(plan.seed), "faults": .array(parts)]
        }
    }
}
