import Foundation
import Testing

@testable import SparringContract

/// A tree that is kept in bytes is the one that was read from YAML.
@Suite struct CompiledTreeTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("contracts").path

    private static var files: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.map { folder + "/" + $0 }
        }
    }

    @Test func `every shipped file comes back with all its places`() throws {
        let files = try Self.files
        #expect(files.count > 20)
        for file in files {
            let tree = try YAMLNode(parsing: try YAMLFile.text(of: file), file: file)
            let read = try TreeReader.tree(of: TreeWriter.bytes(of: tree)[...], file: file)
            #expect(Self.isSame(tree, read), "\(file)")
        }
    }

    @Test(arguments: [
        "a", "''", "[]", "{}", "a: &x [1, 'two', {b: ~}]\nc: *x", "- é\n- \"\"\n- |\n  line\n  \n",
        "\(String(repeating: "k", count: 300)): 1",
    ])
    func `so does every kind of value`(_ text: String) throws {
        let tree = try YAMLNode(parsing: text, file: "f")
        #expect(Self.isSame(tree, try TreeReader.tree(of: TreeWriter.bytes(of: tree)[...], file: "f")))
    }

    @Test func `bytes that are damaged are no tree, or another, and end nothing`() throws {
        let bytes = TreeWriter.bytes(of: try YAMLNode(parsing: "a: [1, 'two', {b: c}]\nd: long enough to count", file: "f"))
        for end in bytes.indices {
            #expect(throws: TreeReader.Broken.self) { try TreeReader.tree(of: bytes[..<end], file: "f") }
            for value in UInt8.min...UInt8.max {
                var damaged = bytes
                damaged[end] = value
                _ = try? TreeReader.tree(of: damaged[...], file: "f")
            }
        }
        #expect(throws: TreeReader.Broken.self) { try TreeReader.tree(of: (bytes + [0])[...], file: "f") }
    }

    private static func isSame(_ a: YAMLNode, _ b: YAMLNode) -> Bool {
        guard a.place == b.place else { return false }
        switch (a.content, b.content) {
        case (.scalar(let one, let isPlain), .scalar(let other, let isOtherPlain)): return one == other && isPlain == isOtherPlain
        case (.sequence(let one), .sequence(let other)): return one.count == other.count && zip(one, other).allSatisfy(isSame)
        case (.mapping(let one), .mapping(let other)):
            return one.count == other.count
                && zip(one, other).allSatisfy { $0.key == $1.key && $0.place == $1.place && isSame($0.value, $1.value) }
        default: return false
        }
    }
}
