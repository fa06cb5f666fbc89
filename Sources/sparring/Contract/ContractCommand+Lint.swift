import ArgumentParser
import SparringContract
import SparringSandbox
import SparringVerdict

extension ContractCommand {
    struct Lint: LocalCommand {
        static let abstract = "Check contracts, behaviour files and overlays, as the server does when it starts."
        static let discussion = """
            Prints the first error, with file and line, and exits with 65. An action of an overlay that changes nothing is a warning, which --strict makes an \
            error.
              sparring contract lint --overlay our-pusher.overlay.yaml
            """

        @Flag(help: "Exit with 65 for a warning too.") var strict = false
        @OptionGroup var source: Source

        func perform() async throws {
            let folder = try source.folder()
            let vendors = folder.contracts.filter { $0.vendor != "admin" }
            _ = try Routes(folder.contracts)
            let behaviours = try Behaviours(folder: try source.path, contracts: vendors, effects: FaultVocabulary.words)
            if strict, !folder.warnings.isEmpty { throw ExitCode(65) }
            let points = ContractPoint.all(of: folder.contracts).count
            let extent = "\(points) operations and messages of \(folder.contracts.count) contracts, \(behaviours.rules.count) rules"
            try Terminal.print("sound: \(extent)")
        }
    }
}
