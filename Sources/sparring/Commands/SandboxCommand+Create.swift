import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import SparringSandbox

extension SandboxCommand {
    struct Create: ServerCommand {
        static let abstract = "Create a sandbox, and print the settings for a client."
        static let discussion = """
            All options are optional. Sparring uses the ids and keys that you give, and derives the others from the seed.
              sparring sandbox create --name nightly --clock frozen
              sparring sandbox create --tenant 'liveperson={"accountId":"12345678"}'
              sparring sandbox create --scenario code-redeemed-answer-lost --seed 3
              sparring sandbox create --file sandbox.json
            """

        @Option(help: "Its name: lower-case letters, digits and hyphens.") var name: String?
        @Option(
            help: ArgumentHelp("The name of the test that uses it, shown in reports. Default: SPARRING_TEST.", valueName: "text"))
        var label: String?
        @Option(
            help: """
                A number that decides all that is left to chance: ids and keys that you do not give, faults with a probability, variations. \
                Two sandboxes with the same seed and requests behave alike. Default: the scenario's, else the number of sandboxes plus 1.
                """)
        var seed: Int64?
        @Option(
            help: "The scenario to create it from: a name (see `sparring scenario list`) or a YAML file.", completion: KnownNames.scenarios)
        var scenario: String?
        @Option(help: "How its clock runs (values: real, frozen, rate).", completion: .list(["real", "frozen", "rate"])) var clock: String?
        @Option(help: "The time at which its clock starts, such as 2026-11-21T07:00:00Z.") var now: String?
        @Option(help: "Sandbox seconds for each second; implies --clock rate.") var rate: Double?
        @Option(
            help: ArgumentHelp("A vendor's tenant; may be given several times.", valueName: "vendor={…}"),
            transform: JSONArgument.namedObject)
        var tenant: [(name: String, value: JSON)] = []
        @Option(help: ArgumentHelp("A fault to arm at once; may be given several times.", valueName: "text")) var fault: [String] = []
        @Option(help: ArgumentHelp("How long it lives without being used, such as 2h; 'none': until it is deleted.", valueName: "duration"))
        var ttl: String?
        @Flag(help: "Count --ttl from the sandbox's creation, even if it is used.") var ttlFixed = false
        @Option(
            help: ArgumentHelp(
                "File of `sparring balancer --map` to append the sandbox's accounts to.", valueName: "file"), completion: .file())
        var map: String?
        @Option(
            help: ArgumentHelp("HAProxy's stats socket, to add them to the running HAProxy too.", valueName: "file"), completion: .file())
        var mapSocket: String?
        @OptionGroup(title: "Variation") var variation: VariationOptions
        @Option(
            help: "JSON file with all of this, in the admin API's format; '-' is standard input. Other options take precedence.",
            completion: .file())
        var file: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func validate() throws {
            if clock == "rate", rate == nil { throw ValidationError("--clock rate needs --rate, such as --rate 20") }
            if let clock, clock != "rate", rate != nil { throw ValidationError("--rate cannot be used with --clock \(clock)") }
            if let ttl, ttl != "none", Duration(text: ttl) == nil { throw ValidationError("--ttl: \(Duration.refusal(of: ttl)).") }
            if ttlFixed, ttl == nil, file == nil { throw ValidationError("--ttl-fixed needs --ttl, such as --ttl 2h") }
            try FaultFile.validate(fault)
            try JSONArgument.requireOnce(tenant, "--tenant")
            if mapSocket != nil, map == nil { throw ValidationError("--map-socket is used with --map.") }
            if now != nil, clock == nil, rate == nil { throw ValidationError("--now needs --clock: real, frozen or rate.") }
        }

        func run(_ server: AdminClient) async throws {
            // A sandbox that is not in the map is found by no client.
            if let map { try CommandFailure.requireWritable(map) }
            let sent = try scenario.flatMap { try ScenarioFile.isPath($0) ? ScenarioCommand.read($0) : nil }
            let given = try file.map { try RequestFile(reading: $0) }
            var form = try form(beside: given?.json ?? [:])
            if let scenario { form["scenario"] = sent?.scenario.json ?? .string(scenario) }
            do {
                let made = try await server.call(.createSandbox, body: form)
                if let map { try AccountMap(path: map, stats: mapSocket).add(try made.json) }
                try connection.show(made, as: SandboxText.whole)
            } catch let failure as CommandFailure {
                throw sent.flatMap { failure.located(in: $0) } ?? given.flatMap { failure.located(in: $0, asSent: form) } ?? failure
            }
        }

        /// - Parameter given: the members of the file; options take precedence.
        private func form(beside given: JSON) throws -> JSON {
            var form = given
            if let name { form["name"] = .string(name) }
            if let label = label ?? Variables["SPARRING_TEST"] { form["label"] = .string(label) }
            if let seed { form["seed"] = .integer(seed) }
            if clock != nil || rate != nil {
                form["clock"] = .members([
                    "mode": .string(clock ?? "rate"), "now": now.map { .string($0) }, "rate": rate.map { .number($0) },
                ])
            }
            if !tenant.isEmpty {
                var tenants = form["tenants"] ?? [:]
                for (name, value) in tenant { tenants[name] = value }
                form["tenants"] = tenants
            }
            if !fault.isEmpty { form["faults"] = .array((form["faults"]?.array ?? []) + fault.map { .string($0) }) }
            if let ttl { form["ttl"] = .string(ttl) }
            if ttlFixed { form["ttlRenews"] = false }
            if let vary = try variation.form { form["vary"] = vary }
            return form
        }
    }
}

extension CommandFailure {
    /// The same with files and lines, where all of it is about something in the scenario that was sent along.
    func located(in file: ScenarioFile) -> CommandFailure? {
        let violations = json?["violations"]?.array ?? []
        let errors = violations.compactMap { violation -> ContractError? in
            guard let pointer = JSONPointer(violation["pointer"]?.string ?? ""), pointer.tokens.first == "scenario",
                let message = violation["message"]?.string
            else { return nil }
            return file.error(at: JSONPointer(tokens: Array(pointer.tokens.dropFirst())), message)
        }
        guard !errors.isEmpty, errors.count == violations.count else { return nil }
        let lines = errors.sorted { ($0.line, $0.column) < ($1.line, $1.column) }.map { Terminal.printable($0.description) }
        return CommandFailure(text: lines.joined(separator: "\n"), status: 65, json: json)
    }
}
