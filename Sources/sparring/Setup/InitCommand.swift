import ArgumentParser
import Foundation
import SparringAdmin
import SparringJSON
import SparringVendors
import SparringVerdict

/// `sparring init`
struct InitCommand: WordedCommand {
    static let abstract = "Write files that a project needs to run Sparring."
    static let discussion = "  sparring init ci github --package ci/sparring_0.1.0_amd64.deb -- npm test"
    static var subcommands: [any ParsableCommand.Type] { [ContinuousIntegration.self] }

    struct ContinuousIntegration: LocalCommand {
        static let name = "ci"
        static let abstract = "Write a CI job that judges the client."
        static let discussion = """
            The job installs Sparring, runs the tests in all given scenarios, and shows the verdicts: on GitHub as code scanning alerts \
            and as an artifact, on GitLab as a test report. Sparring comes from a package (--package), from an image (--image), or from \
            its source, which a separate job compiles once per revision (--build). The command does not change an existing file.
              sparring init ci github --package ci/sparring_0.1.0_amd64.deb -- npm test
              sparring init ci gitlab --image registry.example/sparring:0.1.0 \\
                --scenario 'pusher-*' -- pytest
              sparring init ci github --build --source URL --revision v0.1.0 -- npm test
              sparring init ci github --package ci/sparring_0.1.0_amd64.deb \\
                --vendor cxone --contract all --known ci/known.json -- pytest
            """

        @Argument(help: "github or gitlab.") var platform: Workflow.Platform
        @Option(
            name: .customLong("scenario"), help: "A scenario, or a pattern such as 'pusher-*'; may be given several times.",
            completion: KnownNames.scenarios)
        var scenarios: [String] = []
        @Option(
            help: ArgumentHelp("Sparring's package, .deb or .tar.gz: a file of the project, or a URL.", valueName: "file"),
            completion: .file())
        var package: String?
        @Option(help: ArgumentHelp("An image with Sparring's package, such as one built from the Containerfile.", valueName: "name"))
        var image: String?
        @Flag(help: "Compile Sparring from --source at --revision.") var build = false
        @Option(help: ArgumentHelp("The URL from which to clone Sparring's source.", valueName: "url")) var source: String?
        @Option(help: "The source's commit or tag; the package is cached under this name.") var revision: String?
        @Option(
            help: ArgumentHelp(
                "The runtime that the tests need: node, python, jvm, swift or none. Default: depends on the command.",
                valueName: "runtime"))
        var runtime: WorkflowRuntime?
        @Option(help: "The factor by which the tests shorten the client's timers, such as 0.1; passed on to `sparring run`.") var timeScale:
            Double?
        @Option(
            help: ArgumentHelp(
                "After the tests, advance the sandbox's clock by up to this time, until no rule is undecided; passed on to `sparring run`.",
                valueName: "duration"))
        var settle: String?
        @Option(
            name: .customLong("vendor"), help: "Start only this vendor; may be given several times; passed on to `sparring run`.",
            completion: KnownNames.vendors)
        var vendors: [String] = []
        @Option(
            help: """
                The contract violations that fail the run (values: verified, inferred, assumed, all, warn, off); passed on to \
                `sparring run`.
                """, completion: .list(ContractFindings.Gate.allCases.map(\.rawValue)))
        var contract: String?
        @Option(
            help: ArgumentHelp("The project's file of known contract violations; passed on to `sparring run`.", valueName: "file"),
            completion: .file())
        var known: String?
        @Option(
            name: .customLong("minimum"),
            help: ArgumentHelp(
                "Coverage below which the run fails, such as operations=80%; may be given several times; passed on to `sparring run`.",
                valueName: "what=percent"))
        var minimums: [String] = []
        @Flag(name: .customLong("print"), help: "Print the file instead of writing it.") var prints = false
        @Argument(parsing: .postTerminator, help: "The command that runs the tests, after '--'.") var command: [String]

        func validate() throws {
            guard [package != nil, image != nil, build].filter(\.self).count == 1 else {
                throw ValidationError("give exactly one of --package, --image and --build, to say where the job gets Sparring from")
            }
            if let package, !package.hasSuffix(".deb"), !package.hasSuffix(".tar.gz") {
                throw ValidationError("--package: '\(package)' is neither a .deb nor a .tar.gz, which `make dist` makes")
            }
            if build, source == nil || revision == nil { throw ValidationError("--build needs --source and --revision") }
            if !build, source != nil || revision != nil { throw ValidationError("--source and --revision are for --build") }
            if let settle, Duration(text: settle) == nil { throw ValidationError("--settle: \(Duration.refusal(of: settle)).") }
            if let contract { try JudgingOptions.requireGate(contract) }
            _ = try JudgingOptions.minimums(minimums)
        }

        func perform() async throws {
            try ServerLaunch.requireKnown(vendors)
            let only = AllVendors.only(vendors)
            _ = try PlayPlan.all(scenarios, known: try ScenarioCommand.names(of: only), of: only)
            if let known, FileManager.default.fileExists(atPath: known) { _ = try JudgingOptions.baseline(known) }
            let workflow = Workflow(
                platform: platform, package: origin, runtime: runtime ?? WorkflowRuntime(startedBy: command), scenarios: scenarios,
                options: passedOn, command: command)
            let files = [package, known].compactMap(\.self).filter { !$0.contains("://") }
            let missing = files.filter { !FileManager.default.fileExists(atPath: $0) }
            for file in missing { Terminal.complain("sparring: \(file) is not there yet: commit it too") }
            if prints { return try Terminal.print(workflow.text) }
            let file = platform.file
            guard !FileManager.default.fileExists(atPath: file) else {
                throw CommandFailure(text: "\(file) already exists; --print prints what would be written", status: 73)
            }
            try CommandFailure.writing(file) {
                let place = URL(fileURLWithPath: file)
                try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(workflow.text.utf8).write(to: place, options: .withoutOverwriting)
            }
            try Terminal.print(
                "wrote \(file)" + (platform == .gitlab ? "; include it: `include: { local: \(file) }` in .gitlab-ci.yml" : ""))
            for file in files where !missing.contains(file) { Terminal.complain("sparring: \(file) has to be committed too") }
        }

        /// Options of `sparring run`, with the values that were given here.
        private var passedOn: [String] {
            let single = [
                ("--time-scale", timeScale.map { "\($0)" }), ("--settle", settle), ("--contract", contract), ("--known", known),
            ]
            return single.flatMap { name, value in value.map { [name, $0] } ?? [] } + vendors.flatMap { ["--vendor", $0] }
                + minimums.flatMap { ["--minimum", $0] }
        }

        private var origin: WorkflowPackage {
            if let package { return .file(package) }
            if let image { return .image(image) }
            return .source(url: source ?? "", revision: revision ?? "")
        }
    }
}
