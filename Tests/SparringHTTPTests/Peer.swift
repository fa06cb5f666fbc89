import Foundation
import Support

/// A program of somebody else's that judges us.
enum Peer {
    struct Failed: Error, CustomStringConvertible {
        var description: String
    }

    static func has(_ program: String) -> Bool { (try? run("sh", "-c", "command -v \(program)")) != nil }

    static func succeeds(_ arguments: String...) -> Bool { (try? run(arguments)) != nil }

    static let hasPython = (try? run("python3", "-c", "import ssl")) != nil

    /// What it prints.
    ///
    /// - Throws: ``Failed`` with what it printed where its exit status is not 0.
    @discardableResult
    static func run(_ arguments: String...) throws -> String { try run(arguments) }

    /// The same, without holding one of the threads that tasks run on.
    static func runAside(_ arguments: [String]) async throws -> String {
        try await aside { Result { try run(arguments) } }.get()
    }

    private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(description: text) }
        return text
    }
}
