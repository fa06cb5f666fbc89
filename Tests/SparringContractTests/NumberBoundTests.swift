import Foundation
import SparringJSON
import Testing

@testable import SparringContract

/// Every whole number that a shipped contract lets through has bounds: what is done with it is arithmetic.
struct NumberBoundTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "contracts").path

    @Test func `every integer schema has a minimum and a maximum`() throws {
        var count = 0
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix("api.yaml") }
        #expect(files.count >= 4)
        for file in files.sorted() {
            let root = try YAMLNode(parsing: String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8), file: file)
            for schema in integers(in: root) {
                count += 1
                let keys = Set(schema.keys)
                let isBounded = keys.isSuperset(of: ["minimum", "maximum"]) || keys.contains("enum") || keys.contains("const")
                #expect(isBounded, "\(file):\(schema.line): an integer without minimum and maximum")
            }
        }
        #expect(count > 60, "that many were found by hand")
    }

    /// The schemas whose `type` is or may be integer; examples are data.
    private func integers(in node: YAMLNode) -> [(line: Int, keys: [String])] {
        switch node.content {
        case .scalar: return []
        case .sequence(let nodes): return nodes.flatMap(integers)
        case .mapping(let entries):
            let isInteger = entries.contains { entry in
                guard entry.key == "type" else { return false }
                switch entry.value.content {
                case .scalar(let word, _): return word == "integer"
                case .sequence(let words): return words.contains { if case .scalar("integer", _) = $0.content { true } else { false } }
                case .mapping: return false
                }
            }
            let inner = entries.filter { !["example", "examples", "default", "enum", "const"].contains($0.key) }.flatMap {
                integers(in: $0.value)
            }
            return isInteger ? [(node.place.line, entries.map(\.key))] + inner : inner
        }
    }

    @Test(arguments: [Int64.min, -1, 315_360_001, .max])
    func `a time to respond that nobody could mean is refused`(_ value: Int64) throws {
        let contract = try #require(try Contract.load(directory: Self.folder).first { $0.vendor == "liveperson" })
        let operation = try #require(contract.operation("updateConversation"))
        func violations(_ value: Int64) -> [String] {
            let message: JSON = [
                "kind": "req", "id": "2", "type": "cm.UpdateConversationField",
                "body": [
                    "conversationId": "c", "conversationField": ["field": "TTRField", "ttrType": "CUSTOM", "value": .integer(value)],
                ],
            ]
            return operation.check(message: message).violations.map(\.description)
        }
        #expect(!violations(value).isEmpty)
        #expect(violations(315_360_000).isEmpty && violations(0).isEmpty)
    }
}
