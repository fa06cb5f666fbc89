import Subprocess

/// A ``Command`` that runs: what it prints is read all the time, and kept until somebody asks for it.
public final class RunningCommand: Sendable {
    public let pid: Int32
    /// The lines on standard output, without their ends.
    public let output: AsyncStream<String>
    /// The lines on standard error.
    public let errors: AsyncStream<String>
    private let running: Task<Int32, any Error>

    /// Returns when it runs.
    ///
    /// - Throws: where it cannot be started.
    public init(_ command: Command) async throws {
        let (pids, pid) = AsyncThrowingStream.makeStream(of: Int32.self)
        let (output, outputSink) = AsyncStream.makeStream(of: String.self)
        let (errors, errorSink) = AsyncStream.makeStream(of: String.self)
        running = Task {
            do {
                let result = try await Subprocess.run(command.configuration, input: .none, output: .sequence, error: .sequence) {
                    execution in
                    pid.yield(execution.processIdentifier.value)
                    async let reading: Void = Self.read(execution.standardError, into: errorSink)
                    try await Self.read(execution.standardOutput, into: outputSink)
                    try await reading
                }
                return Command.status(result.terminationStatus)
            } catch {
                pid.finish(throwing: error)
                throw error
            }
        }
        self.output = output
        self.errors = errors
        var first = pids.makeAsyncIterator()
        guard let started = try await first.next() else { throw CancellationError() }
        self.pid = started
    }

    /// Kills it, where a test has failed before its end.
    deinit { running.cancel() }

    private static func read(_ lines: SubprocessOutputSequence, into sink: AsyncStream<String>.Continuation) async throws {
        defer { sink.finish() }
        for try await line in lines.strings() { sink.yield(line) }
    }

    /// Its exit status when it has ended; of one that a signal ended, 128 and the signal's number.
    public func end() async throws -> Int32 { try await running.value }
}
