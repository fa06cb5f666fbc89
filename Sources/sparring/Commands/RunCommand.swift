import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVerdict

/// `sparring run`
struct RunCommand: LocalCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a client's tests in a scenario, and judge the client: the one line a CI job needs.",
        discussion: """
            Starts a server on a free port (or uses --url), makes a sandbox of the scenario, tells the command by its environment where it is, \
            and judges when the command has ended:
              SPARRING_URL, SPARRING_TLS_URL, SPARRING_CA_FILE, SPARRING_SANDBOX, and of each tenant what a client is configured with, such as \
            SPARRING_LIVEPERSON_ACCOUNT_ID.
            Ends with 1 where a rule was broken, else with the command's own status where that is not 0, else with 2 where it cannot be told \
            whether the client does what the scenario asks for, else with 0. What cannot be run at all ends with 64 or more, as sysexits(3) has it.
              sparring run --scenario pusher-down-for-31s --junit verdicts.xml -- ./my-client-tests
            """)

    @Option(help: "What the sandbox is made of: a scenario's name, see `sparring scenario list`, or a YAML file.", completion: .file())
    var scenario: String?
    @Option(help: "The seed of everything that is drawn. Default: the scenario's.") var seed: Int64?
    @Option(name: .customLong("fault"), help: "A fault besides the scenario's; may be given several times.") var faults: [String] = []
    @Option(help: ArgumentHelp("A server that runs already.", valueName: "url")) var url: String?
    @Option(help: "Token of that server's admin API.") var adminToken: String?
    @Flag(help: "Leave the sandbox on that server, to be looked at.") var keep = false
    @Option(help: ArgumentHelp("Wait as long as this, once the command has ended, until nothing is left open.", valueName: "duration"))
    var settle: String?
    @Option(help: ArgumentHelp("Write the verdicts as JSON.", valueName: "file"), completion: .file()) var json: String?
    @Option(help: ArgumentHelp("Keep the database, for `sparring verify --database`.", valueName: "file"), completion: .file())
    var database: String?
    @OptionGroup var judging: JudgingOptions
    @OptionGroup var reports: ReportOptions
    @Argument(parsing: .postTerminator, help: "The command, after '--'.") var command: [String]

    /// 1 would say that a rule was broken.
    static let refusal: Int32 = 64

    func validate() throws {
        if let settle, Duration(text: settle) == nil { throw ValidationError("--settle: '\(settle)' is not a duration such as 30s or 2m.") }
        if url != nil, database != nil { throw ValidationError("--url and --database exclude each other: the server keeps its own.") }
    }

    func perform() async throws {
        do {
            let status = try await judged()
            if status != 0 { throw ExitCode(status) }
        } catch let error as ToolError {
            throw CommandFailure(text: "\(error)", status: 66)
        }
    }

    private func judged() async throws -> Int32 {
        let file = try scenario.flatMap { try ScenarioFile.isPath($0) ? ScenarioCommand.read($0) : nil }
        let server: RunServer =
            if let url { try await RunServer(at: url, token: adminToken) } else { try await RunServer(database: database) }
        do {
            let made = try await server.client.post(AdminPath.sandboxes, form(file)).json
            let environment = try await RunEnvironment(server, made)
            Terminal.complain("sparring: sandbox \(environment.sandbox) at \(server.client.baseURL), seed \(made["seed"]?.integer ?? 0)")
            defer { environment.remove() }
            // What is wrong with how it is to be judged is told before the client's tests have run, and not after.
            _ = try await Verdicts(server.client, environment.sandbox, judging.form)
            try reports.check(and: json)
            let before = try await server.client.unplaced().last?["number"]?.integer ?? 0
            let ended = try await RunningClient.run(command, environment: environment.variables)
            _ = try await server.client.post(AdminPath.marks(environment.sandbox), ["mark": .string(Behaviours.processEnded)])
            var verdicts = try await Verdicts(server.client, environment.sandbox, judging.form, settle: settle)
            // What the client did last, such as to hang up, may be on its way to the journal still.
            let deadline = ContinuousClock.now + .seconds(1)
            while verdicts.status == 2, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(50))
                verdicts = try await Verdicts(server.client, environment.sandbox, judging.form)
            }
            let strays = try await server.client.unplaced().filter { ($0["number"]?.integer ?? 0) > before }
            if url != nil, !keep { try await server.client.delete(AdminPath.sandbox(environment.sandbox)) }
            try await server.stop()
            return try report(verdicts, ended, strays: strays)
        } catch {
            try? await server.stop()
            throw error
        }
    }

    private func form(_ file: ScenarioFile?) -> JSON {
        .members([
            "scenario": file?.scenario.json ?? scenario.map { .string($0) }, "seed": seed.map { .integer($0) },
            "faults": faults.isEmpty ? nil : .array(faults.map { .string($0) }),
        ])
    }

    /// - Parameter strays: calls that fitted nothing.
    private func report(_ verdicts: Verdicts, _ ended: Int32, strays: [JSON]) throws -> Int32 {
        try reports.write(verdicts)
        if let json { try ReportOptions.write(verdicts.json.text + "\n", to: json) }
        try Terminal.print(verdicts.text(.text))
        for stray in strays.prefix(10) {
            let (target, reason) = (stray["target"]?.string ?? "", stray["reason"]?.string ?? "")
            let call = reason.contains(target) ? reason : "\(stray["method"]?.string ?? "") \(target): \(reason)"
            let nearest = stray["nearest"]?.array?.first?.string.map { "; nearest: \($0)" } ?? ""
            Terminal.complain("sparring: a call fitted nothing: " + Terminal.printable(call + nearest))
        }
        if strays.count > 10 { Terminal.complain("sparring: \(strays.count - 10) more calls fitted nothing") }
        if ended != 0 { Terminal.complain("sparring: the command ended with \(ended)") }
        if verdicts.status == 1 || ended == 0 { return verdicts.status }
        return ended
    }
}

extension AdminClient {
    /// Calls that fitted no operation or no sandbox, oldest first.
    fileprivate func unplaced() async throws -> [JSON] { try await get(AdminPath.unplaced).json["entries"]?.array ?? [] }
}
