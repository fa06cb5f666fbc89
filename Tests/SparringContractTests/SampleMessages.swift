import SparringContract

/// A contract of one socket that uses each part of the format once. Tests change it line by line.
enum SampleMessages {
    static let file = "contracts/sample.asyncapi.yaml"

    static let text = """
        asyncapi: 3.0.0
        info:
          title: Sample messages
          version: '7'
          tags:
            - name: Chat
        defaultContentType: application/json
        servers:
          local: { host: '127.0.0.1:8443', protocol: wss }
        channels:
          talk:
            address: /talk/{accountId}
            x-status: /code
            x-opened-by: openTalk
            x-tenant: $request.path.accountId
            title: Talk
            parameters:
              accountId: { description: The brand's account. }
            messages:
              say: { $ref: '#/components/messages/Say' }
              shout: { $ref: '#/components/messages/Shout' }
              said: { $ref: '#/components/messages/Said' }
              roomUnknown: { $ref: '#/components/messages/RoomUnknown' }
              heard: { $ref: '#/components/messages/Heard' }
        operations:
          say:
            action: receive
            channel: { $ref: '#/channels/talk' }
            summary: Say something
            tags: [{ name: Chat }]
            messages:
              - { $ref: '#/channels/talk/messages/say' }
            reply:
              messages:
                - { $ref: '#/channels/talk/messages/said' }
                - { $ref: '#/channels/talk/messages/roomUnknown' }
            x-fidelity: verified
            x-source: the vendor's schema
          shout:
            action: receive
            channel: { $ref: '#/channels/talk' }
            tags: [{ name: Talk }]
            messages:
              - { $ref: '#/channels/talk/messages/shout' }
            reply:
              messages:
                - { $ref: '#/channels/talk/messages/said' }
            x-fidelity: assumed
            x-source: nothing
          heard:
            action: send
            channel: { $ref: '#/channels/talk' }
            summary: Someone said something
            tags: [{ name: Chat }]
            messages:
              - { $ref: '#/channels/talk/messages/heard' }
            x-fidelity: inferred
            x-source: a recording
        components:
          messages:
            Say:
              name: chat.Say
              payload:
                type: object
                required: [type, body]
                properties:
                  kind: { const: req }
                  type: { const: chat.Say }
                  body:
                    type: object
                    required: [event]
                    properties:
                      event:
                        type: object
                        required: [type, text]
                        properties:
                          type: { const: Text }
                          text: { $ref: '#/components/schemas/Text' }
              examples:
                - name: hello
                  summary: A greeting
                  payload: { kind: req, type: chat.Say, body: { event: { type: Text, text: hello } } }
                - payload: { type: chat.Say, body: { event: { type: Text, text: bye } } }
            Shout:
              contentType: application/json
              payload:
                type: object
                required: [type]
                properties: { type: { const: chat.Shout } }
              examples:
                - payload: { type: chat.Shout }
            Said:
              name: chat.Said
              x-answer: said
              payload:
                type: object
                required: [code, type]
                properties: { code: { const: 201 }, type: { const: chat.Said } }
              examples:
                - payload: { code: 201, type: chat.Said }
            RoomUnknown:
              name: room-unknown
              payload:
                type: object
                required: [code]
                properties: { code: { type: integer } }
              examples:
                - payload: { code: 404 }
            Heard:
              name: chat.Heard
              payload:
                type: object
                required: [type]
                properties: { type: { const: chat.Heard }, text: { $ref: '#/components/schemas/Text' } }
              examples:
                - name: greeting
                  payload: { type: chat.Heard, text: hello }
          schemas:
            Text: { type: string, minLength: 1 }
        """

    static let callsFile = "contracts/sample.openapi.yaml"

    /// The calls that go with it: one opens the socket.
    static let calls = """
        openapi: 3.1.0
        info: { title: Sample, version: '7' }
        tags: [{ name: Talk }]
        paths:
          /talk/{accountId}:
            get:
              operationId: openTalk
              tags: [Talk]
              x-fidelity: assumed
              x-source: nothing
              x-tenant: $request.path.accountId
              parameters:
                - { name: accountId, in: path, required: true, schema: { type: string }, example: '4711' }
                - { name: Authorization, in: header, schema: { type: string } }
              responses:
                '101': { description: Talk., x-name: socket-opened }
            post:
              operationId: prepare
              tags: [Talk]
              x-fidelity: assumed
              x-source: nothing
              parameters:
                - { name: accountId, in: path, required: true, schema: { type: string }, example: '4711' }
              responses:
                '204': { description: Ready., x-name: ready }
        """

    static func contract(_ text: String? = text, calls: String = calls) throws -> Contract {
        try Contract(parsing: calls, file: callsFile, vendor: "sample", messages: text.map { ($0, file) })
    }

    /// The sample with one piece of text replaced, which must stand in it.
    static func replacing(_ old: String, with new: String, in text: String = text) -> String {
        precondition(text.contains(old), "the sample has no '\(old)'")
        return text.replacing(old, with: new, maxReplacements: 1)
    }

    /// The channel of a contract whose messages `a`, `b`, … have these schemas, each with an example.
    static func channel(_ messages: [(schema: String, example: String)]) throws -> ContractChannel {
        let names = messages.indices.map { String(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0)))) }
        var text = """
            asyncapi: 3.0.0
            info: { title: T, version: '1' }
            channels:
              talk:
                address: /talk/{accountId}
                x-opened-by: openTalk
                parameters: { accountId: {} }
                messages:
                  done: { name: done, x-outcome: ok, payload: true, examples: [{ payload: {} }] }

            """
        for (name, message) in zip(names, messages) {
            text += "      \(name): { payload: \(message.schema), examples: [{ payload: \(message.example) }] }\n"
        }
        text += "operations:\n"
        for name in names {
            text += """
                  \(name):
                    action: receive
                    channel: { $ref: '#/channels/talk' }
                    tags: [{ name: Talk }]
                    messages: [{ $ref: '#/channels/talk/messages/\(name)' }]
                    reply: { messages: [{ $ref: '#/channels/talk/messages/done' }] }
                    x-fidelity: assumed
                    x-source: a test

                """
        }
        return try contract(text).channels[0]
    }
}
