import HTTPTypes
import SparringContract

/// A contract that uses each part of the format once. Tests change it line by line.
enum Sample {
    static let file = "contracts/sample.openapi.yaml"

    static let text = """
        openapi: 3.1.0
        info:
          title: Sample
          version: '7'
        servers:
          - url: https://{region}.sample.example
        tags:
          - name: Login
          - name: Upload
        x-unknown-tenant: account-unknown
        x-malformed: malformed
        paths:
          /account/{accountId}/login#v1:
            parameters:
              - $ref: '#/components/parameters/AccountId'
            post:
              operationId: logIn
              summary: Log in
              tags: [Login]
              x-fidelity: verified
              x-source: the vendor's documentation
              x-tenant: $request.path.accountId
              x-lane:
                - { value: $request.header.Authorization, claim: sub }
                - { value: $request.body#/code, issued: true }
              x-query: { v: '1' }
              parameters:
                - name: count
                  in: query
                  schema: { type: integer, minimum: 1 }
                - name: Authorization
                  in: header
                  required: true
                  schema: { type: string }
                  example: Bearer a.b.c
              requestBody:
                required: true
                content:
                  application/json:
                    schema: { $ref: '#/components/schemas/Login' }
                    examples:
                      by-code:
                        value: { code: abc, level: loa1 }
              responses:
                '200':
                  description: Welcome.
                  headers:
                    X-Request-Id:
                      required: true
                      schema: { type: string, minLength: 3 }
                      example: r-17
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [token]
                        properties: { token: { type: string }, expires: { type: integer } }
                      examples:
                        logged-in:
                          value: { token: t, expires: 60 }
                '400': { $ref: '#/components/responses/Malformed' }
                '404':
                  description: No such account.
                  x-name: account-unknown
          /account/{accountId}/files/{name}.json:
            get:
              operationId: readFile
              tags: [Upload]
              x-fidelity: assumed
              x-source: nothing
              x-jsonp: cb
              parameters:
                - $ref: '#/components/parameters/AccountId'
                - { name: name, in: path, required: true, schema: { type: string }, example: a }
                - { name: cb, in: query, required: true, schema: { type: string }, example: f }
              responses:
                '204':
                  description: Nothing there.
                  x-name: empty
        components:
          parameters:
            AccountId:
              name: accountId
              in: path
              required: true
              schema: { type: string, pattern: '^[0-9]+$' }
              example: '4711'
          schemas:
            Login:
              type: object
              additionalProperties: false
              required: [code]
              properties:
                code: { type: string, minLength: 1 }
                level: { enum: [loa0, loa1] }
                scopes: { type: array, items: { type: string } }
                next: { $ref: '#/components/schemas/Login' }
          responses:
            Malformed:
              description: Not understood.
              content:
                application/problem+json:
                  examples:
                    malformed: { $ref: '#/components/examples/Problem' }
          examples:
            Problem:
              value: { title: Malformed }
              x-outcome: refused
        """

    static func contract(_ text: String = text) throws -> Contract {
        try Contract(parsing: text, file: file, vendor: "sample")
    }

    /// The sample with one piece of text replaced, which must stand in it.
    static func replacing(_ old: String, with new: String) -> String {
        precondition(text.contains(old), "the sample has no '\(old)'")
        return text.replacing(old, with: new, maxReplacements: 1)
    }

    /// A contract of operations `method path[?constants]`, each answering 204, named `a`, `b`, ….
    ///
    /// - Parameter aliases: what `x-aliases` has.
    static func contract(
        vendor: String, server: String? = nil, tenant: String? = nil, aliases: String? = nil, _ operations: [String]
    ) throws -> Contract {
        var text = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\ntags: [{ name: Tag }]\n"
        if let server { text += "servers: [{ url: '\(server)' }]\n" }
        if let aliases { text += "x-aliases: \(aliases)\n" }
        text += "paths:\n"
        for (index, operation) in operations.enumerated() {
            let parts = operation.split(separator: " ")
            let target = parts[1].split(separator: "?", maxSplits: 1)
            let names = target[0].matches(of: /\{(.*?)\}/).map(\.1)
            var parameters = names.map { "{ name: \($0), in: path, required: true, schema: { type: string }, example: x }" }
            if tenant != nil { parameters.append("{ name: brand, in: query, schema: { type: string }, example: b }") }
            let constants = target.dropFirst().joined().split(separator: "&").map { "\($0.replacing("=", with: ": '"))'" }
            text += """
                  \(target[0])#\(index):
                    \(parts[0].lowercased()):
                      operationId: \(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(index))))
                      tags: [Tag]
                      x-fidelity: assumed
                      x-source: a test\(tenant.map { "\n      x-tenant: \($0)" } ?? "")
                      x-query: { \(constants.joined(separator: ", ")) }
                      parameters: [\(parameters.joined(separator: ", "))]
                      responses: { '204': { description: Done., x-name: done } }

                """
        }
        return try Contract(parsing: text, file: "contracts/\(vendor).openapi.yaml", vendor: vendor)
    }
}
