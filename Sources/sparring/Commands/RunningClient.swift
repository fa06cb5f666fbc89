import Foundation
import Subprocess
import SystemPackage
import UnixSignals

/// The command of `sparring run`: it has this process's terminal, and gets the signals that this process gets.
enum RunningClient {
    /// - Returns: its exit status; of one that a signal ended, 128 and the signal's number.
    /// - Throws: ``CommandFailure`` where it cannot be started.
    static func run(_ command: [String], environment: [String: String]) async throws -> Int32 {
        let program = command[0]
        var variables: [Environment.Key: String?] = [:]
        for (name, value) in environment { if let key = Environment.Key(rawValue: name) { variables[key] = value } }
        let configuration = Configuration(
            executable: program.contains("/") ? .path(FilePath(program)) : .name(program), arguments: Arguments(Array(command.dropFirst())),
            environment: .inherit.updating(variables))
        // Ctrl-C reaches whoever shares the terminal by itself.
        let forwarded: [UnixSignal] = isatty(STDIN_FILENO) == 1 ? [.sigterm, .sighup, .sigquit] : [.sigterm, .sighup, .sigquit, .sigint]
        let signals = await UnixSignalsSequence(trapping: forwarded + (isatty(STDIN_FILENO) == 1 ? [.sigint] : []))
        do {
            let result = try await Subprocess.run(
                configuration, input: .fileDescriptor(.standardInput, closeAfterSpawningProcess: false),
                output: .fileDescriptor(.standardOutput, closeAfterSpawningProcess: false),
                error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
            ) { execution in
                let forwarding = Task {
                    for await signal in signals where forwarded.contains(signal) {
                        kill(execution.processIdentifier.value, signal.rawValue)
                    }
                }
                _ = forwarding
            }
            switch result.terminationStatus {
            case .exited(let code): return code
            case .signaled(let number): return 128 + number
            }
        } catch let error as SubprocessError {
            throw CommandFailure(text: "\(program): cannot be run: \(error)", status: 127)
        }
    }
}
