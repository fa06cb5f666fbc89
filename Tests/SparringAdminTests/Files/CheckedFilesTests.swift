import BirdSupport
import Foundation
import SparringAdmin
import SparringContract
import SparringEngine
import SparringSandbox
import SparringTestKit
import Support
import Testing

/// The files that a start need not check again, and those that it must.
@Suite struct CheckedFilesTests {
    /// Contracts and a scenario, as if a build `b` had been installed with them.
    private struct Installation {
        let folder: TemporaryFolder
        let scenarios = try! TemporaryFolder()
        /// Asks for a vendor that nobody has.
        static let unplayable = "scenario: x\ntitle: T\nabout: A\nsandbox: { tenants: { parrt: {} } }\n"

        init(calls: String = Aviary.Contracts().calls, scenario: String = unplayable) throws {
            var contracts = Aviary.Contracts()
            contracts.calls = calls
            folder = try contracts.folder()
            _ = try scenarios.write(scenario, to: "x.yaml")
            try CheckedFiles.write(contracts: try Self.files(folder), scenarios: try Self.files(scenarios), to: folder.path, build: "b")
        }

        private static func files(_ folder: TemporaryFolder) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }.sorted().map {
                folder.file($0)
            }
        }

        /// Starts a server.
        ///
        /// - Returns: what it says of the scenario when it is asked for it.
        func start(build: String? = "b", vendors: Set<String>? = nil) async throws -> String {
            var options = Server.Options()
            options.contracts = folder.path
            options.scenarios = scenarios.path
            options.checked = CheckedFiles(in: folder.path, build: build)
            options.vendors = vendors
            let server = try Server(options) { contracts in Aviary.vendors.filter { contracts[$0.name] != nil } }
            defer { withExtendedLifetime(server) {} }
            let said: String
            do throws(ContractError) { said = try server.scenarios.named("x").map { "plays \($0.name)" } ?? "none" } catch {
                said = error.description
            }
            try await server.engine.stop()
            return said
        }
    }

    private let complaint = "no vendor 'parrt'"

    @Test func `what was checked is not checked at a start, but when it is asked for`() async throws {
        #expect(try await Installation().start().contains(complaint))
    }

    @Test(arguments: [nil, "another"]) func `another build checks all of it`(_ build: String?) async throws {
        let installation = try Installation()
        let error = try await #require(throws: ContractError.self) { try await installation.start(build: build) }
        #expect(error.description.contains("x.yaml:4") && error.description.contains(complaint))
    }

    @Test(arguments: ["x.yaml", "parrot.openapi.yaml", "parrot.behaviour.yaml", "another.yaml"])
    func `a file that was changed or added has all scenarios checked`(_ name: String) async throws {
        let installation = try Installation()
        if name == "another.yaml" {
            _ = try installation.scenarios.write("scenario: another\ntitle: T\nabout: A\nsandbox: { seed: x }\n", to: name)
        } else {
            let folder = name == "x.yaml" ? installation.scenarios : installation.folder
            _ = try folder.write(String(contentsOfFile: folder.file(name), encoding: .utf8) + "\n# changed\n", to: name)
        }
        await #expect(throws: ContractError.self) { try await installation.start() }
    }

    @Test(arguments: ["checked.json", "contracts.bin"]) func `a damaged list counts for nothing`(_ name: String) async throws {
        let installation = try Installation()
        var content = try Data(contentsOf: URL(fileURLWithPath: installation.folder.file(name)))
        content[content.count / 2] ^= 0x01
        try content.write(to: URL(fileURLWithPath: installation.folder.file(name)))
        if name == "contracts.bin" { #expect(CheckedFiles(in: installation.folder.path, build: "b") == nil) }
        await #expect(throws: ContractError.self) { try await installation.start() }
    }

    @Test func `a program that lacks an operation of its contract does not start, whatever was checked`() async throws {
        let more = """

              /parrot/extra:
                get:
                  operationId: molt
                  tags: [Aviary]
                  x-fidelity: assumed
                  x-source: a test
                  responses:
                    '200': { description: Done., content: { application/json: { examples: { molted: { value: {} } } } } }
            """
        let calls = Aviary.Contracts().calls.replacing("\npaths:\n", with: "\npaths:" + more + "\n")
        let installation = try Installation(calls: calls, scenario: "scenario: x\ntitle: T\nabout: A\n")
        let error = try await #require(throws: ContractError.self) { try await installation.start() }
        #expect(error.description.contains("molt"), "\(error)")
    }

    @Test func `a server of some vendors refuses what needs the others when it is asked for`() async throws {
        let installation = try Installation(scenario: "scenario: x\ntitle: T\nabout: A\nsandbox: { tenants: { magpie: { hoard: a } } }\n")
        #expect(try await installation.start() == "plays x")
        #expect(try await installation.start(vendors: ["parrot"]).contains("no vendor 'magpie'"))
        let error = try await #require(throws: ContractError.self) { try await installation.start(vendors: ["parot"]) }
        #expect(error.description.contains("there is no contract for a vendor 'parot' (did you mean 'parrot'?)"), "\(error)")
    }
}
