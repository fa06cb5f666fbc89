import ArgumentParser
import SparringAdmin
import SparringContract
import SparringJSON
import SparringSandbox
import SparringVerdict

/// `sparring contract`
struct ContractCommand: WordedCommand {
    static let abstract = "Look at the vendors' contracts, and check changes to them."
    static var subcommands: [any ParsableCommand.Type] { [List.self, Show.self, Lint.self, Coverage.command, Export.self] }

    struct List: LocalCommand {
        static let abstract = "List operations and messages."
        static let discussion = """
              sparring contract list --vendor liveperson
              sparring contract list --fidelity assumed
            """

        @Option(help: "Only this vendor's.", completion: KnownNames.vendors) var vendor: String?
        @Option(
            name: .customLong("fidelity"), help: "Only these (values: live, verified, inferred, assumed).",
            completion: .list(["live", "verified", "inferred", "assumed"]))
        var fidelity: String?
        @OptionGroup var probed: ProbedOptions
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var source: Source

        func validate() throws {
            let words = ["live"] + Fidelity.allCases.map(\.rawValue)
            if let fidelity, !words.contains(fidelity) {
                throw ValidationError("--fidelity: '\(fidelity)' is not one of \(words.joined(separator: ", ")).")
            }
        }

        func perform() async throws {
            let contracts = try source.folder().contracts
            if let vendor, !contracts.contains(where: { $0.vendor == vendor }) {
                let hint = Nearest.hint(for: vendor, in: contracts.map(\.vendor))
                throw CommandFailure(text: "there is no contract for '\(Terminal.printable(vendor))'\(hint)", status: 64)
            }
            let points = ContractPoint.all(of: contracts, try probed.read()).filter { point in
                (vendor == nil || point.vendor == vendor)
                    && (fidelity == nil || point.fidelity.rawValue == fidelity || fidelity == "live" && point.live != nil)
            }
            if json { return try Terminal.print(JSON.array(points.map(\.json)).text) }
            try Terminal.print(
                Table.text("operation", "way", "fidelity", of: points) {
                    [
                        $0.name, $0.way,
                        ([$0.live?.words, $0.fidelity.rawValue, $0.isStub ? "stub" : nil].compactMap(\.self)).joined(separator: ", "),
                    ]
                })
        }
    }

    struct Lint: LocalCommand {
        static let abstract = "Check contracts, behaviour files and overlays, as the server does when it starts."
        static let discussion = """
            Prints the first error, with file and line, and exits with 65. An overlay action that changes nothing causes a warning; \
            --strict makes it an error.
              sparring contract lint --overlay our-pusher.overlay.yaml
            """

        @Flag(help: "Exit with 65 on a warning too.") var strict = false
        @OptionGroup var source: Source

        func perform() async throws {
            let folder = try source.folder()
            let vendors = folder.contracts.filter { $0.vendor != "admin" }
            _ = try Routes(folder.contracts)
            let behaviours = try Behaviours(folder: try source.path, contracts: vendors, effects: FaultVocabulary.words)
            if strict, !folder.warnings.isEmpty { throw ExitCode(65) }
            let points = ContractPoint.all(of: folder.contracts, LiveFidelity()).count
            let extent = "\(points) operations and messages of \(folder.contracts.count) contracts, \(behaviours.rules.count) rules"
            try Terminal.print("valid: \(extent)")
        }
    }

    struct Coverage: SandboxVerb {
        static let abstract = "Print how much of the contracts a sandbox's client covered."
        static let discussion = """
            Counts operations, answers, refusals, messages, optional members and rules of the vendors that the client called. \
            `covered`: the client got every declared answer and sent every optional member. `partial`: it called the operation. \
            `missing`: it did not. `extra`: no contract has the call.
              sparring contract coverage --verbose
              sparring run --coverage --minimum operations=50% -- npm test
            """

        @Flag(help: "Name the operations that were not called, too.") var verbose = false

        func run(_ sandbox: RemoteSandbox) async throws {
            let report = try await sandbox.server.verdicts(sandbox.name, ["coverage": true], settle: nil)
            guard let coverage = report.coverage else { throw CommandFailure(text: "the server does not measure coverage", status: 69) }
            try Terminal.print(
                sandbox.connection.json ? report.json["coverage"]?.text ?? "" : coverage.lines(verbose: verbose).joined(separator: "\n"))
        }
    }

    /// The contracts that are looked at; none of these commands needs a server.
    struct Source: ParsableArguments {
        @Option(help: "Folder of the contracts. Default: the one that came with this binary.") var contracts: String?
        @OptionGroup var overlays: OverlayOptions

        /// Their folder, after the overlays, whose useless actions are said.
        func folder() throws -> ContractFolder {
            let folder = try ContractFolder(path: try path, overlays: try overlays.read())
            OverlayOptions.complain(of: folder)
            return folder
        }

        var path: String { get throws { try Resources.locate(contracts: contracts).contracts } }
    }
}
