import ArgumentParser
import Foundation
import SparringContract
import SparringJSON

/// The file in which probes keep what they saw of the vendors.
enum FidelityFile {
    static let usual = "sparring-fidelity.json"

    /// - Throws: ``CommandFailure`` where the file is wrong.
    /// - Returns: nil where there is none.
    static func read(_ file: String) throws -> LiveFidelity? {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        do { return try LiveFidelity(try JSON(parsing: data)) } catch let error as ConfigurationError {
            throw CommandFailure(text: "\(file): \(error.pointer): \(error.message)", status: 65)
        } catch let error as JSONSyntaxError {
            throw CommandFailure.notJSON(file, error)
        }
    }

    static func write(_ live: LiveFidelity, to file: String) throws {
        try CommandFailure.writing(file) {
            try Data((live.json.prettyText + "\n").utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        }
    }
}

/// `--probed`, for commands that show it.
struct ProbedOptions: ParsableArguments {
    @Option(
        name: .customLong("probed"),
        help: ArgumentHelp(
            "File with what probes saw at the vendors. Default: \(FidelityFile.usual) in the working folder, if it exists.",
            valueName: "file"), completion: .file())
    var file: String?

    /// - Throws: ``CommandFailure`` where the file is wrong, or a given one cannot be read.
    func read() throws -> LiveFidelity {
        if let live = try FidelityFile.read(file ?? FidelityFile.usual) { return live }
        if let file { throw CommandFailure(text: "\(file) cannot be read", status: 66) }
        return LiveFidelity()
    }
}
