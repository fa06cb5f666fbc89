import Foundation
import HTTPTypes
import SparringJSON
import Testing

@testable import SparringContract

/// The effect of an overlay on a document (OpenAPI Overlay 1.1 §4.3.3).
struct OverlayTests {
    private func overlay(_ actions: String, version: String = "1.1.0") throws -> Overlay {
        let text = """
            overlay: \(version)
            info: { title: T, version: '1' }
            extends: ../contracts/sample.openapi.yaml
            x-owner: us
            actions:
            \(actions.split(separator: "\n").map { "  - \($0)" }.joined(separator: "\n"))
            """
        return try Overlay(parsing: text, file: "own.yaml")
    }

    private func applied(_ actions: String, to document: String) throws -> (JSON, [OverlayWarning]) {
        var root = try YAMLNode(parsing: document, file: "sample.openapi.yaml")
        let warnings = try overlay(actions).apply(to: &root)
        return (try root.json(), warnings)
    }

    @Test(
        arguments: [
            ("{ target: $, update: { b: 2 } }", "{ a: 1 }", "{ a: 1, b: 2 }"),
            ("{ target: $.a, update: { b: { c: 2 } } }", "{ a: { b: { c: 1, d: 1 } } }", "{ a: { b: { c: 2, d: 1 } } }"),
            ("{ target: $.a, update: { list: [2] } }", "{ a: { list: [1] } }", "{ a: { list: [1, 2] } }"),
            ("{ target: $.list, update: [2, 3] }", "{ list: [1] }", "{ list: [1, 2, 3] }"),
            ("{ target: $.list, update: { b: 2 } }", "{ list: [1] }", "{ list: [1, { b: 2 }] }"),
            ("{ target: $.list, update: two }", "{ list: [1] }", "{ list: [1, two] }"),
            ("{ target: $.a, update: new }", "{ a: old }", "{ a: new }"),
            ("{ target: '$.list[0]', update: 2 }", "{ list: [1] }", "{ list: [2] }"),
            (
                "{ target: $.*.get, update: { x: 1 } }", "{ a: { get: {} }, b: { get: { x: 0 } } }",
                "{ a: { get: { x: 1 } }, b: { get: { x: 1 } } }"
            ),
            ("{ target: $.a, remove: true }", "{ a: 1, b: 2 }", "{ b: 2 }"),
            ("{ target: '$.list[?@ > 1]', remove: true }", "{ list: [1, 2, 3, 1] }", "{ list: [1, 1] }"),
            ("{ target: $..a, remove: true }", "{ a: { a: 1 }, b: { a: 2, c: 3 } }", "{ b: { c: 3 } }"),
            ("{ target: $.a, update: { x: 1 }, remove: true }", "{ a: { b: 1 } }", "{}"),
            ("{ target: $.b, copy: $.a }", "{ a: { x: 1 }, b: { y: 2 } }", "{ a: { x: 1 }, b: { y: 2, x: 1 } }"),
            ("{ target: $.list, copy: '$.list[0]' }", "{ list: [{ a: 1 }] }", "{ list: [{ a: 1 }, { a: 1 }] }"),
            // Renamed, by actions that see what the ones before have made.
            (
                "{ target: $, update: { new: {} } }\n{ target: $.new, copy: $.old }\n{ target: $.old, remove: true }", "{ old: { x: 1 } }",
                "{ new: { x: 1 } }"
            ),
        ])
    func `An action changes what it selects`(actions: String, document: String, expected: String) throws {
        let (json, warnings) = try applied(actions, to: document)
        #expect(json == (try YAMLNode(parsing: expected, file: "expected").json()))
        #expect(warnings.isEmpty)
    }

