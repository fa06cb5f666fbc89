public import HTTPTypes

/// An operation of a vendor (OpenAPI 3.1 §4.8.10), with all that the contract says about it.
public final class ContractOperation: Sendable {
    public let vendor: String
    public let id: String
    /// Its only tag, which groups behaviours and faults.
    public let tag: String
    public let summary: String?
    public let method: HTTPRequest.Method
    /// As in the contract, without the fragment that tells path keys apart.
    public let pathTemplate: String
    public let fidelity: Fidelity
    /// What the fidelity rests on.
    public let source: String
    /// Where the operationId stands.
    public let line: Int
    /// The path item's and the operation's own, in that order.
    public let parameters: [ContractParameter]
    public let requestBody: ContractRequestBody?
    /// In the contract's order, never empty.
    public let answers: [DeclaredAnswer]
    /// Who names the tenant; the first that yields a value wins. Empty: the operation belongs to no tenant.
    public let tenant: [ValueSource]
    /// Who calls; the first that yields a value wins.
    public let lane: [ValueSource]
    /// Constants that a call's query must have (`x-query`).
    public let query: [String: String]
    /// The query parameter that names the function around the JSON answer (`x-jsonp`).
    public let jsonpCallback: String?

    let template: PathTemplate
    /// ``query`` in the contract's order.
    let queryConstants: [(name: String, value: String)]

    /// `vendor.id`.
    public let qualifiedName: String

    /// The answer of that name, nil where none is declared.
    public func answer(_ name: String) -> DeclaredAnswer? { answers.first { $0.name == name } }

    init(
        vendor: String, id: String, tag: String, summary: String?, method: HTTPRequest.Method, template: PathTemplate, fidelity: Fidelity,
        source: String, line: Int, parameters: [ContractParameter], requestBody: ContractRequestBody?, answers: [DeclaredAnswer],
        tenant: [ValueSource], lane: [ValueSource], queryConstants: [(name: String, value: String)], jsonpCallback: String?
    ) {
        self.vendor = vendor
        self.id = id
        qualifiedName = "\(vendor).\(id)"
        self.tag = tag
        self.summary = summary
        self.method = method
        self.pathTemplate = template.text
        self.fidelity = fidelity
        self.source = source
        self.line = line
        self.parameters = parameters
        self.requestBody = requestBody
        self.answers = answers
        self.tenant = tenant
        self.lane = lane
        self.query = Dictionary(queryConstants.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        self.jsonpCallback = jsonpCallback
        self.template = template
        self.queryConstants = queryConstants
    }
}

extension ContractOperation: Hashable {
    /// An operation is one object for the life of its contract.
    public static func == (a: ContractOperation, b: ContractOperation) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ContractOperation {
    /// The operation's path on this server: parameters filled in and percent-encoded, the `x-query` constants as its query.
    ///
    /// - Precondition: each parameter of the template has a value.
    public func path(_ parameters: [String: String]) -> String {
        var path = template.filled { name in
            guard let value = parameters[name] else { preconditionFailure("\(qualifiedName): no value for path parameter '\(name)'") }
            return value
        }
        for (index, (name, value)) in queryConstants.enumerated() {
            path += (index == 0 ? "?" : "&") + PercentCoding.encoded(name) + "=" + PercentCoding.encoded(value)
        }
        return path
    }
}
