import ArgumentParser
import Foundation
import SparringAdmin
import SparringJSON

/// Credentials of a probe that the vendor does not hand out, such as a token of the brand's identity provider. They are never written anywhere.
struct ProbeCredentials: ParsableArguments {
    private static let prefix = "SPARRING_PROBE_"

    @Option(
        name: .customLong("credential"),
        help: ArgumentHelp(
            """
            A command that prints a credential of one kind, such as token='./sign-in alice'. The kind is the word in names such as \
            {token-1}. Default: the variable \(prefix)TOKEN, \(prefix)CODE and so on. May be given several times.
            """, valueName: "kind=command"))
    var commands: [String] = []

    func validate() throws {
        for text in commands where text.prefix(while: { $0 != "=" }).isEmpty || !text.contains("=") {
            throw ValidationError("--credential '\(text)' is not KIND=COMMAND, such as token='./sign-in alice'")
        }
    }

    /// - Parameters:
    ///   - scripts: those that are played.
    ///   - folder: of the transcripts that are shipped.
    /// - Throws: ``CommandFailure`` for a kind that none of them names.
    func check(_ scripts: [ProbeScript], transcripts folder: String) throws {
        if commands.isEmpty { return }
        var known = scripts.reduce(into: Set<String>()) { $0.formUnion($1.kinds) }
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        for file in files where file.hasSuffix(".txt") {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)") else { continue }
            known.formUnion(try ProbeScript(name: file, Transcript(String(decoding: data, as: UTF8.self))).kinds)
        }
        guard !known.isEmpty, let unknown = byKind.keys.sorted().first(where: { !known.contains($0) }) else { return }
        let hint = Nearest.hint(for: unknown, in: known.sorted())
        throw CommandFailure(text: "--credential: no transcript has a credential of the kind '\(unknown)'\(hint)", status: 64)
    }

    private var byKind: [String: String] {
        Dictionary(
            commands.map { text in
                let kind = String(text.prefix { $0 != "=" })
                return (kind, String(text.dropFirst(kind.count + 1)))
            }, uniquingKeysWith: { _, last in last })
    }

    /// The kinds that can be supplied.
    var kinds: Set<String> {
        let variables = ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix(Self.prefix) && !$0.value.isEmpty }.keys
        return Set(byKind.keys).union(variables.map { $0.dropFirst(Self.prefix.count).lowercased() })
    }

    func credential(_ kind: String) async throws -> String {
        guard let command = byKind[kind] else { return Variables[Self.prefix + kind.uppercased()] ?? "" }
        let output = try await ShellCommand(text: command).output(given: "")
        let credential = output.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !credential.isEmpty else { throw CommandFailure(text: "'\(command)' printed no credential", status: 2) }
        return credential
    }
}