    @Test(
        arguments: [
            ("{ target: $.a, update: [1] }", "own.yaml:6:28: a list cannot be merged with a mapping"),
            ("{ target: $.a, update: text }", "own.yaml:6:28: a scalar cannot be merged with a mapping"),
            ("{ target: $.a, update: { b: { c: 1 } } }", "own.yaml:6:33: a mapping cannot be merged with a scalar"),
            ("{ target: $.a.b, update: { c: 1 } }", "own.yaml:6:30: a mapping cannot be merged with a scalar"),
            ("{ target: $, remove: true }", "own.yaml:6:15: the document itself cannot be removed"),
            ("{ target: $.a, copy: $.c }", "own.yaml:6:26: '$.c' matches 0 values, where one is copied: $ has no 'c'; nearest: $.a"),
            ("{ target: $.a, copy: $.* }", "own.yaml:6:26: '$.*' matches 2 values, where one is copied"),
        ])
    func `A change that does not fit is refused where it stands`(action: String, description: String) throws {
        let error = #expect(throws: ContractError.self) { try applied(action, to: "{ a: { b: 1 }, list: [] }") }
        #expect(error?.description == description)
    }

    @Test(
        arguments: [
            ("overlay: 1.1.0", "overlay: 2.0.0", "1:10: only Overlay 1.0 and 1.1 are supported"),
            ("info: { title: T, version: '1' }", "info: { title: T }", "2:7: info needs 'version'"),
            (
                "extends: ../contracts/sample.openapi.yaml\n", "",
                "1:1: an overlay needs 'extends', the name of the contract's file that it changes"
            ),
            ("actions:\n  - { target: $.a, remove: true }", "actions: []", "5:10: an overlay needs at least one action"),
            ("remove: true", "remov: true", "6:20: unknown key 'remov' in an action (did you mean 'remove'?)"),
            ("remove: true", "remove: false", "6:5: an action has 'update', 'copy' or 'remove: true'"),
            ("remove: true", "update: {}, copy: $.b", "6:5: an action has either 'update' or 'copy'"),
            ("$.a, remove", "a, remove", "6:15: 'a' is not a JSONPath: character 1: a query begins with $"),
            ("target: $.a, ", "", "6:5: an action needs 'target'"),
        ])
    func `What is no overlay is refused where it stands`(old: String, new: String, description: String) throws {
        let text = """
            overlay: 1.1.0
            info: { title: T, version: '1' }
            extends: ../contracts/sample.openapi.yaml
            x-owner: us
            actions:
              - { target: $.a, remove: true }
            """
        try #require(text.contains(old))
        let error = #expect(throws: ContractError.self) { try Overlay(parsing: text.replacing(old, with: new), file: "own.yaml") }
        #expect(error?.description == "own.yaml:" + description)
    }

    @Test func `Overlay 1.0 has no copy`() throws {
        let error = #expect(throws: ContractError.self) { try overlay("{ target: $.a, copy: $.b }", version: "1.0.1") }
        #expect(error?.description == "own.yaml:6:26: 'copy' is of Overlay 1.1")
        #expect(try overlay("{ target: $.a, remove: true }", version: "1.0.0").document == "sample.openapi.yaml")
    }

    @Test(
        arguments: [
            (
                "$.paths['/mok/pusher']",
                "'$.paths['/mok/pusher']' matches nothing: $.paths has no '/mok/pusher'; nearest: $.paths['/mock/pusher']"
            ),
            ("$.paths['/mock/pusher'].put.x", "'$.paths['/mock/pusher'].put.x' matches nothing: $.paths['/mock/pusher'].put has no 'x'"),
            ("$.path['/mock/pusher'].put", "'$.path['/mock/pusher'].put' matches nothing: $ has no 'path'; nearest: $.paths"),
            ("$.list[7]", "'$.list[7]' matches nothing: $.list is there"),
        ])
    func `An action that matches nothing is a warning, with the nearest path`(target: String, words: String) throws {
        let action = "{ target: \"\(target)\", remove: true }"
        let document = "{ paths: { /mock/pusher: { put: { operationId: a } } }, list: [] }"
        let (json, warnings) = try applied(action, to: document)
        #expect(json == (try YAMLNode(parsing: document, file: "x").json()))
        #expect(warnings.map(\.description) == ["own.yaml:6: \(words)"])
    }
}

