import Foundation
import HTTPTypes
import SparringClient
import SparringJSON
import Support
import Testing

/// `sparring serve` as a process of its own, on free ports.
final class ServerProcess: Sendable {
    let ready: JSON
    /// The server's output until it was ready.
    let greeting: String
    private let command: RunningCommand

    var pid: Int32 { command.pid }
    var url: String { "http://127.0.0.1:\(ready["port"]?.integer ?? 0)" }
    var tlsPort: Int64 { ready["tlsPort"]?.integer ?? 0 }

    /// Starts the server and returns when it is ready.
    ///
    /// - Throws: ``Failed`` with what it printed where it ended instead.
    static func start(
        _ arguments: [String] = [], binary: String = Repository.binary, in folder: TemporaryFolder, from directory: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> ServerProcess {
        let readyFile = folder.file("ready.json")
        var command = Command(
            binary, ["serve", "--port", "0", "--tls-port", "0", "--ready-file", readyFile, "--ca-folder", folder.file("ca")] + arguments)
        command.folder = directory
        command.environment = environment
        let running = try await RunningCommand(command)
        // The greeting ends with an empty line after what to try; the end of the stream means that the server did not start.
        var lines: [String] = []
        for await line in running.output {
            lines.append(line)
            if line.isEmpty, lines.contains("Try:") { break }
        }
        guard lines.last == "" else {
            let reason = await running.errors.reduce(into: "") { $0 += $1 + "\n" }
            throw Failed(status: try await running.end(), text: reason)
        }
        // The ready file follows the greeting: it is awaited by reading it until it is there.
        let ready = await aside {
            let deadline = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < deadline {
                if let ready = FileManager.default.contents(atPath: readyFile).flatMap({ try? JSON(parsing: $0) }) { return ready as JSON? }
                sched_yield()
            }
            return nil
        }
        guard let ready else { throw Failed(status: 0, text: "no ready file") }
        return ServerProcess(running, ready, greeting: lines.joined(separator: "\n"))
    }

    private init(_ command: RunningCommand, _ ready: JSON, greeting: String) {
        self.command = command
        self.ready = ready
        self.greeting = greeting
    }

    struct Failed: Error, CustomStringConvertible {
        var status: Int32
        var text: String
        var description: String { "exit \(status): \(text)" }
    }

    func signal(_ number: Int32) { kill(pid, number) }

    /// Waits for the end: the exit status, or 128 and the number of the signal that ended it.
    func end() async throws -> Int32 { try await command.end() }

    /// The next line on standard error; `nil` when it has ended.
    func errorLine() async -> String? {
        var lines = command.errors.makeAsyncIterator()
        return await lines.next()
    }

    func stop() async throws -> Int32 {
        signal(SIGTERM)
        return try await end()
    }

    func get(_ target: String) async throws -> TestAnswer { try await send("GET", target) }

    /// All entries of an operation in the sandbox `default`, of which none was pruned, page by page.
    func journal(_ operation: String) async throws -> [JSON] {
        var (entries, next) = ([JSON](), 0 as Int64)
        while true {
            let page = try await get("/__admin/sandboxes/default/journal?operation=\(operation)&limit=10000&since=\(next)").json
            let found = try #require(page?["entries"]?.array)
            #expect(page?["pruned"] == 0)
            if found.isEmpty { return entries }
            entries += found
            next = try #require(page?["next"]?.integer)
        }
    }

    func post(_ target: String, _ json: JSON, headers: [(String, String)] = []) async throws -> TestAnswer {
        try await send("POST", target, body: json.bytes, headers: headers + [("Content-Type", "application/json")])
    }

    func send(_ method: String, _ target: String, body: [UInt8] = [], headers: [(String, String)] = []) async throws -> TestAnswer {
        var request = HTTPClient.Request(try #require(HTTPRequest.Method(method)), url + target, body: body)
        for (name, value) in headers { request.headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        let answer = try await HTTPClient(limits: .init(body: 1 << 26)).send(request)
        return TestAnswer(status: answer.status, headers: [:], body: answer.body)
    }
}

/// Runs `sparring` with a client command.
func sparring(_ arguments: [String], environment: [String: String]) async throws -> Command.End {
    var command = Command(Repository.binary, arguments)
    command.environment = environment
    return try await command.run()
}

/// Runs `sparring` with a client command against a server.
func sparring(_ arguments: [String], at server: ServerProcess) async throws -> Command.End {
    try await sparring(arguments, environment: ["SPARRING_URL": server.url])
}
