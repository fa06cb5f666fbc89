import ArgumentParser
import SparringJSON
import SparringSandbox

/// `sparring chaos`
struct ChaosCommand: WordedCommand {
    static let abstract = "Preview what random faults will do."
    static var subcommands: [any ParsableCommand.Type] { [Plan.command] }

    struct Plan: SandboxVerb {
        static let abstract = "Print what faults will do to each lane."
        static let discussion = """
            Prints one line for each lane, with the calls that the fault matches, starting with the first: 'x' is a call that the fault \
            strikes, '.' one that it does not, and a delay is shown with its length. The same seed gives each lane the same faults, \
            whether on one connection or on many.

            With --fault, it needs no server; --number sets the number of the first previewed fault, on which the random draws depend. \
            Without --fault, it previews the sandbox's faults with the sandbox's seed, from each lane's first call.
              sparring chaos plan --seed 42 --lane alice --lane bob \\
                --fault '*.Pusher.* status code=503 probability=0.3'
            """

        @Option(help: "The seed. Default: the sandbox's, or 1 with --fault.") var seed: Int64?
        @Option(name: .customLong("fault"), help: "A fault as you will arm it; may be given several times.")
        var faults: [String] = []
        @Option(help: "The number of the first --fault, counted from 1 in its sandbox.") var number = 1
        @Option(name: .customLong("lane"), help: "A lane, such as a user; may be given several times.") var lanes: [String] = []
        @Option(help: "How many matching calls of each lane to show.") var calls = 20
        @Option(help: "Folder of the contracts. Default: the one that came with this binary.") var contracts: String?

        func validate() throws {
            if lanes.isEmpty { throw ValidationError("Give at least one --lane, such as --lane alice.") }
            if !(1...1_000_000).contains(number) { throw ValidationError("--number must be from 1 to 1000000.") }
            if !(1...1000).contains(calls) { throw ValidationError("--calls must be from 1 to 1000.") }
            try FaultFile.validate(faults)
        }

        func run(_ sandbox: RemoteSandbox) async throws {
            guard faults.isEmpty else { return try print(try planOfGiven(), sandbox) }
            let armed = try await sandbox.call(.listFaults).json
            try print(
                try ChaosText.plan(ofArmed: armed, seed: seed, lanes: lanes, calls: calls, contracts: contracts), sandbox)
            for lane in lanes { try await sandbox.noteLanes(otherThan: lane, as: "--lane") }
            try await sandbox.noteLanes(lanes, thatCallNothingOf: (armed["faults"]?.array ?? []).compactMap { $0["text"]?.string })
        }

        private func print(_ plan: ChaosPlan, _ sandbox: RemoteSandbox) throws {
            try Terminal.print(sandbox.connection.json ? plan.json.text : ChaosText.text(plan))
        }

        /// No server is asked.
        private func planOfGiven() throws -> ChaosPlan {
            do {
                return try ChaosText.plan(
                    of: try faults.map(FaultFile.read), from: number, seed: seed, lanes: lanes, calls: calls, contracts: contracts)
            } catch let error as FaultRefused {
                throw CommandFailure(text: "--fault: \(Terminal.printable(error.reason))\(CommandFailure.hint(error.nearest))", status: 64)
            }
        }
    }
}
