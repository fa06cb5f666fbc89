package import GRDB
import ParrotVendor
import SparringAdmin
package import SparringEngine
package import SparringJSON
package import SparringSandbox

/// A second vendor, which has the parrot's path: whose call it is only the tenant tells.
package struct Magpie: PlainVendor {
    package enum Operation: String, CaseIterable, Sendable {
        case stealTicket, swap
    }

    package enum AdminOperation: String, CaseIterable, Sendable {
        case squawk, describe
    }

    package let name = "magpie"
    package let tenantKey = "hoard"

    package init() {}

    package func handler(of operation: Operation) -> Handler {
        switch operation {
        case .stealTicket: .decide { _ in .answer(Answer("ticket-stolen", ["stolen": true])) }
        case .swap: .decide { _ in .answer(Answer("swapped", ["got": "a button"])) }
        }
    }

    package func adminHandler(of operation: AdminOperation) -> AdminHandler {
        switch operation {
        case .squawk: BirdAdmin.squawk(of: name) { _, _ in Self.birds }
        case .describe: .read { _, request in Answer("described", ["bird": .string(request.path("bird"))]) }
        }
    }

    package func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON] {
        Self.birds.map { BirdAdmin.consumer($0, of: name) }
    }

    private static let birds = ["maggie", "thief"]

    /// - Parameter tenant: where a call names it.
    package static func contract(tenant: String = "[$request.header.X-Nest, $request.body#/hoard]") -> String {
        """
        openapi: 3.1.0
        info: { title: Magpie, version: '1' }
        servers: [{ url: 'https://magpie.example' }]
        tags: [{ name: Door }]
        paths:
          /parrot/tickets:
            post:
              operationId: stealTicket
              tags: [Door]
              x-fidelity: assumed
              x-source: a test
              x-tenant: \(tenant)
              parameters: [{ name: X-Nest, in: header, schema: { type: string }, example: shinies }]
              requestBody:
                content: { application/json: { schema: { type: object }, examples: { one: { value: { hoard: shinies } } } } }
              responses:
                '200':
                  description: A ticket that was somebody else's.
                  content: { application/json: { examples: { ticket-stolen: { value: { stolen: true } } } } }
          /magpie/{hoard}/swaps:
            post:
              operationId: swap
              tags: [Door]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.hoard
              parameters: [{ name: hoard, in: path, required: true, schema: { type: string }, example: shinies }]
              requestBody:
                content: { application/x-www-form-urlencoded: { schema: { type: object }, examples: { one: { value: { thing: ring } } } } }
              responses:
                '200':
                  description: Something else for it.
                  content: { application/json: { examples: { swapped: { value: { got: a button } } } } }
                '400':
                  description: No swap.
                  content: { application/json: { examples: { swapped-before: { x-outcome: refused, value: { error: swapped-before, thing: ring } } } } }
                '429':
                  description: Too many swaps.
                  content: { application/json: { examples: { rate-limited: { value: { error: too-many } } } } }
        """
    }
}
