import ArgumentParser
import SparringContract

/// Changes of the contracts that a command works with.
struct OverlayOptions: ParsableArguments {
    @Option(
        name: .customLong("overlay"),
        help: ArgumentHelp(
            "Change a contract with an OpenAPI Overlay, which names it under 'extends'; may be given several times.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    /// - Throws: `ContractError` with the line of what is wrong in one.
    func read() throws -> [Overlay] { try files.map { try Overlay(file: $0) } }

    /// Says which of their actions change nothing.
    ///
    /// - Parameter contracts: the folder of the contracts.
    /// - Throws: `ContractError` with the line of what is wrong.
    func warn(contracts: String) throws {
        if !files.isEmpty { Self.complain(of: try ContractFolder(path: contracts, overlays: try read())) }
    }

    static func complain(of folder: ContractFolder) {
        for warning in folder.warnings { Terminal.complain("sparring: warning: \(Terminal.printable(warning.description))") }
    }
}
