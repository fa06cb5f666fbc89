import Foundation
import Subprocess
import SystemPackage

/// A program beside the tests. It does not hold a thread that tasks share, however long it runs.
///
/// Not Foundation's `Process`: on Linux that reads past the end of a folder's entries while more than some 1,300 descriptors are open.
public struct Command: Sendable {
    /// A path, or a name that is looked up in `PATH`.
    public var program: String
    public var arguments: [String]
    /// The variables that are set beyond the environment of the tests.
    public var environment: [String: String] = [:]
    /// The text that it reads on standard input.
    public var input = ""
    /// The folder that it runs in, if not that of the tests.
    public var folder: String?

    public init(_ program: String, _ arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    public init(_ program: String, _ arguments: String...) { self.init(program, arguments) }

    /// Python with the clients of `make peers`, or else the system's.
    public static func python(_ arguments: [String]) -> Command {
        Command(ProcessInfo.processInfo.environment["SPARRING_PYTHON"] ?? "python3", arguments)
    }

    /// Whether that Python has these modules.
    public static func pythonHas(_ modules: String...) async -> Bool {
        (try? await python(["-c", "import " + modules.joined(separator: ", ")]).run().status) == 0
    }

    /// How it ended, and what it printed.
    public struct End: Sendable {
        /// The exit status; of one that a signal ended, 128 and the signal's number.
        public var status: Int32
        public var output: String
        public var errors: String
    }

    public struct Failed: Error, CustomStringConvertible {
        public var end: End
        public var description: String { "exit \(end.status): \(end.output)\(end.errors)" }
    }

    /// Runs it to its end.
    ///
    /// - Throws: where it cannot be started, or prints more than 16 MiB.
    public func run() async throws -> End {
        let result = try await Subprocess.run(
            configuration, input: .string(input), output: .string(limit: 1 << 24), error: .string(limit: 1 << 24))
        return End(status: Self.status(result.terminationStatus), output: result.standardOutput, errors: result.standardError)
    }

    /// The text that it prints on standard output.
    ///
    /// - Throws: ``Failed`` where its exit status is not 0.
    @discardableResult
    public func output() async throws -> String {
        let end = try await run()
        guard end.status == 0 else { throw Failed(end: end) }
        return end.output
    }

    var configuration: Configuration {
        Configuration(
            executable: program.contains("/") ? .path(FilePath(program)) : .name(program), arguments: Arguments(arguments),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(rawValue: $0)!, $1) })),
            workingDirectory: folder.map { FilePath($0) })
    }

    static func status(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let number): 128 + number
        }
    }
}
