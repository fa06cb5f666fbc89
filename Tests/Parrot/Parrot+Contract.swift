extension Parrot {
    package static let calls = """
        openapi: 3.1.0
        info: { title: Parrot, version: '1' }
        tags: [{ name: Door }, { name: Aviary }]
        paths:
          /parrot/flocks/{flock}/birds/{bird}:
            parameters: [{ $ref: '#/components/parameters/Flock' }, { $ref: '#/components/parameters/Bird' }]
            get:
              operationId: findBird
              tags: [Aviary]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.flock
              responses:
                '200': { description: It is there., content: { application/json: { examples: { bird-found: { value: { bird: polly } } } } } }
                '404': { description: It is not., content: { application/json: { examples: { bird-unknown: { value: { error: no-such-bird } } } } } }
                '429': { $ref: '#/components/responses/TooMany' }
                '503': { $ref: '#/components/responses/Unavailable' }
          /parrot/flocks/{flock}/birds:
            parameters: [{ $ref: '#/components/parameters/Flock' }]
            get:
              operationId: listBirds
              tags: [Aviary]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.flock
              responses:
                '200': { description: All of them., content: { application/json: { examples: { birds-listed: { value: { birds: [polly] } } } } } }
                '429': { $ref: '#/components/responses/TooMany' }
                '503': { $ref: '#/components/responses/Unavailable' }
            post:
              operationId: admitBird
              tags: [Door]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.flock
              x-lane: $request.body#/bird
              requestBody:
                required: true
                content:
                  application/json:
                    schema: { type: object, properties: { bird: { type: string } } }
                    examples: { one: { value: { bird: polly } } }
              responses:
                '201': { description: It is let in., content: { application/json: { examples: { bird-admitted: { value: { bird: polly } } } } } }
                '400': { description: Not understood., x-outcome: refused, content: { application/json: { examples: { request-malformed: { value: { error: not-understood } } } } } }
                '403': { description: Vultures stay outside., content: { application/json: { examples: { bird-unwelcome: { value: { error: unwelcome } } } } } }
                '429': { $ref: '#/components/responses/TooMany' }
          /parrot/tickets:
            post:
              operationId: issueTicket
              tags: [Door]
              x-fidelity: assumed
              x-source: a test
              x-tenant: [$request.body#/flock, $request.header.X-Flock]
              x-lane: $request.body#/bird
              x-effects: { forge: { summary: The ticket is a bad one., parameters: { seal: [broken, missing] } } }
              parameters: [{ name: X-Flock, in: header, schema: { type: string }, example: macaws }]
              requestBody:
                required: true
                content:
                  application/json:
                    schema: { type: object, required: [flock, bird], properties: { flock: { type: string }, bird: { type: string } } }
                    examples: { one: { value: { flock: macaws, bird: polly } } }
              responses:
                '200':
                  description: A ticket, or why there is none.
                  content:
                    application/json:
                      examples:
                        ticket-issued: { value: { ticket: t } }
                        bird-unwelcome: { x-outcome: refused, value: { error: { errorCode: BirdUnwelcome } } }
          /:
            get:
              operationId: openCage
              tags: [Door]
              x-fidelity: assumed
              x-source: a test
              x-lane: { value: $request.query.ticket, issued: true }
              x-effects: { moulted: { summary: The bird has lost its feathers. } }
              parameters: [{ name: ticket, in: query, schema: { type: string }, example: t }]
              responses:
                '101': { description: Open., x-name: cage-opened }
        components:
          parameters:
            Flock: { name: flock, in: path, required: true, schema: { type: string }, example: macaws }
            Bird: { name: bird, in: path, required: true, schema: { type: string }, example: polly }
          responses:
            TooMany:
              description: Too many calls.
              headers: { Retry-After: { required: true, schema: { type: integer }, example: 2 } }
              content: { application/json: { examples: { rate-limited: { value: { error: too-many } } } } }
            Unavailable: { description: Not now., content: { application/json: { examples: { unavailable: { value: { error: not-now } } } } } }
        """

    package static let messages = """
        asyncapi: 3.0.0
        info: { title: Parrot, version: '1', tags: [{ name: Talk }] }
        channels:
          cage:
            address: /
            x-opened-by: openCage
            x-misunderstood: { answer: { $ref: '#/channels/cage/messages/forbidden' } }
            messages:
              perch: { $ref: '#/components/messages/Perch' }
              sitDown: { $ref: '#/components/messages/SitDown' }
              perched: { $ref: '#/components/messages/Perched' }
              perchTaken: { $ref: '#/components/messages/PerchTaken' }
              say: { $ref: '#/components/messages/Say' }
              beat: { $ref: '#/components/messages/Beat' }
              tick: { $ref: '#/components/messages/Tick' }
              heard: { $ref: '#/components/messages/Heard' }
              pinged: { $ref: '#/components/messages/Pinged' }
              forbidden: { $ref: '#/components/messages/Forbidden' }
        operations:
          perch:
            action: receive
            channel: { $ref: '#/channels/cage' }
            tags: [{ name: Talk }]
            messages: [{ $ref: '#/channels/cage/messages/perch' }, { $ref: '#/channels/cage/messages/sitDown' }]
            reply: { messages: [{ $ref: '#/channels/cage/messages/perched' }, { $ref: '#/channels/cage/messages/perchTaken' }] }
            x-fidelity: assumed
            x-source: a test
          say:
            action: receive
            channel: { $ref: '#/channels/cage' }
            tags: [{ name: Talk }]
            messages: [{ $ref: '#/channels/cage/messages/say' }]
            x-lane: $message.payload#/payload/as
            x-fidelity: assumed
            x-source: a test
          beat:
            action: receive
            channel: { $ref: '#/channels/cage' }
            tags: [{ name: Talk }]
            messages: [{ $ref: '#/channels/cage/messages/beat' }]
            reply: { messages: [{ $ref: '#/channels/cage/messages/tick' }] }
            x-fidelity: assumed
            x-source: a test
          heard:
            action: send
            channel: { $ref: '#/channels/cage' }
            tags: [{ name: Talk }]
            messages: [{ $ref: '#/channels/cage/messages/heard' }]
            x-fidelity: assumed
            x-source: a test
          pinged:
            action: send
            channel: { $ref: '#/channels/cage' }
            tags: [{ name: Talk }]
            messages: [{ $ref: '#/channels/cage/messages/pinged' }]
            x-fidelity: assumed
            x-source: a test
        components:
          messages:
            Perch:
              payload:
                type: object
                required: [action, eventId, payload]
                properties:
                  action: { const: authorize }
                  eventId: { type: string }
                  payload: { type: object, required: [eventType, bird], properties: { eventType: { const: Perch }, bird: { type: string } } }
              examples: [{ payload: { action: authorize, eventId: e1, payload: { eventType: Perch, bird: polly } } }]
            SitDown:
              payload:
                type: object
                required: [action, eventId, payload]
                properties:
                  action: { const: authorize }
                  eventId: { type: string }
                  payload: { type: object, required: [eventType, bird, bar], properties: { eventType: { const: SitDown }, bird: { type: string }, bar: { type: integer } } }
              examples: [{ payload: { action: authorize, eventId: e1, payload: { eventType: SitDown, bird: polly, bar: 1 } } }]
            Perched:
              x-answer: perched
              x-outcome: ok
              payload: { type: object, required: [eventId, data] }
              examples: [{ payload: { eventId: e1, data: { bird: polly } } }]
            PerchTaken:
              x-answer: perch-taken
              x-outcome: refused
              payload: { type: object, required: [eventId, error] }
              examples: [{ payload: { eventId: e1, error: { errorCode: PerchTaken } } }]
            Say:
              payload:
                type: object
                required: [action, payload]
                properties:
                  action: { const: event }
                  payload:
                    type: object
                    required: [eventType, text]
                    properties: { eventType: { const: Say }, text: { type: string }, as: { type: string } }
              examples: [{ payload: { action: event, payload: { eventType: Say, text: hello } } }]
            Beat:
              contentType: text/plain
              payload: { type: string, const: beat }
              examples: [{ payload: beat }]
            Tick:
              x-answer: ticked
              x-outcome: ok
              contentType: text/plain
              payload: { type: string, const: tick }
              examples: [{ payload: tick }]
            Heard:
              payload: { type: object, required: [eventType, by, text] }
              examples: [{ payload: { eventType: Heard, by: polly, text: hello } }]
            Pinged:
              contentType: text/plain
              payload: { type: string, const: ping }
              examples: [{ payload: ping }]
            Forbidden:
              x-answer: forbidden
              x-outcome: refused
              payload: { type: object, required: [message, connectionId] }
              examples: [{ payload: { message: Forbidden, connectionId: c } }]
        """

    package static let behaviour = """
        behaviour: parrot
        about: What a bird owes the others.
        rules:
          - rule: asks-before-it-sits
            says: A perch that is taken is not asked for.
            source: a test
            never: { event: { calls: parrot.perch, answered: refused } }
          - rule: speaks
            says: Who has perched says something.
            source: a test
            eventually:
              after: { calls: parrot.perch, answered: ok }
              comes: { calls: parrot.say, answered: ok }
        """
}
