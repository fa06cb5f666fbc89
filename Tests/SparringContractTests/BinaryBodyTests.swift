import HTTPTypes
import SparringContract
import Testing

/// Bodies that are no text: taken whatever they are, and held against no schema.
struct BinaryBodyTests {
    private static let text = """
        openapi: 3.1.0
        info: { title: T, version: '1' }
        tags: [{ name: Tag }]
        paths:
          /a:
            put:
              operationId: keep
              tags: [Tag]
              x-fidelity: assumed
              x-source: a test
              requestBody:
                required: true
                x-read-limit: 5000000
                content: { '*/*': { example: bytes } }
              responses:
                '200':
                  description: The same.
                  content: { image/png: { examples: { kept: { value: bytes } } } }
        """

    private func contract(_ old: String = "", _ new: String = "") throws -> ContractOperation {
        let contract = try Contract(parsing: old.isEmpty ? Self.text : Self.text.replacing(old, with: new), file: "t", vendor: "t")
        return try #require(contract.operation("keep"))
    }

    @Test(arguments: [nil, "image/png", "application/json", "application/x-www-form-urlencoded", "nonsense"])
    func `Anything is taken by a range of all media types, and read as nothing`(_ type: String?) throws {
        var headers = HTTPFields()
        headers[.contentType] = type
        let operation = try contract()
        let checked = operation.check(RequestParts(method: .put, rawPath: "/a", headers: headers, body: [0x7B, 0xFF, 0x00]))
        #expect(checked.violations.isEmpty && checked.body == nil)
        let empty = operation.check(RequestParts(method: .put, rawPath: "/a", headers: headers))
        #expect(empty.violations.map(\.description) == ["body: required"])
    }

    @Test(arguments: ["image/png", "application/pdf", "application/octet-stream"])
    func `A picture or file needs no value, and its media type is compared all the same`(_ type: String) throws {
        let operation = try contract("image/png", type)
        #expect(operation.checkAnswer(name: "kept", status: 200, headers: [.contentType: type], body: nil).isEmpty)
        #expect(operation.checkAnswer(name: "kept", status: 200, headers: [.contentType: "image/gif"], body: nil).count == 1)
    }

    @Test(arguments: ["application/json", "text/plain", "image/png"])
    func `A part of a file is held against no schema`(_ type: String) throws {
        let operation = try contract("'200'", "'206'")
        #expect(operation.checkAnswer(name: "kept", status: 206, headers: [.contentType: "image/png"], body: nil).isEmpty)
        let text = Self.text.replacing("'200'", with: "'206'").replacing("image/png", with: type)
        let other = try #require(try Contract(parsing: text, file: "t", vendor: "t").operation("keep"))
        #expect(other.checkAnswer(name: "kept", status: 206, headers: [.contentType: type], body: nil).isEmpty)
    }

    @Test func `How much of a body is read stands in the contract`() throws {
        #expect(try contract().requestBody?.readLimit == 5_000_000)
        #expect(try contract("        x-read-limit: 5000000\n", "").requestBody?.readLimit == nil)
        for nonsense in ["0", "-1", "1.5", "5MB", "'5'"] {
            let error = #expect(throws: ContractError.self) { try contract("5000000", nonsense) }
            #expect(error?.description == "t:13:23: must be a number of bytes", "\(nonsense)")
        }
    }
}
