import BirdSupport
import Foundation
import HTTPTypes
import SparringAdmin
import SparringJSON
import Support
import Testing

/// The JSON Schemas for editors, as a server with other vendors than Sparring's own composes them.
@Suite struct FileSchemaTests {
    /// - Parameters:
    ///   - files: what the folder of the contracts has of `contracts`.
    ///   - change: made to that folder, of which the server has read other contracts than what stands there now.
    private static func schema(
        _ kind: String, files: [String] = ["configuration.schema.yaml", "scenario.schema.yaml"],
        change: (TemporaryFolder) throws -> Void = { _ in }
    ) async throws -> TestAnswer {
        let folder = try Aviary.Contracts().folder()
        for file in files { try FileManager.default.copyItem(atPath: Repository.folder("contracts/\(file)"), toPath: folder.file(file)) }
        return try await Aviary.run(.pipeline, configure: { $0.contracts = folder.path }) { server in
            try change(folder)
            return try await server.send(.get, "/__admin/schemas/\(kind).schema.json")
        }
    }

    @Test func `a configuration has the tenants of the server's vendors`() async throws {
        let definitions = try #require(try await Self.schema("configuration").json?["$defs"])
        let tenants = try #require(definitions["tenants"]?["properties"]?.object)
        #expect(Set(tenants.keys) == ["parrot", "magpie"])
        #expect(tenants["parrot"] == ["$ref": "#/$defs/parrot"])
        #expect(tenants["magpie"] == true, "its code checks them")
        let lifetime = definitions["parrot"]?["properties"]?["ticketLifetime"]
        #expect(lifetime?["description"] == "How long a ticket is valid. Default: 10m." && lifetime?["$ref"] == "#/$defs/lifetime")
        #expect(definitions["lifetime"]?["type"] == ["string", "integer", "null"])
        #expect(definitions["policies"]?["properties"] == [:], "the parrot's rules leave nothing to the app")
    }

    @Test func `a step has the operations that its server's timelines can have, and takes what they take`() async throws {
        let definitions = try #require(try await Self.schema("scenario").json?["$defs"])
        let names = definitions["step"]?["properties"]?["do"]?["enum"]?.array?.compactMap(\.string) ?? []
        #expect(names.contains("armFault") && names.contains("parrot.squawk") && names.contains("magpie.squawk"))
        #expect(!names.contains("advanceClock") && !names.contains("parrot.describe") && !names.contains("liveperson.say"))
        #expect(definitions["step"]?["properties"]?["do"]?["enumDescriptions"]?.array?.count == names.count)

        let squawk = try #require(Self.arguments(of: "parrot.squawk", definitions))
        #expect(squawk["required"] == ["with"])
        let with = squawk["properties"]?["with"]
        #expect(with?["required"] == ["consumer", "text"] && with?["additionalProperties"] == false)
        #expect(with?["properties"]?["consumer"]?["type"] == "string", "null is no way to leave out a member of a call")
        #expect(with?["properties"]?["sandbox"] == nil && with?["description"] == "Have a bird squawk.")

        let clear = try #require(Self.arguments(of: "clearFaults", definitions))
        #expect(clear["required"] == nil && clear["properties"]?["with"]?["additionalProperties"] == false)
        let notify = try #require(Self.arguments(of: "notifyDevice", definitions)?["properties"]?["with"])
        #expect(notify["properties"]?["device"]?["type"] == ["string", "integer"] && notify["properties"]?["payload"]?["type"] == "object")
        #expect(Set(notify["required"]?.array?.compactMap(\.string) ?? []) == ["device", "payload"])

        let change = try #require(Self.arguments(of: "changeTenant", definitions)?["properties"]?["with"])
        #expect(change["properties"]?["vendor"]?["enum"] == ["parrot", "magpie"] && change["allOf"]?.array?.count == 1)
        let members = change["allOf"]?.array?.first?["then"]?["properties"]?.object ?? [:]
        #expect(Set(members.keys) == ["vendor", "flock", "stubs", "ticketLifetime"])
        #expect(members["flock"] == ["$ref": "configuration.schema.json#/$defs/parrot/properties/flock"])

        #expect(
            definitions["expectation"]?["properties"]?["flow"]?["anyOf"]?.array?.count == 2,
            "the rules distinguish no clients, so there is no list of them")
    }

    /// The condition on a step that performs an operation, where the contracts declare one.
    private static func arguments(of name: String, _ definitions: JSON) -> JSON? {
        definitions["step"]?["allOf"]?.array?.last { $0["if"]?["properties"]?["do"]?["const"] == .string(name) }?["then"]
    }

    @Test func `a folder without schemas has none, and one whose contracts do not fit says why`() async throws {
        let none = try await Self.schema("scenario", files: [])
        #expect(none.status == 404 && none.text.contains("has no schemas/scenario.schema.json"), "\(none.text)")
        let gone = try await Self.schema("scenario") { try FileManager.default.removeItem(atPath: $0.file("parrot.admin.openapi.yaml")) }
        #expect(gone.status == 500 && gone.text.contains("parrot.admin.openapi.yaml: cannot be read"), "\(gone.text)")
        let other = try await Self.schema("scenario") { folder in
            _ = try folder.write("paths: {}\n", to: "parrot.admin.openapi.yaml")
        }
        #expect(other.status == 500 && other.text.contains("does not declare the operation 'squawk'"), "\(other.text)")
        let nowhere = try await Self.schema("configuration") { folder in
            _ = try folder.write("properties: { a: { $ref: shared.schema.yaml#/$defs/none } }\n", to: "parrot.tenant.schema.yaml")
        }
        #expect(nowhere.status == 500 && nowhere.text.contains("has nothing at /$defs/none"), "\(nowhere.text)")
    }
}
