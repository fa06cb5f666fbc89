import Foundation
import SparringJSON
import Testing

@testable import SparringContract

/// The schema of a tenant's configuration: what is given is checked and completed by it.
struct TenantSchemaTests {
    private static let shared = """
        $defs:
          lifetime: { type: [string, integer], format: time-span }
          timeout: { type: [string, integer], format: time-span, exclusiveMinimum: 0, maximum: 300 }
        """
    private static let text = """
        type: object
        properties:
          account: { type: string }
          lifetime: { $ref: 'shared.schema.yaml#/$defs/lifetime', default: 10m }
          timeout: { $ref: 'shared.schema.yaml#/$defs/timeout', default: 10s }
          form: { enum: [opaque, signed], default: opaque }
          clients:
            type: array
            x-unique: id
            items:
              type: object
              required: [id]
              properties:
                id: { type: string, minLength: 1 }
                scopes: { type: array, items: { type: string }, default: [all] }
                note: { type: [string, 'null'] }
              additionalProperties: false
          backend:
            type: object
            default: {}
            properties:
              user: { type: string, default: user }
              more: { type: object }
            additionalProperties: false
        additionalProperties: false
        """

    private func schema(_ text: String = text) throws -> Schema {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sparring-tenant-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Sample.text.utf8).write(to: folder.appending(path: "sample.openapi.yaml"))
        try Data(Self.shared.utf8).write(to: folder.appending(path: "shared.schema.yaml"))
        try Data(text.utf8).write(to: folder.appending(path: "sample.tenant.schema.yaml"))
        return try #require(try ContractFolder(path: folder.path).contracts[0].tenant)
    }

    @Test func `defaults are filled in at any depth, and what was given stays`() throws {
        let all: JSON = ["lifetime": "10m", "timeout": "10s", "form": "opaque", "backend": ["user": "user"]]
        #expect(try schema().completed([:]) == all)
        let given: JSON = ["form": "signed", "clients": [["id": "a"], ["id": "b", "scopes": []]], "backend": ["more": ["x": .null]]]
        #expect(
            try schema().completed(given) == [
                "form": "signed", "clients": [["id": "a", "scopes": ["all"]], ["id": "b", "scopes": []]],
                "backend": ["more": ["x": .null], "user": "user"], "lifetime": "10m", "timeout": "10s",
            ])
    }

    @Test func `null leaves a member out, unless its schema has null`() throws {
        let given: JSON = ["form": .null, "backend": .null, "clients": [["id": "a", "scopes": .null, "note": .null]]]
        let completed = try schema().completed(given)
        #expect(completed["form"] == "opaque" && completed["backend"] == ["user": "user"])
        #expect(completed["clients"] == [["id": "a", "note": .null, "scopes": ["all"]]])
    }

    @Test(
        arguments: [
            (["account": 7], "account: 7 is not a string"),
            (["lifetim": "1s"], "lifetim: unknown member 'lifetim' (did you mean 'lifetime'?)"),
            (["lifetime": "1s", "lifetim": "1s"], "lifetim: unknown member 'lifetim' (did you mean 'lifetime'?)"),
            (["lifetime": "10"], "lifetime: \"10\" is not a duration such as 60s, 10m or PT1H, or whole seconds, of ten years at most"),
            (["lifetime": true], "lifetime: true is not a duration such as 60s, 10m or PT1H, or whole seconds, of ten years at most"),
            (["lifetime": -1], "lifetime: -1 is not a duration such as 60s, 10m or PT1H, or whole seconds, of ten years at most"),
            (["timeout": "0s"], "timeout: '0s' is not more than nothing"), (["timeout": 0], "timeout: 0 is not more than nothing"),
            (["timeout": "301s"], "timeout: '301s' is more than 5 min"), (["timeout": 301], "timeout: 301 is more than 5 min"),
            (["form": "open"], "form: 'open' is not one of 'opaque', 'signed'"),
            (["form": "signd"], "form: 'signd' is not one of 'opaque', 'signed' (did you mean 'signed'?)"),
            (["clients": [:]], "clients: {} is not a list"), (["clients": [7]], "clients[0]: 7 is not an object"),
            (["clients": [["scopes": []]]], "clients[0].id: required member 'id' is missing"),
            (["clients": [["id": ""]]], "clients[0].id: '' is shorter than 1 character"),
            (["clients": [["id": "a"], ["id": "b"], ["id": "a"]]], "clients[2].id: 'a' is that of item 0 already"),
            (["clients": [["id": "a", "scopes": [7]]]], "clients[0].scopes[0]: 7 is not a string"),
            (["backend": ["usr": "x"]], "backend.usr: unknown member 'usr' (did you mean 'user'?)"), (7, "7 is not an object"),
        ] as [(JSON, String)])
    func `what is not as the schema says is refused with its place, what was given and the nearest word`(_ given: JSON, _ words: String)
        throws
    {
        let schema = try schema()
        let error = #expect(throws: ConfigurationError.self) { try schema.completed(given) }
        #expect(error?.description == words)
    }

    @Test(
        arguments: [
            ("default: 10m }", "default: 10 parsecs }", "the default of 'lifetime' is not as its schema says"),
            ("default: opaque }", "default: opake }", "the default of 'form' is not as its schema says"),
            (
                "shared.schema.yaml#/$defs/lifetime", "share.schema.yaml#/$defs/lifetime",
                "leads out of this file (did you mean 'shared.schema.yaml'?)"
            ),
            ("#/$defs/lifetime", "#/$defs/lifetim", "leads nowhere (did you mean 'lifetime'?)"),
            ("x-unique: id", "x-unik: id", "unknown"),
        ])
    func `a schema that is not sound is refused when it is read`(_ old: String, _ new: String, _ words: String) {
        let error = #expect(throws: ContractError.self) { try schema(Self.text.replacing(old, with: new, maxReplacements: 1)) }
        #expect(error.map { "\($0)".contains(words) } == true, "\(error.map { "\($0)" } ?? "")")
    }
}
