import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import SparringSandbox
import SparringVerdict
import Support
import Testing

/// A name that is changed in one of the files that have it, and not in the others.
@Suite struct RenamedMemberTests {
    /// A copy of the contracts in which a name is another one.
    private static func copy(_ file: String, _ name: String, _ other: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let shipped = Repository.folder("contracts")
        for name in try FileManager.default.contentsOfDirectory(atPath: shipped) where name.hasSuffix(".yaml") {
            try FileManager.default.copyItem(atPath: "\(shipped)/\(name)", toPath: folder.file(name))
        }
        let text = try String(contentsOfFile: folder.file(file), encoding: .utf8)
        try #require(text.contains(name))
        try FileManager.default.removeItem(atPath: folder.file(file))
        _ = try folder.write(text.replacing(name, with: other), to: file)
        return folder
    }

    /// The line of a file's first place that has the text.
    private static func line(_ text: String, in folder: TemporaryFolder, _ file: String) throws -> Int {
        let lines = try String(contentsOfFile: folder.file(file), encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        return try #require(lines.firstIndex { $0.contains(text) }) + 1
    }

    @Test(
        arguments: [
            // In the contract alone: the rule that looks for it says so.
            (
                "liveperson.openapi.yaml", "deviceToken", "device_token", "body:/deviceToken", "liveperson.registerPush",
                "body:/device_token"
            ),
            ("liveperson.openapi.yaml", "pushType", "push_type", "body:/pushType", "liveperson.registerPush", "body:/push_type"),
            // In the behaviour alone.
            (
                "liveperson.behaviour.yaml", "device: body:/deviceToken", "device: body:/deviceTokn", "body:/deviceTokn", "operations",
                "body:/deviceToken"
            ),
            (
                "liveperson.behaviour.yaml", "{ body:/pushType: FCM }", "{ body:/puhsType: FCM }", "body:/puhsType",
                "liveperson.registerPush", "body:/pushType"
            ),
            (
                "khoros.behaviour.yaml", "body:/pushNotificationToken", "body:/notificationToken", "body:/notificationToken", "operations",
                "body:/pushNotificationToken"
            ),
        ])
    func `A rule that looks for what the contract does not have is refused where it stands`(
        _ file: String, _ name: String, _ other: String, _ place: String, _ operation: String, _ nearest: String
    ) throws {
        let folder = try Self.copy(file, name, other)
        let contracts = try ContractFolder(path: folder.path).contracts.filter { $0.vendor != "admin" }
        let error = try #require(
            throws: ContractError.self,
            performing: { try Behaviours(folder: folder.path, contracts: contracts, effects: FaultVocabulary.words) })
        let behaviour = String(file.prefix { $0 != "." }) + ".behaviour.yaml"
        #expect(error.file == folder.file(behaviour))
        #expect(error.line == (try Self.line(place, in: folder, behaviour)), "\(error)")
        #expect(error.message.contains("the contracts have no \(place) in") && error.message.contains(operation), "\(error)")
        #expect(error.message.contains(nearest), "\(error)")
    }

    @Test func `A member that the vendor's code calls otherwise is a finding at the contract's line`() async throws {
        let file = "liveperson.openapi.yaml"
        let folder = try Self.copy(file, "registrationId", "registration_id")
        try await TestServer.run(.pipeline, tenants: ["identity": [:], "liveperson": [:]], configure: { $0.contracts = folder.path }) {
            server in
            let phone = try await Phone(try await Scene(server))
            try await phone.register()
            // The answer is checked after it was committed.
            var findings: [JSON] = []
            try await until {
                findings = try await server.journal("?kind=finding").flatMap { $0["findings"]?.array ?? [] }
                return !findings.isEmpty
            }
            let missing = try #require(findings.first { $0["code"] == "missing" }, "\(findings)")
            #expect(missing["contract"]?["document"]?.string == file, "\(missing)")
            let line = try Self.line("PushRegistered:", in: folder, file) + 1
            #expect(missing["contract"]?["line"]?.integer == Int64(line), "\(missing)")
        }
        withExtendedLifetime(folder) {}
    }
}
