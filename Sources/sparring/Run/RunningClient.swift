import Foundation
import SparringLocks
import Subprocess
import SystemPackage
import UnixSignals

/// The command of `sparring run`. It gets the signals that this process gets.
enum RunningClient {
    /// The destination of its output.
    enum Output {
        /// Straight to this process's terminal.
        case inherited
        /// To this process's output, as it comes; the last of it is kept too.
        case followed
        /// Nowhere until it has ended.
        case kept
    }

    enum Ending {
        case ownEnd
        /// It had used up its time, and was killed.
        case cutShort
        /// This process was asked to end meanwhile: nothing more is to be run.
        case interrupted
    }

    struct End {
        /// Its exit status; of one that a signal ended, 128 and the signal's number.
        var status: Int32
        /// The last of what it wrote; empty where that went straight to the terminal.
        var output: String
        var ending: Ending
    }

    /// Whether a signal asked this process to end, and whether the command had used up its time.
    private final class Interruption: Sendable {
        let hasCome = Atomic(false)
        let isLate = Atomic(false)

        var ending: Ending {
            hasCome.load(ordering: .relaxed) ? .interrupted : isLate.load(ordering: .relaxed) ? .cutShort : .ownEnd
        }
    }

    /// - Parameter limit: after which the command and its children are killed; nil: they may run for ever.
    /// - Throws: ``CommandFailure`` where it cannot be started.
    static func run(_ command: [String], environment: [String: String], output: Output, limit: Duration? = nil) async throws -> End {
        var variables: [Environment.Key: String?] = [:]
        for (name, value) in environment { if let key = Environment.Key(rawValue: name) { variables[key] = value } }
        let program = command[0]
        var platform = PlatformOptions()
        // A group of its own is signalled as a whole. At a terminal, only the terminal's group may read what is typed.
        let hasGroup = limit != nil || isatty(STDIN_FILENO) == 0
        if hasGroup { platform.processGroupID = 0 }
        let configuration = Configuration(
            executable: program.contains("/") ? .path(FilePath(program)) : .name(program), arguments: Arguments(Array(command.dropFirst())),
            environment: .inherit.updating(variables), platformOptions: platform)
        let files = output == .inherited ? nil : try ClientOutput(isForwarded: output == .followed)
        defer { files?.remove() }
        // Ctrl-C reaches all of the terminal's group by itself.
        let sharesTerminal = !hasGroup
        let forwarded: [UnixSignal] = sharesTerminal ? [.sigterm, .sighup, .sigquit] : [.sigterm, .sighup, .sigquit, .sigint]
        let interruption = Interruption()
        let watching = Mutex<Task<Void, any Error>?>(nil)
        let signals = await UnixSignalsSequence(trapping: forwarded + (sharesTerminal ? [.sigint] : []))
        do {
            let result = try await Subprocess.run(
                configuration, input: .fileDescriptor(.standardInput, closeAfterSpawningProcess: false),
                output: .fileDescriptor(files?.output.descriptor ?? .standardOutput, closeAfterSpawningProcess: false),
                error: .fileDescriptor(files?.errors.descriptor ?? .standardError, closeAfterSpawningProcess: false)
            ) { execution in
                let process = execution.processIdentifier.value
                let forwarding = Task {
                    for await signal in signals {
                        interruption.hasCome.store(true, ordering: .relaxed)
                        if forwarded.contains(signal) { kill(hasGroup ? -process : process, signal.rawValue) }
                    }
                }
                _ = forwarding
                guard let limit else { return }
                watching.withLock { watching in
                    watching = Task {
                        try await Task.sleep(for: limit)
                        interruption.isLate.store(true, ordering: .relaxed)
                        kill(-process, SIGKILL)
                    }
                }
            }
            watching.withLock { $0 }?.cancel()
            let written = await files?.end() ?? ""
            let status: Int32 =
                switch result.terminationStatus {
                case .exited(let code): code
                case .signaled(let number): 128 + number
                }
            return End(status: status, output: written, ending: interruption.ending)
        } catch let error as SubprocessError {
            let isThere = program.contains("/") && FileManager.default.fileExists(atPath: program)
            let reason =
                error.code == .executableNotFound ? isThere ? "the file is not executable" : "there is no such command" : "\(error)"
            throw CommandFailure(text: "\(program): cannot be run: \(reason)", status: 127)
        }
    }
}
