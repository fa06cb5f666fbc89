import ArgumentParser
import Foundation
import HTTPTypes
import SparringAdmin
import SparringClient
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal

/// `sparring record`
struct RecordCommand: LocalCommand {
    static let abstract = "Sit between a client and a vendor, and record what they say to each other."
    static let discussion = """
        Starts a server that forwards a vendor's calls to the vendor's own server, and runs the command like 'run'. Replaces addresses \
        that the vendor hands out with Sparring's. Checks each request and each answer against the contract as it passes. Writes the \
        traffic as an HTTP Archive, without credentials, for 'import', 'replay' and 'learn'. Exits with the command's own status.
          sparring record --to liveperson=https://api.vendor.example -- npm test
          sparring record --to khoros=https://api.vendor.example \\
            --fault 'khoros.sendMessage delay by=3s' --out slow.har -- pytest
        """

    @OptionGroup var targets: TargetOptions
    @OptionGroup var trusted: TrustOption
    @Option(help: ArgumentHelp("File to write the archive to.", valueName: "file"), completion: .file()) var out = "recording.har"
    @Option(help: "What happens to calls that no contract has: 'pass' forwards them, 'refuse' answers them as usual.") var unknown =
        Unknown.refuse
    @Flag(help: "Write credentials as they were sent, instead of placeholders.") var withCredentials = false
    @Option(
        help: ArgumentHelp(
            """
            A command that does at the vendor what agents do there: it reads each act of a scenario or of the admin API as JSON from \
            standard input, and prints the answer.
            """,
            valueName: "command"))
    var acts: String?
    @Option(name: .customLong("fault"), help: "A fault to apply on the way; may be given several times.") var faults: [String] = []
    @Flag(
        inversion: .prefixedNo,
        help: """
            Make the command trust Sparring's certificates, through NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, REQUESTS_CA_BUNDLE and \
            CURL_CA_BUNDLE.
            """)
    var trust = true
    @OptionGroup(title: "Server") var place: RunPlaceOptions
    @Argument(parsing: .postTerminator, help: "The command, after '--'.") var command: [String]

    enum Unknown: String, CaseIterable, ExpressibleByArgument {
        case pass, refuse
    }

    /// 1 is the command's own.
    static let refusal: Int32 = 64

    func validate() throws {
        if place.url != nil { throw ValidationError("--url: a recording needs its own server.") }
        if command.isEmpty { throw ValidationError("the command is missing, after '--'.") }
        try FaultFile.validate(faults)
    }

    func perform() async throws {
        try CommandFailure.requireWritable(out)
        let resources = try Resources.locate()
        let folder = try ContractFolder(path: resources.contracts, overlays: try place.overlays.read())
        let given = try targets.read(folder.contracts)
        guard case .new(var launch, let configuration) = try place.place(isStrict: false) else { return }
        var relay = RelayOptions(targets: given, tls: try trusted.tls())
        relay.passesUnknown = unknown == .pass
        if let acts {
            let hand = CommandHand(command: ShellCommand(text: acts))
            relay.act = { act in
                try await hand.perform(
                    ProbeStep.Request(HTTPRequest.Method(act.method) ?? .post, act.path, headers: [], body: act.body.text))
            }
        }
        launch.options.engine.relay = relay
        launch.options.engine.notice = { Terminal.complain("sparring: \(Terminal.printable($0))") }
        let server = try await RunServer(.new(launch, configuration))
        let status = try await record(on: server, folder.contracts)
        try await server.stop()
        if status != 0 { throw ExitCode(status) }
    }

    private func record(on server: RunServer, _ contracts: [Contract]) async throws -> Int32 {
        let known = try await server.sandboxes()
        let name = known.first ?? "default"
        if known.isEmpty {
            _ = try await server.client.call(.createSandbox, body: .members(["name": .string(name)]))
        }
        for fault in faults { _ = try await server.client.call(.armFault, in: name, body: ["fault": .string(try FaultFile.read(fault))]) }
        let made = try await server.client.call(.readSandbox, in: name).json
        let environment = try await RunEnvironment(server, made, trusts: trust, adminToken: nil)
        defer { environment.remove() }
        let ended = try await RunningClient.run(command, environment: environment.variables, output: .inherited)
        let archive = try await archive(of: name, server.client)
        try CommandFailure.writing(out) { try Data((archive.text + "\n").utf8).write(to: URL(fileURLWithPath: out), options: .atomic) }
        try summarize(archive, contracts)
        return ended.status
    }

    private func archive(of sandbox: String, _ client: AdminClient) async throws -> JSON {
        let found = try await JournalSource.fetched(sandbox, client)
        let made = try await client.call(.readSandbox, in: sandbox, ["made": "true"]).json
        var (entries, recorded) = RecordedSandbox.recording(found, made, withCredentials: withCredentials)
        recorded?.isOfVendor = true
        return ArchiveWriter(entries, of: recorded, version: sparringVersion).json
    }

    /// How much was recorded, and what in it breaks the contracts.
    private func summarize(_ archive: JSON, _ contracts: [Contract]) throws {
        var reader = try RecordingReader(contracts, hosts: [])
        reader.take(try Archive(archive))
        let messages = reader.entries.count { $0.kind == .message || $0.kind == .notification }
        try Terminal.print(
            "\(out): \(reader.count) calls, \(messages) messages; `sparring import \(out)` says where they differ from the contracts")
    }
}
