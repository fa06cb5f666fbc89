import ArgumentParser
import Foundation
import SparringEngine
import SparringJSON

/// `sparring doctor`
struct DoctorCommand: SandboxVerb {
    static let abstract = "Check that clients can reach Sparring and trust it, and say what to do if not."
    static let discussion = """
        Checks the server, its TLS port, whether this machine and its programs trust its CA, and the calls so far. Exits with 1 if \
        something is wrong; anything that may be intended is only a remark.
          sparring doctor
        """

    func run(_ sandbox: RemoteSandbox) async throws {
        var findings: [Finding] = []
        let server = sandbox.server
        let health = try await server.call(.readHealth).json
        let version = try await server.call(.readVersion).json["version"]?.string ?? ""
        findings.append(
            version == sparringVersion
                ? .good("server", "\(server.baseURL) is up, version \(version)")
                : .remark("server", "\(server.baseURL) has version \(version), this command \(sparringVersion)"))
        let shown = try await sandbox.call(.readSandbox).json
        findings.append(.good("sandbox", "'\(sandbox.name)'" + (shown["scenario"]?.string.map { ", scenario \($0)" } ?? "")))
        if let obstacle = Proxies.obstacle(for: server.address?.host ?? "localhost") { findings.append(.remark("proxy", obstacle)) }
        if let name = Self.unresolved(sandbox.name) { findings.append(.remark("names", name)) }
        findings += try await trust(server, health) + traffic(sandbox)
        let isJSON = sandbox.connection.json
        try Terminal.print(isJSON ? JSON.array(findings.map(\.json)).text : findings.map(\.line).joined(separator: "\n"))
        if findings.contains(where: { $0.mark == .bad }) { throw ExitCode(1) }
    }

    /// Names below `localhost` are answered by curl and by browsers themselves (RFC 6761 §6.3); all other programs ask the system, and plain
    /// Debian does not know them.
    private static func unresolved(_ sandbox: String) -> String? {
        let name = "\(sandbox).sparring.localhost"
        var found: UnsafeMutablePointer<addrinfo>?
        defer { if let found { freeaddrinfo(found) } }
        guard getaddrinfo(name, nil, nil, &found) != 0 else { return nil }
        return "\(name) does not resolve on this machine, which only matters to clients that name their sandbox by the host: "
            + "install libnss-myhostname, or add '127.0.0.1 \(name)' to /etc/hosts"
    }

    // MARK: TLS

    private func trust(_ server: AdminClient, _ health: JSON) async throws -> [Finding] {
        guard let port = health["tlsPort"]?.integer(in: 1...65_535) else {
            return [.remark("TLS", "is off; stock SDKs call https only: start the server without --no-tls")]
        }
        let host = server.address?.host ?? "localhost"
        let url = "https://\(host):\(port)"
        let pem = try await server.call(.readCertificateAuthority).text.trimmingCharacters(in: .whitespacesAndNewlines)
        var findings = [try await trust(of: url, pem)]
        for name in TrustFiles.variables {
            guard let file = Variables[name] else { continue }
            guard let text = Self.text(of: file) else {
                findings.append(.bad(name, "\(file) cannot be read"))
                continue
            }
            findings.append(
                text.contains(pem)
                    ? .good(name, "\(file) has Sparring's CA")
                    : .remark(
                        name,
                        "\(file) does not have Sparring's CA: clients that read it trust the TLS port only if `sparring run` starts them"
                    ))
        }
        return findings
    }

    /// Calls the port only if that can go well: a handshake that fails would be listed as a client's.
    private func trust(of url: String, _ pem: String) async throws -> Finding {
        guard Self.rootFiles.contains(where: { Self.text(of: $0)?.contains(pem) == true }) else {
            return .remark("TLS", "this machine does not trust \(url); `sparring trust` shows how to make it or just your client do so")
        }
        do {
            _ = try await AdminClient(baseURL: url, token: nil).call(.readHealth)
            return .good("TLS", "\(url) is trusted on this machine")
        } catch let failure as CommandFailure {
            return .bad("TLS", failure.text)
        }
    }

    /// The files in which Linux distributions keep the roots that programs trust: Debian's, and Fedora's.
    private static let rootFiles = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]

    private static func text(of file: String) -> String? {
        FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: What has come

    private func traffic(_ sandbox: RemoteSandbox) async throws -> [Finding] {
        let calls =
            try await sandbox.call(.readJournal, ["kind": "exchange", "tail": 10_000]).json["entries"]?.array ?? []
        let strays = try await sandbox.server.call(.listUnplaced).json["entries"]?.array ?? []
        var findings: [Finding] = []
        if let last = calls.last {
            let what = last["operation"]?.string ?? ""
            findings.append(.good("calls", "\(calls.count), the last \(what) at \(last["arrival"]?["wall"]?.string ?? "")"))
        } else {
            findings.append(.remark("calls", "none has reached this sandbox yet"))
        }
        if let last = strays.last {
            let reason = last["reason"]?.string ?? ""
            findings.append(.remark("unplaced", "\(strays.count) matched nothing, the last: \(reason)"))
        }
        return findings
    }

    // MARK: Showing

    private struct Finding {
        enum Mark: String {
            case good = "✓"
            case remark = "!"
            case bad = "✗"
        }

        var mark: Mark
        var about: String
        var words: String

        static func good(_ about: String, _ words: String) -> Finding { Finding(mark: .good, about: about, words: words) }
        static func remark(_ about: String, _ words: String) -> Finding { Finding(mark: .remark, about: about, words: words) }
        static func bad(_ about: String, _ words: String) -> Finding { Finding(mark: .bad, about: about, words: words) }

        var line: String {
            let style: Terminal.Style = mark == .good ? .green : mark == .bad ? .red : .yellow
            return Terminal.styled(mark.rawValue, style) + " " + Terminal.printable(about + ": " + words)
        }

        var json: JSON { ["check": .string(about), "result": .string("\(mark)"), "words": .string(words)] }
    }
}
