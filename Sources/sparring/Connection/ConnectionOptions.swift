import ArgumentParser
import Foundation
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringSandbox

/// The server that a command talks to, and the form in which it prints the answers.
struct ConnectionOptions: ParsableArguments {
    static let defaultURL = "http://127.0.0.1:8080"

    @Option(help: "The server's URL. Default: SPARRING_URL, else \(defaultURL).") var url: String?
    @Option(help: "Token of the admin API, printed at start. Default: SPARRING_ADMIN_TOKEN.") var adminToken: String?
    @Flag(help: "Print the server's JSON unchanged, including problems (on standard error).") var json = false

    func validate() throws { _ = try baseURL }

    /// - Throws: where a saved database is to be read and a server is named, too.
    func exclude(database: String?) throws {
        if database != nil, url != nil {
            throw ValidationError("--database and --url cannot be used together: a saved database needs no server.")
        }
    }

    /// A client of that server.
    var client: AdminClient {
        get throws { AdminClient(baseURL: try baseURL, token: adminToken ?? Variables["SPARRING_ADMIN_TOKEN"]) }
    }

    /// Prints an answer: as it came with `--json`, else as the text that is made of it.
    func show(_ answer: AdminAnswer, as text: (JSON) -> String) throws {
        let parsed = try answer.json
        try Terminal.print(json ? answer.text : text(parsed))
    }

    /// Says what was done where the server's answer has no body.
    func confirm(_ text: String) throws {
        if !json { try Terminal.print(text) }
    }

    private var baseURL: String {
        get throws {
            if let url { return try Self.baseURL(url, "--url") }
            return try Variables["SPARRING_URL"].map { try Self.baseURL($0, "SPARRING_URL") } ?? Self.defaultURL
        }
    }

    /// Without a slash at its end. What has no scheme is reached without TLS: `localhost:8080`.
    ///
    /// - Parameters:
    ///   - given: a URL, or a host and port.
    ///   - name: of the option or variable, for the error.
    static func baseURL(_ given: String, _ name: String) throws -> String {
        var text = given.contains("://") ? given : "http://" + given
        while text.hasSuffix("/") { text.removeLast() }
        do throws(HTTPURL.Malformed) {
            let url = try HTTPURL(text)
            if url.target.isEmpty { return text }
        } catch { throw ValidationError("\(name): '\(given)' is not a URL such as \(Self.defaultURL): it \(error).") }
        throw ValidationError("\(name): '\(given)' is not a URL such as \(Self.defaultURL), without a path.")
    }
}

/// The sandbox that a command acts on.
struct SandboxOptions: ParsableArguments {
    static let defaultName = "default"

    @Option(name: .customLong("sandbox"), help: "The sandbox. Default: SPARRING_SANDBOX, else '\(defaultName)'.") var given: String?

    func validate() throws {
        if given?.isEmpty == true { throw ValidationError("--sandbox needs a name.") }
    }

    var isGiven: Bool { given != nil || Variables["SPARRING_SANDBOX"] != nil }
    var name: String { given ?? Variables["SPARRING_SANDBOX"] ?? Self.defaultName }

    /// Reads a saved database. What `run` saved has only one sandbox, so its name is not needed.
    ///
    /// - Parameters:
    ///   - file: the database.
    ///   - body: is given the sandbox's name.
    /// - Throws: a ``CommandFailure`` where the database, or the sandbox in it, is not there.
    func read<Value>(_ file: String, _ body: (SavedDatabase, String) throws -> Value) throws -> Value {
        let saved = try SavedDatabase(path: file)
        let all = try saved.sandboxes
        return try body(saved, isGiven || all.count != 1 ? name : all[0])
    }
}

/// Environment variables; an empty one counts as unset.
enum Variables {
    static subscript(_ name: String) -> String? { ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 } }
}
