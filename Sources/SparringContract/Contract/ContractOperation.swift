public import HTTPTypes
internal import SparringJSON

/// An operation of a vendor with all that the contract says about it: a call (OpenAPI 3.1 §4.8.10), or a message that the vendor receives on
/// a socket (AsyncAPI 3.0, an operation of action `receive`).
public final class ContractOperation: Sendable {
    public let vendor: String
    public let id: String
    /// Its only tag, which groups behaviours and faults.
    public let tag: String
    public let summary: String?
    /// The HTTP method; for a message that of the call which opens its channel, and so are path and template.
    public let method: HTTPRequest.Method
    /// The path as in the contract, without the fragment that distinguishes path keys.
    public let pathTemplate: String
    public let fidelity: Fidelity
    /// The basis of the fidelity (`x-source`).
    public let source: String
    /// The place of the declaration; the line is that of its id.
    public let place: ContractPlace
    /// The file in which it is written.
    public var file: String { place.file }
    public var line: Int { place.line }
    /// The path item's and the operation's own, in that order.
    /// A message has none.
    public let parameters: [ContractParameter]
    /// The body; for a message its payload, one for each of its spellings, as `application/json` or `text/plain`.
    public let requestBody: ContractRequestBody?
    /// In the contract's order. Of a message: the messages that may reply to it, none where nothing does; of a call never empty.
    public let answers: [DeclaredAnswer]
    /// The sources of the tenant's name, for a message in the call that opened its socket; the first that yields a value wins. Empty: the
    /// operation belongs to no tenant.
    public let tenant: [ValueSource]
    /// If no source names a tenant, the host does, as for an operation without sources.
    public let hostNamesTenant: Bool
    /// The sources of the caller's name; the first that yields a value wins.
    public let lane: [ValueSource]
    /// Constants that a call's query must have (`x-query`).
    public let query: [String: String]
    /// Whether a call may have query parameters that the operation does not declare (`x-open-query`).
    public let isQueryOpen: Bool
    /// The query parameter that names the function around the JSON answer (`x-jsonp`).
    public let jsonpCallback: String?
    /// The ways in which the vendor can be made to misbehave in it (`x-effects`).
    public let effects: [DeclaredEffect]
    /// The commands of the CLI that are a call of it (`x-commands`).
    public let commands: [DeclaredCommand]
    /// The assistants' tool that is a call of it (`x-tool`); nil also where the contract was read without being checked (``CheckedFiles``).
    public let tool: DeclaredTool?
    /// The name of the ``ContractChannel`` on which it is received; nil for a call.
    public let channel: String?

    /// It answers by its examples, whatever the vendor's code has for it (`x-stub`); nil: the code answers.
    public let stub: Stub?

    public var isMessage: Bool { channel != nil }
    /// It is part of the admin API, the engine's or a vendor's, or of the live page, and no client's call.
    public let isAdmin: Bool
    /// The prefix of the paths of the admin API's operations.
    public static let adminPrefix = "/__admin"
    /// The prefix of the live page's paths.
    public static let pagePrefix = "/__sparring"

    /// Whether a path belongs to Sparring itself, and to no vendor.
    public static func isOwn(path: some StringProtocol) -> Bool {
        [adminPrefix, pagePrefix].contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    let template: PathTemplate
    /// The templates of its further paths (`x-aliases`).
    let aliases: [PathTemplate]
    /// ``query`` in the contract's order, and the parameters that a call must have, whatever their value (nil).
    let queryDemands: [QueryDemand]

    let wireNames: WireNames

    /// `vendor.id`.
    public let qualifiedName: String

    /// Its further paths (`x-aliases`), written like ``pathTemplate``.
    public var aliasPaths: [String] { aliases.map(\.text) }

    /// The answer of that name, nil where none is declared.
    public func answer(_ name: String) -> DeclaredAnswer? { answers.first { $0.name == name } }

    init(
        vendor: String, id: String, tag: String, summary: String?, method: HTTPRequest.Method, template: PathTemplate, fidelity: Fidelity,
        source: String, place: ContractPlace, parameters: [ContractParameter], requestBody: ContractRequestBody?,
        answers: [DeclaredAnswer], tenant: [ValueSource], hostNamesTenant: Bool = false, lane: [ValueSource],
        queryDemands: [QueryDemand], isQueryOpen: Bool = false, jsonpCallback: String?, effects: [DeclaredEffect] = [],
        commands: [DeclaredCommand] = [], tool: DeclaredTool? = nil, channel: String? = nil, stub: Stub? = nil,
        aliases: [PathTemplate] = []
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
        self.place = place
        self.parameters = parameters
        self.requestBody = requestBody
        self.answers = answers
        self.tenant = tenant
        self.hostNamesTenant = hostNamesTenant || tenant.isEmpty
        self.lane = lane
        self.query = Dictionary(
            queryDemands.compactMap { constant in constant.value.map { (constant.name, $0) } }, uniquingKeysWith: { first, _ in first })
        self.isQueryOpen = isQueryOpen
        self.jsonpCallback = jsonpCallback
        self.effects = effects
        self.commands = commands
        self.tool = tool
        self.channel = channel
        self.stub = stub
        isAdmin = Self.isOwn(path: template.text)
        self.template = template
        self.aliases = aliases
        self.queryDemands = queryDemands
        wireNames = WireNames(parameters: parameters, bodies: requestBody?.mediaTypes.compactMap(\.schema) ?? [])
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
    /// - Parameter values: by the parameters' names; one that an overlay has added has its example.
    public func path(_ values: [String: String]) -> String {
        var path = template.filled { name in
            let parameter = parameters.first { $0.location == .path && $0.name == name }
            if case .path(let canonical)? = parameter?.standsFor, let value = values[canonical] { return value }
            return values[name] ?? parameter?.example.map { $0.string ?? $0.text } ?? ""
        }
        // What may have any value is a parameter of its own.
        let constants = queryDemands.compactMap { demand in demand.value.map { (demand.name, $0) } }
        for (index, (name, value)) in constants.enumerated() {
            path += (index == 0 ? "?" : "&") + PercentCoding.encoded(name) + "=" + PercentCoding.encoded(value)
        }
        return path
    }
}
