import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import SparringJSON
import Support

/// `sparring serve` as a process of its own, on free ports.
final class ServerProcess: Sendable {
    let process: Process
    let ready: JSON
    /// What it printed until it was ready.
    let greeting: String
    private let output: Pipe
    private let errors: Pipe

    var url: String { "http://127.0.0.1:\(ready["port"]?.integer ?? 0)" }
    var tlsPort: Int64 { ready["tlsPort"]?.integer ?? 0 }

    /// Starts the server and returns when it is ready.
    ///
    /// - Throws: ``Failed`` with what it printed where it ended instead.
    static func start(
        _ arguments: [String] = [], binary: String = Repository.binary, in folder: TemporaryFolder, from directory: String? = nil
    ) async throws -> ServerProcess {
        try await aside { try ServerProcess(arguments, binary, folder, directory) }
    }

    private init(_ arguments: [String], _ binary: String, _ folder: TemporaryFolder, _ directory: String?) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: binary)
        let readyFile = folder.file("ready.json")
        process.arguments =
            ["serve", "--port", "0", "--tls-port", "0", "--ready-file", readyFile, "--ca-folder", folder.file("ca")] + arguments
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        output = Pipe()
        errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // The greeting ends with two empty lines; the end of the stream means that the server did not start.
        var text = ""
        while !text.hasSuffix("\n\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        greeting = text
        guard text.hasSuffix("\n\n") else {
            let reason = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            throw Failed(status: process.terminationStatus, text: String(decoding: reason, as: UTF8.self))
        }
        // The ready file follows the greeting: it is awaited by reading it until it is there.
        let deadline = ContinuousClock.now + .seconds(20)
        var found: JSON?
        while found == nil, ContinuousClock.now < deadline {
            found = FileManager.default.contents(atPath: readyFile).flatMap { try? JSON(parsing: $0) }
            if found == nil { sched_yield() }
        }
        guard let found else { throw Failed(status: 0, text: "no ready file") }
        ready = found
    }

    struct Failed: Error, CustomStringConvertible {
        var status: Int32
        var text: String
        var description: String { "exit \(status): \(text)" }
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end.
    func end() async -> Int32 {
        await aside { [process] in
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    /// The next line on standard error.
    func errorLine() async -> String {
        await aside { [errors] in String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self) }
    }

    func stop() async -> Int32 {
        signal(SIGTERM)
        return await end()
    }

    func get(_ target: String) async throws -> TestAnswer { try await send("GET", target) }

    func post(_ target: String, _ json: JSON, headers: [(String, String)] = []) async throws -> TestAnswer {
        try await send("POST", target, body: json.bytes, headers: headers + [("Content-Type", "application/json")])
    }

    /// Does not try a refused connection again: some tests kill the server.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    func send(_ method: String, _ target: String, body: [UInt8] = [], headers: [(String, String)] = []) async throws -> TestAnswer {
        var request = HTTPClientRequest(url: url + target)
        request.method = .RAW(value: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if !body.isEmpty { request.body = .bytes(body) }
        let response = try await Self.client.execute(request, timeout: .seconds(30))
        return TestAnswer(
            status: Int(response.status.code), headers: [:], body: Array(buffer: try await response.body.collect(upTo: 1 << 26)))
    }
}

/// Runs a command to its end.
func run(_ command: String, _ arguments: [String], environment: [String: String] = [:], in directory: String? = nil) async throws -> (
    status: Int32, output: String, errors: String
) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    async let reading = aside { errors.fileHandleForReading.readDataToEndOfFile() }
    let text = await aside { output.fileHandleForReading.readDataToEndOfFile() }
    let errorText = await reading
    await aside { process.waitUntilExit() }
    return (process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: errorText, as: UTF8.self))
}

/// Runs `sparring` with a client command against a server.
func sparring(_ arguments: [String], at server: ServerProcess) async throws -> (status: Int32, output: String, errors: String) {
    try await run(Repository.binary, arguments, environment: ["SPARRING_URL": server.url])
}
