import Testing

@testable import SparringContract

/// The size that a document may reach once each alias is replaced by its value.
struct YAMLSizeTests {
    /// Nine `x`, and so many times nine of the line before.
    private func bomb(_ lines: Int) -> String {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for line in 0..<lines {
            text += "a\(line + 1): &a\(line + 1) [\(Array(repeating: "*a\(line)", count: 9).joined(separator: ", "))]\n"
        }
        return text
    }

    @Test func `aliases of aliases are refused at the limit, and no more of them is read`() throws {
        var size = YAMLSize()
        let error = #expect(throws: ContractError.self) { try YAMLNode(parsing: bomb(8), file: "bomb.yaml", &size) }
        #expect(error?.description.hasPrefix("bomb.yaml:1:") == true)
        #expect(error?.message == "the document comes to more than 100000 values, each alias counted as what it stands for")
        #expect(size.values == YAMLSize.mostValues + 1)
    }

    @Test func `as many as the limit are read`() throws {
        var size = YAMLSize()
        _ = try YAMLNode(parsing: bomb(4), file: "tame.yaml", &size)
        #expect(size.values == 74_733)
    }

    @Test func `a long text is counted each time that it is repeated`() throws {
        let text = "a: &a \(String(repeating: "x", count: 1 << 20))\nb: [\(Array(repeating: "*a", count: 16).joined(separator: ", "))]"
        var size = YAMLSize()
        let error = #expect(throws: ContractError.self) { try YAMLNode(parsing: text, file: "long.yaml", &size) }
        #expect(error?.message == "the document comes to more than 16 MiB of text, each alias counted as what it stands for")
        #expect(size.bytes <= YAMLSize.mostBytes + 1 << 20)
    }
}
