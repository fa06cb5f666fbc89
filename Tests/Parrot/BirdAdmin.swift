package import GRDB
package import SparringEngine
package import SparringJSON
import SparringJournal
import SparringSandbox

/// What both birds' vendors add to the admin API: an operation of the same name.
package enum BirdAdmin {
    /// `{"consumer","text"}`; the vendor's consumers alone can squawk, and nobody squawks `hush`.
    package static func squawk(of vendor: String, heardBy names: @escaping @Sendable (Database, String) throws -> [String]) -> AdminHandler
    {
        .act(
            checking: { (body: JSON) throws(ConfigurationError) in
                if body["text"] == "" { throw ConfigurationError(JSONPointer(tokens: ["text"]), "a squawk is not silent") }
            }, in: { _, request in request.body["consumer"]?.string ?? "" }
        ) { db, request, occasion in
            let (bird, text) = (request.body["consumer"]?.string ?? "", request.body["text"]?.string ?? "")
            guard try names(db, request.sandbox.id).contains(bird) else {
                throw ConfigurationError(JSONPointer(tokens: ["consumer"]), "there is no bird '\(bird)'")
            }
            if text == "hush" { throw Refusal("silence", "\(bird) does not squawk that") }
            for socket in occasion.sandbox.openSockets where socket.tenant.vendor == vendor {
                try occasion.outbox.send("heard", ["eventType": "Heard", "by": .string(bird), "text": .string(text)], to: socket)
            }
            let feather = JSON.string(String(occasion.draw("feather").hex.prefix(6)))
            return Answer(
                "squawked", ["vendor": .string(vendor), "bird": .string(bird), "feather": feather], cause: "\(bird) squawked '\(text)'")
        }
    }

    package static func consumer(_ name: String, of vendor: String) -> JSON {
        [
            "vendor": .string(vendor), "consumer": .string(name), "id": .string(name), "anonymous": false, "signIns": 1, "signOuts": 0,
            "lastSeen": "2026-01-01T00:00:00.000Z", "sockets": 0,
        ]
    }

    /// - Parameters:
    ///   - prefix: of the paths; nil: where they must be.
    ///   - id: of the operation that both have.
    package static func contract(of vendor: String, prefix: String? = nil, id: String = "squawk") -> String {
        let prefix = prefix ?? "/__admin/sandboxes/{sandbox}/\(vendor)/"
        return """
            openapi: 3.1.0
            info: { title: What the \(vendor) adds to the admin API, version: '1' }
            tags: [{ name: Beak }]
            x-malformed: request-malformed
            paths:
              \(prefix)squawks:
                post:
                  operationId: \(id)
                  summary: Have a bird squawk
                  tags: [Beak]
                  x-fidelity: assumed
                  x-source: a test
                  parameters: [{ name: sandbox, in: path, required: true, schema: { type: string }, example: default }]
                  requestBody:
                    required: true
                    content:
                      application/json:
                        schema:
                          type: object
                          required: [consumer, text]
                          properties: { consumer: { type: string }, text: { type: string } }
                          additionalProperties: false
                        examples: { one: { value: { consumer: polly, text: ahoy } } }
                  responses:
                    '200':
                      description: It squawked.
                      content: { application/json: { examples: { squawked: { value: { vendor: \(vendor), bird: polly, feather: ab12cd } } } } }
                    '400':
                      description: Malformed.
                      x-outcome: refused
                      content: { application/problem+json: { examples: { request-malformed: { value: { status: 400 } } } } }
                    '401':
                      description: No token.
                      content: { application/problem+json: { examples: { unauthorized: { value: { status: 401 } } } } }
                    '403':
                      description: Not from there.
                      content: { application/problem+json: { examples: { forbidden: { value: { status: 403 } } } } }
                    '404':
                      description: No such sandbox or tenant.
                      content: { application/problem+json: { examples: { sandbox-unknown: { value: { status: 404 } }, tenant-unknown: { value: { status: 404 } } } } }
                    '409':
                      description: Not now.
                      x-outcome: refused
                      content: { application/problem+json: { examples: { act-refused: { value: { status: 409 } } } } }
                    '422':
                      description: Not so.
                      x-outcome: refused
                      content: { application/problem+json: { examples: { configuration-invalid: { value: { status: 422 } } } } }
                    '500':
                      description: Sparring failed.
                      content: { application/problem+json: { examples: { internal-error: { x-outcome: unavailable, value: { status: 500 } } } } }
              \(prefix)birds/{bird}:
                get:
                  operationId: describe
                  summary: Describe a bird
                  tags: [Beak]
                  x-fidelity: assumed
                  x-source: a test
                  parameters:
                    - { name: sandbox, in: path, required: true, schema: { type: string }, example: default }
                    - { name: bird, in: path, required: true, schema: { type: string }, example: polly }
                  responses:
                    '200':
                      description: The bird.
                      content: { application/json: { examples: { described: { value: { bird: polly } } } } }
                    '400':
                      description: Malformed.
                      x-outcome: refused
                      content: { application/problem+json: { examples: { request-malformed: { value: { status: 400 } } } } }
                    '401':
                      description: No token.
                      content: { application/problem+json: { examples: { unauthorized: { value: { status: 401 } } } } }
                    '403':
                      description: Not from there.
                      content: { application/problem+json: { examples: { forbidden: { value: { status: 403 } } } } }
                    '404':
                      description: No such bird.
                      content: { application/problem+json: { examples: { bird-unknown: { value: { status: 404 } }, sandbox-unknown: { value: { status: 404 } }, tenant-unknown: { value: { status: 404 } } } } }
                    '500':
                      description: Sparring failed.
                      content: { application/problem+json: { examples: { internal-error: { x-outcome: unavailable, value: { status: 500 } } } } }
            """
    }
}
