import Foundation
import SparringContract
import SparringJSON
import Testing

/// The table of a tenant's configuration on a vendor's page is that of its schema.
@Suite struct ConfigurationTableTests {
    private static let isRecording = ProcessInfo.processInfo.environment["SPARRING_RECORD"] != nil

    @Test(arguments: [
        ("asapp", "ASAPP"), ("cxone", "CXone"), ("identity", "IdentityProvider"), ("khoros", "Khoros"), ("liveperson", "LivePerson"),
        ("talkdesk", "Talkdesk"),
    ])
    func `the page has the table that is made of the schema`(_ vendor: String, _ name: String) throws {
        let page = RecordedPage("Sources/SparringVendors/Documentation.docc/\(name).md", marker: "configuration")
        let table = try ConfigurationTable(vendor, depth: page.argument("depth").flatMap { Int($0) } ?? .max)
        for row in table.rows { #expect(!row.meaning.isEmpty, "\(row.member) has no description") }
        if Self.isRecording { try page.record(table.text) }
        #expect(try page.rows == table.text, "the page \(name) says otherwise; SPARRING_RECORD=1 records it again")
    }

    private static let schema = """
        properties:
          account: { description: 'The name. Default: drawn from the seed.', type: string }
          backend:
            description: The backend.
            type: object
            default: {}
            properties:
              wait: { description: How long it waits., $ref: shared#/$defs/lifetime, default: '10s' }
              kind: { description: 'Its kind. Default: what fits. Only one is used.', enum: [a, b|c] }
          agents:
            description: The agents.
            default: []
            items: { $ref: '#/$defs/agent' }
          deputies: { $ref: '#/$defs/deputies', items: { properties: { room: { description: Their room., type: string } } } }
          subjects: { description: Claims., type: object, additionalProperties: { type: object }, examples: [{ ada: { age: 36 } }] }
          limits:
            description: Limits by operation.
            type: object
            default: {}
            additionalProperties:
              properties:
                most: { description: The most., type: integer, minimum: 1, default: 3 }
                account: { $ref: '#/properties/account' }
        $defs:
          agent:
            required: [id]
            properties:
              id: { description: Its id., type: string }
              skills: { description: Skills., items: { enum: [sales, care] }, default: [sales, care] }
              deputy: { description: Another one., $ref: '#/$defs/agent' }
          deputies: { description: Agents with a room., default: [], items: { $ref: '#/$defs/agent' } }
        """

    private static let shared: JSON = ["$defs": ["lifetime": ["description": "A duration.", "type": ["string", "integer"]]]]

    @Test func `a row has a member's way, its default and what it means`() throws {
        let table = try ConfigurationTable([
            "own": try YAMLDocument(parsing: Self.schema, file: "own").json, "shared": Self.shared,
        ])
        #expect(
            table.text == """
                | Member | Default | Means |
                | --- | --- | --- |
                | `account` | drawn from the seed | The name. |
                | `backend` | – | The backend. |
                | `backend.wait` | `10s` | How long it waits. |
                | `backend.kind` | what fits | Its kind. Only one is used. Either `a` or `b\\|c`. |
                | `agents` | none | The agents. |
                | `agents[].id` | required | Its id. |
                | `agents[].skills` | `sales`, `care` | Skills. Any of `sales` or `care`. |
                | `agents[].deputy` | – | Another one. |
                | `deputies` | none | Agents with a room. |
                | `deputies[].id` | required | Its id. |
                | `deputies[].skills` | `sales`, `care` | Skills. Any of `sales` or `care`. |
                | `deputies[].deputy` | – | Another one. |
                | `deputies[].room` | – | Their room. |
                | `subjects` | – | Claims. Such as `{"ada":{"age":36}}`. |
                | `limits` | none | Limits by operation. |
                | `limits.*.most` | `3` | The most. At least 1. |

                """)
    }

    @Test func `a table without its deeper members names them`() throws {
        let table = try ConfigurationTable(
            ["own": try YAMLDocument(parsing: Self.schema, file: "own").json, "shared": Self.shared], depth: 1)
        #expect(
            table.text == """
                | Member | Default | Means |
                | --- | --- | --- |
                | `account` | drawn from the seed | The name. |
                | `backend` | – | The backend. Members: `wait`, `kind`. |
                | `agents` | none | The agents. Members: `id`, `skills`, `deputy`. |
                | `deputies` | none | Agents with a room. Members: `id`, `skills`, `deputy`, `room`. |
                | `subjects` | – | Claims. Such as `{"ada":{"age":36}}`. |
                | `limits` | none | Limits by operation. Members: `most`, `account`. |

                """)
    }

    @Test func `a reference that leads nowhere is no empty row`() throws {
        #expect(throws: ContractError.self) { try ConfigurationTable(["own": ["properties": ["a": ["$ref": "#/$defs/b"]]]]) }
    }
}