/// The effect of overlays on the contracts of a folder.
struct OverlaidFolderTests {
    private func folder(_ overlays: [String]) throws -> ContractFolder {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sparring-overlay-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Sample.text.utf8).write(to: folder.appending(path: "sample.openapi.yaml"))
        return try ContractFolder(path: folder.path, overlays: try overlays.map { try Overlay(parsing: $0, file: "own.yaml") })
    }

    private func overlay(_ actions: [String], extends: String = "sample.openapi.yaml") -> String {
        "overlay: 1.1.0\ninfo: { title: T, version: '1' }\nextends: \(extends)\nactions:\n" + actions.map { "  - \($0)\n" }.joined()
    }

    @Test func `A contract is read as its overlay has changed it, and names the overlay where that is what was violated`() throws {
        let changed = try folder([overlay(["{ target: $.components.schemas.Login.properties, update: { pin: { type: integer } } }"])])
        let operation = try #require(changed.contracts[0].operation("logIn"))
        let violations = try #require(operation.requestBody?.mediaTypes[0].schema).violationsOfBody(["code": "a", "pin": "x"])
        #expect(violations.map(\.description) == ["body.pin: expected integer, found string"])
        #expect(violations[0].basis?.file == "own.yaml" && violations[0].basis?.line == 5)
        #expect(violations[0].basis?.path == "$.components.schemas.Login.properties.pin")
        #expect(violations[0].basis?.document.hasSuffix("/sample.openapi.yaml") == true)
    }

    @Test func `What an overlay breaks is refused at the overlay's line`() throws {
        let error = #expect(throws: ContractError.self) {
            try folder([overlay(["{ target: $.components.schemas.Login.properties, update: { pin: { type: integr } } }"])])
        }
        #expect(error?.description == "own.yaml:5:77: unknown type 'integr' (did you mean 'integer'?)")
    }

    @Test func `An overlay of a contract that is not there is refused`() throws {
        let error = #expect(throws: ContractError.self) {
            try folder([overlay(["{ target: $, update: {} }"], extends: "sampl.openapi.yaml")])
        }
        #expect(error?.description == "own.yaml:3:10: there is no contract 'sampl.openapi.yaml' (did you mean 'sample.openapi.yaml'?)")
    }

    /// A request that breaks the sample's contract in one way.
    struct Broken {
        var query = "v=1"
        var type: String? = "application/json"
        var body = #"{"code":"a"}"#
    }

    @Test(arguments: [
        Broken(body: "{}"), Broken(body: #"{"code":5}"#), Broken(body: #"{"code":""}"#), Broken(body: #"{"code":"a","level":"loa7"}"#),
        Broken(body: #"{"code":"a","scopes":["x",1]}"#), Broken(body: #"{"code":"a","pin":1}"#), Broken(query: "v=1&count=0"),
        Broken(query: "v=1&count=x"), Broken(query: "v=1&page=2"), Broken(type: "text/plain"), Broken(body: ""),
    ])
    func `The overlay that a violation proposes allows it`(broken: Broken) throws {
        func check(_ contracts: [Contract]) throws -> [Violation] {
            var headers: HTTPFields = [.authorization: "Bearer a"]
            headers[.contentType] = broken.type
            let query = broken.query.split(separator: "&").map { $0.split(separator: "=").map(String.init) }.map {
                (name: $0[0], value: $0[1])
            }
            let checked = try #require(contracts[0].operation("logIn")).check(
                RequestParts(
                    method: .post, rawPath: "/", pathParameters: ["accountId": "4711"], query: query, headers: headers,
                    body: Array(broken.body.utf8)))
            return checked.violations + checked.undeclared
        }
        let found = try check(try folder([]).contracts)
        try #require(found.count == 1 && !found[0].actions.isEmpty, "\(found)")
        let changed = try folder([overlay(found[0].actions.map(\.text))])
        #expect(changed.warnings.isEmpty)
        #expect(try check(changed.contracts) == [])
    }
}
