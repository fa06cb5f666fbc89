import ArgumentParser
import Foundation
import SparringJSON

/// Standard output and standard error.
enum Terminal {
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"

        /// The colour of an answer's status.
        init(status: Int64) { self = status >= 500 ? .red : status >= 400 ? .yellow : .green }
    }

    /// Colours are for people: only on a terminal, and not where `NO_COLOR` is set (no-color.org).
    static let hasColour: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }()

    /// Standard output is read by a person as it comes.
    static let isInteractive = isatty(STDOUT_FILENO) == 1

    /// In columns; nil where standard output is no terminal.
    static var width: Int? {
        guard isInteractive else { return nil }
        if let columns = Variables["COLUMNS"]?.integer(in: 1...10_000) { return max(Int(columns), 40) }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return max(Int(size.ws_col), 40)
    }

    static func styled(_ text: String, _ style: Style) -> String {
        hasColour && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Text of strangers without what would steer the terminal.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        return text.unicodeScalars.map { $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// Writes at once, so that a reader at the other end of a pipe sees each line when it comes.
    ///
    /// - Throws: an exit status where nobody reads any more (as if SIGPIPE, where that is ignored, had ended the process), and
    ///   ``CommandFailure`` where the output cannot be written.
    static func print(_ text: String) throws { try write(WorkflowCommands.areObeyed ? WorkflowCommands.defused(text) : text) }

    /// ``print(_:)`` for lines that GitHub Actions is to obey, on lines of their own whatever a command has left on the last one.
    static func annotate(_ lines: String) throws { try write("\n" + lines) }

    private static func write(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
        } catch {
            let reason = reason(of: error)
            if reason.code == EPIPE { throw ExitCode(128 + SIGPIPE) }
            throw CommandFailure(text: "cannot write the output: \(reason.text)", status: 74)
        }
    }

    /// Writes a line to standard error.
    static func complain(_ text: String) {
        let line = WorkflowCommands.areObeyed ? WorkflowCommands.defused(text) : text
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }

    /// The system's reason for one of Foundation's errors.
    static func reason(of error: any Error) -> SystemReason { SystemReason(error) }
}
