import Foundation
import HTTPTypes
import SparringContract
import SparringJSON
import Support
import Testing

/// The contracts' own examples as requests.
enum ContractExamples {
    /// Every operation of every vendor. The admin API is none.
    static let operations = contracts.flatMap(\.operations)
    static let channels = contracts.flatMap(\.channels)
    static let contracts = try! Contract.load(directory: Repository.folder("contracts")).filter { $0.vendor != "admin" }

    /// The member of a tenant's configuration that is its id.
    static let tenantKeys = [
        "identity": "tenantId", "liveperson": "accountId", "cxone": "brandId", "khoros": "appId", "talkdesk": "account", "asapp": "appId",
    ]
    /// The other ids by which the examples name tenants.
    static let otherNames = ["khoros": ["5f0c0e1a2b3c4d5e6f708191"], "talkdesk": [TalkdeskScene.client]]

    struct Request: Sendable {
        var name: String
        var method: HTTPRequest.Method
        var target: String
        var headers: HTTPFields
        var body: [UInt8]
    }

    /// Configured with what the examples say, so that as many of them as can be are accepted.
    static let tenants: JSON.Object = [
        "identity": ["clientId": "brand-app", "clientSecret": "brand-secret", "redirectURIs": ["https://liveperson.net"]],
        "cxone": [
            "brandId": "1386",
            "channels": [["channelId": "chat_51eafb4e-8829-4efe-b58c-3bc9febf18c4", "authorization": "oauth", "securedSessions": true]],
        ],
        "khoros": [
            "appId": "5f0c0e1a2b3c4d5e6f708190", "keys": [MessengerScene.key],
            "integrations": MessengerScene.tenants()["khoros"]?["integrations"] ?? [],
        ],
        "talkdesk": ["account": "acme", "clients": TalkdeskScene.clients()],
        "asapp": ["appId": "acme"],
        "liveperson": [
            "accountId": "12345678",
            "connectors": [["id": 3_141_592, "name": "Unauthenticated messaging"]],
            "appInstallations": [
                ["clientId": "1f3b0c52-6a7d-4e8f-9b21-7c4d5e6f8a90", "clientSecret": "0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f"]
            ],
        ],
    ]

    /// The requests of an operation: one for each example of its body, one without a body where it needs none, and one without what it does
    /// not need. The tenant's id is the real one in place of the example's.
    static func requests(of operation: ContractOperation, _ scene: Scene) -> [Request] {
        let tenant = scene.tenants[operation.vendor] ?? [:]
        func target(all: Bool) -> String {
            var values: [String: String] = [:]
            var query: [String] = []
            for parameter in operation.parameters {
                guard let example = parameter.example.map({ $0.string ?? $0.text }) else { continue }
                switch parameter.location {
                case .path: values[parameter.name] = tenant[parameter.name]?.string ?? example
                case .query where operation.query[parameter.name] == nil && (all || parameter.required):
                    query.append("\(parameter.name)=\(Form.encoded(example))")
                default: break
                }
            }
            let path = operation.path(values)
            return query.isEmpty ? path : path + (path.contains("?") ? "&" : "?") + query.joined(separator: "&")
        }
        var headers = HTTPFields()
        for parameter in operation.parameters where parameter.location == .header {
            if let name = HTTPField.Name(parameter.name) { headers[name] = parameter.example?.string }
        }
        var requests: [Request] = []
        func add(_ name: String, _ target: String, _ headers: HTTPFields, _ media: String? = nil, _ body: [UInt8] = []) {
            var headers = headers
            headers[.contentType] = media
            requests.append(Request(name: name, method: operation.method, target: target, headers: headers, body: body))
        }
        for media in operation.requestBody?.mediaTypes ?? [] {
            for example in media.examples { add(example.name, target(all: true), headers, media.type, body(example.value, media.type)) }
        }
        if operation.requestBody?.required != true {
            add("without a body", target(all: true), headers)
            let required = operation.parameters.filter { $0.location == .header && $0.required }.compactMap { HTTPField.Name($0.name) }
            add("with what is required only", target(all: false), HTTPFields(headers.filter { required.contains($0.name) }))
        }
        return requests
    }

    private static func body(_ example: JSON, _ type: String) -> [UInt8] {
        if type == "*/*", let text = example.string { return Array(text.utf8) }
        guard type == "application/x-www-form-urlencoded" else { return example.bytes }
        let fields = (example.object ?? [:]).map { "\(Form.encoded($0.key))=\(Form.encoded($0.value.string ?? $0.value.text))" }
        return Array(fields.joined(separator: "&").utf8)
    }

    /// The JSON of an answer, taken out of a JSONP call where it is one.
    static func json(of answer: TestAnswer, _ operation: ContractOperation) -> JSON? {
        guard answer.headers[.contentType]?.hasPrefix("application/javascript") == true else {
            if answer.body.isEmpty { return nil }
            return answer.json ?? .string(answer.text)
        }
        guard let open = answer.text.firstIndex(of: "("), answer.text.hasSuffix(");") else { return nil }
        return try? JSON(parsing: String(answer.text[answer.text.index(after: open)...].dropLast(2)))
    }
}

/// A row of a table: an operation.
struct OperationRow: Sendable, CustomTestStringConvertible {
    let operation: ContractOperation
    var testDescription: String { operation.qualifiedName }
    /// Calls over HTTP; sockets and their messages have tests of their own.
    static let all = ContractExamples.operations.filter { !$0.isMessage && !$0.opensSocket }.map(OperationRow.init)
}
