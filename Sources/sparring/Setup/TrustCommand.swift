import ArgumentParser
import SparringJSON
import Subprocess

/// `sparring trust`
struct TrustCommand: ServerCommand {
    static let abstract = "Show how to make a platform trust Sparring's certificates, or do it."
    static let discussion = """
          sparring trust                        list the platforms
          sparring trust android                show what to do
          sparring trust ios-simulator --apply  do it
          sparring trust debian --undo          undo it
        """

    @Argument(help: "The platform.") var target: TrustTarget?
    @Flag(help: "Run the commands, if they are for this machine.") var apply = false
    @Flag(help: "Undo it.") var undo = false
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws {
        if apply, undo { throw ValidationError("--apply and --undo cannot be used together.") }
        if apply || undo, target == nil { throw ValidationError("Which platform? `sparring trust` lists them.") }
    }

    func run(_ server: AdminClient) async throws {
        guard let target else {
            let table = Table.text("platform", "trusts", "--apply", of: TrustTarget.allCases) { target in
                [target.rawValue, target.title, target.applying(Self.none).isEmpty ? "" : "yes"]
            }
            return try Terminal.print(table)
        }
        let health = try await server.call(.readHealth).json
        let tlsPort = health["tlsPort"]?.integer(in: 1...65_535)
        guard let tlsPort else { throw CommandFailure(text: "\(server.baseURL) serves no TLS: start it without --no-tls", status: 1) }
        let facts = TrustTarget.Facts(
            authority: try await TrustedAuthority.write(from: server), port: server.port, tlsPort: Int(tlsPort),
            proxyPort: health["proxyPort"]?.integer(in: 1...65_535),
            profile: "http://YOUR-MACHINE.local:\(server.port)\(AdminCall.readCertificateProfile.path)")
        guard apply || undo else {
            let proxy = facts.proxyPort.map { "\n\n" + target.proxySteps($0) } ?? ""
            return try Terminal.print(target.steps(facts) + proxy)
        }
        let commands = apply ? target.applying(facts) : target.undoing(facts)
        guard !commands.isEmpty else {
            throw CommandFailure(
                text: "there is nothing to run for \(target.rawValue); `sparring trust \(target.rawValue)` shows what to do", status: 1)
        }
        for command in commands { try await Self.run(command) }
    }

    private static let none = TrustTarget.Facts(authority: "", port: 0, tlsPort: 0, proxyPort: nil, profile: "")

    private static func run(_ words: [String]) async throws {
        try Terminal.print("$ " + words.map(ShellText.quoted).joined(separator: " "))
        let end = try await RunningClient.run(words, environment: [:], output: .inherited)
        guard end.status == 0 else { throw CommandFailure(text: "\(words[0]) exited with \(end.status)", status: 1) }
    }
}
