import ArgumentParser
import Foundation
import SparringJSON

/// `sparring env`
struct EnvCommand: SandboxVerb {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case shell, dotenv, xcconfig, json
    }

    static let abstract = "Print a sandbox's configuration as environment variables, the ones that `sparring run` sets."
    static let discussion = """
          eval "$(sparring env)"
          sparring env --format dotenv > .env.sparring
          sparring env --format xcconfig > Sparring.xcconfig
        """

    @Option(help: "The format of the output.") var format = Format.shell

    func run(_ sandbox: RemoteSandbox) async throws {
        let shown = try await sandbox.call(.readSandbox).json
        var variables = ConfigurationVariables.all(shown)
        variables["SPARRING_URL"] = sandbox.server.baseURL
        variables["SPARRING_TLS_URL"] = shown["tlsBaseURL"]?.string
        if shown["tlsBaseURL"] != nil { variables["SPARRING_CA_FILE"] = try await TrustedAuthority.write(from: sandbox.server) }
        try Terminal.print(Self.text(variables, sandbox.connection.json ? .json : format))
    }

    /// Sorted by name.
    static func text(_ variables: [String: String], _ format: Format) -> String {
        let sorted = variables.sorted { $0.key < $1.key }
        switch format {
        case .json: return JSON.object(JSON.Object(uniqueKeysWithValues: sorted.map { ($0.key, .string($0.value)) })).prettyText
        case .shell: return sorted.map { "export \($0.key)='\($0.value.replacing("'", with: "'\\''"))'" }.joined(separator: "\n")
        case .dotenv:
            return sorted.map { name, value in
                let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n").replacing(
                    "$", with: "\\$")
                return "\(name)=\"\(escaped)\""
            }.joined(separator: "\n")
        case .xcconfig:
            // `//` begins a comment there, and a value has one line.
            return sorted.map { name, value in
                value.contains("\n")
                    ? "// \(name) has several lines, which no xcconfig can have" : "\(name) = \(value.replacing("//", with: "/$()/"))"
            }.joined(separator: "\n")
        }
    }
}
