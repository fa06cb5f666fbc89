import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringEngine
import SparringSandbox

/// `sparring stamp`, which the installation calls.
struct StampCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stamp",
        abstract: "Check the contracts, rules and scenarios of an installation, and note that this build has done so.",
        discussion: "`make install` and `make dist` call it, so that no start of this build checks those files again.", shouldDisplay: false
    )

    @Argument(help: "The folder that has 'contracts' and 'fixtures'.", completion: .directory) var folder: String

    func run() async throws {
        guard let build = BuildIdentity.current else {
            throw ToolError("this program has no build id: link it with --build-id")
        }
        let (contracts, scenarios) = ("\(folder)/contracts", "\(folder)/fixtures/scenarios")
        var options = Server.Options()
        options.contracts = contracts
        options.scenarios = scenarios
        // A server checks all of them before it starts.
        try await Server(options, keys: "\(folder)/fixtures/keys").engine.stop()
        try CheckedFiles.write(
            contracts: try Self.files(contracts), scenarios: try Self.files(scenarios), to: folder, build: build)
        try EmptyDatabase.keep(in: folder, build: build)
    }

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }
    }
}
