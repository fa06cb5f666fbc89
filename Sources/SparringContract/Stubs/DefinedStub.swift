internal import HTTPTypes
public import SparringJSON

/// A stub that is defined beside the contracts: a call by its method and path, and what it gets.
public struct DefinedStub: Sendable {
    /// Its operation's id.
    public let id: String
    let call: StubCall
    let status: Int
    let headers: [(name: String, value: String)]
    /// Nil: without content.
    let mediaType: String?
    let body: JSON?

    /// The name of its only answer.
    static let answer = "stub"
    /// Any body is taken; the members of JSON and of forms can be named in the answer.
    private static let content: JSON = [
        "application/json": ["examples": ["any": ["value": [:]]]],
        "application/x-www-form-urlencoded": ["examples": ["any": ["value": [:]]]], "*/*": ["examples": ["any": ["value": ""]]],
    ]

    /// - Parameter json: of the schema `stub` in `shared.schema.yaml`.
    /// - Throws: ``ConfigurationError`` at the member that is wrong.
    public init(id: String, _ json: JSON) throws(ConfigurationError) {
        guard Spelling.operationID.accepts(id) else {
            throw ConfigurationError(.root, "an operation's id is \(Spelling.operationID.text), such as readSettings")
        }
        do throws(ConfigurationError) { call = try StubCall(json["call"]?.string ?? "") } catch { throw error.inside(["call"]) }
        self.id = id
        guard let status = (json["status"] ?? 200).integer(in: 200...599) else {
            throw ConfigurationError(["status"], "\(json["status"]?.text ?? "") is not a number from 200 to 599")
        }
        self.status = status
        let given = (json["headers"]?.object ?? [:]).map { (name: $0.key, value: $0.value.string ?? $0.value.text) }
        headers = given.filter { $0.name.lowercased() != "content-type" }
        body = json["body"]
        let type = json["type"]?.string ?? given.first { $0.name.lowercased() == "content-type" }?.value
        mediaType = body.map { type ?? ($0.string == nil ? "application/json" : "text/plain") }
        if mediaType == nil, json["type"] != nil { throw ConfigurationError(["type"], "there is no body that would be of it") }
    }

    /// The operation in the form of OpenAPI.
    ///
    /// - Parameter tag: one that the document declares.
    func operation(tag: String) throws(ConfigurationError) -> JSON {
        .members([
            "operationId": .string(id), "tags": [.string(tag)], "x-fidelity": "assumed", "x-source": "a stub", "x-stub": true,
            "x-open-query": true,
            "x-query": call.query.isEmpty
                ? nil : .object(JSON.Object(call.query.map { ($0.name, .string($0.value)) }) { first, _ in first }),
            "parameters": .array(try parameters()),
            "requestBody": ["GET", "HEAD", "OPTIONS"].contains(call.method) ? nil : ["content": Self.content],
            "responses": responses,
        ])
    }

    var responses: JSON { .object([String(status): response]) }

    private var response: JSON {
        .members([
            "description": "What the stub answers.",
            "headers": headers.isEmpty
                ? nil
                : .object(
                    JSON.Object(
                        headers.map { ($0.name, ["required": true, "schema": ["type": "string"], "example": .string($0.value)]) }
                    ) { first, _ in first }), "x-outcome": outcome.map { .string($0) },
            "x-name": mediaType == nil ? .string(Self.answer) : nil,
            "content": mediaType.map { .object([$0: ["examples": [Self.answer: ["value": body ?? .null]]]]) },
        ])
    }

    /// The outcome, where the status does not say it.
    private var outcome: String? {
        AnswerOutcome(status: status) == nil ? (status < 500 ? AnswerOutcome.refused : .unavailable).rawValue : nil
    }

    /// Those of the path, and those that its answer takes values from.
    private func parameters() throws(ConfigurationError) -> [JSON] {
        var places: [RequestPlace] = []
        do throws(StubTextError) {
            for example in [body].compactMap(\.self) + headers.map({ .string($0.value) }) {
                for case .request(let place) in try example.stubValues() where !places.contains(place) { places.append(place) }
            }
        } catch { throw ConfigurationError(["body"], error.reason) }
        func parameter(_ name: String, _ location: String) -> JSON {
            [
                "name": .string(name), "in": .string(location), "required": .bool(location == "path"), "schema": ["type": "string"],
                "example": "x",
            ]
        }
        return call.template.parameters.map { parameter($0, "path") }
            + places.compactMap { place in
                switch place {
                case .query(let name): parameter(name, "query")
                case .header(let name): parameter(name, "header")
                case .path, .body: nil
                }
            }
    }
}
