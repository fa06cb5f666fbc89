import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringTokens
import SparringVendors

/// A server without a port, for all inputs of the process. Each input has a sandbox of its own, which begins the same each time: a ``Play``.
final class Stage: Sendable {
    let server: Server
    var engine: Engine { server.engine }

    private static let one = Result { try Stage() }
    static var shared: Stage { get throws { try one.get() } }

    private static let read = Result { try Contract.load(directory: FuzzHome.folder("contracts")) }
    private static let pool = Result { try KeyPool(folder: FuzzHome.folder("fixtures/keys")) }
    static var contracts: [Contract] { get throws { try read.get() } }
    static var keys: KeyPool { get throws { try pool.get() } }
    /// The operations of all contracts, in their order.
    static let operations = ((try? read.get()) ?? []).flatMap(\.operations)
    static let channels = ((try? read.get()) ?? []).flatMap(\.channels)

    private init() throws { server = try Self.server() }

    init(_ server: Server) { self.server = server }

    /// One that calls no other server, whatever an input says.
    static func server(database: String? = nil) throws -> Server {
        var options = Server.Options()
        options.version = "fuzz"
        options.contracts = FuzzHome.folder("contracts")
        options.scenarios = database == nil ? FuzzHome.folder("fixtures/scenarios") : nil
        options.page = FuzzHome.folder("Sources/SparringAdmin/Page/files")
        options.engine.database = database
        options.engine.callsAbroad = false
        return try Server(options, contracts: contracts) { try AllVendors.make($0, keys: keys) }
    }

    static let sandbox = "default"

    /// The sandbox that each input begins with: where the contracts' examples name an id, it is known here.
    static func request(_ name: String = sandbox, prefix: String = "") -> World.SandboxRequest {
        var request = World.SandboxRequest()
        let word = prefix.replacing("-", with: "_")  // no hyphen may be in it
        request.name = name
        request.seed = 1
        request.clock = ["mode": "frozen", "now": "2026-01-01T00:00:00Z"]
        request.tenants = [
            "identity": ["tenantId": .string(prefix + "brand"), "clientId": "brand-app", "redirectURIs": ["https://liveperson.net"]],
            "liveperson": [
                "accountId": .string(prefix + "acme"), "connectors": [["id": 3_141_592, "name": "Unauthenticated messaging"]],
                "appInstallations": [
                    ["clientId": "1f3b0c52-6a7d-4e8f-9b21-7c4d5e6f8a90", "clientSecret": "0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f"]
                ],
            ],
            "talkdesk": [
                "account": .string(prefix + "acme"),
                "clients": [
                    [
                        "id": .string(prefix + "3f1c2a7be9d84c05a6b1d2e3f4a5b6c7"), "secret": "talkdesk-secret",
                        "redirectURIs": ["https://brand.example/talkdesk/callback"],
                    ]
                ], "backend": ["authentication": "client_secret_basic"],
            ],
            // By the id of the app at Khoros: what is learnt of one holds for both.
            "asapp": ["appId": .string(word + "5f0c0e1a2b3c4d5e6f708190")],
            "khoros": [
                "appId": .string(word + "5f0c0e1a2b3c4d5e6f708190"),
                "integrations": [
                    ["id": .string(word + "5f0c0e1a2b3c4d5e6f708191"), "platform": "ios"],
                    ["id": .string(word + "5f0c0e1a2b3c4d5e6f708192"), "platform": "android"],
                ], "keys": [["id": "app_1", "secret": "khoros-example-secret"]],
            ],
            "cxone": [
                // A number, and another one for each prefix.
                "brandId": .string(String(1386 + prefix.utf8.count)),
                "channels": [["channelId": "chat_51eafb4e-8829-4efe-b58c-3bc9febf18c4", "mode": "live"]],
            ],
        ]
        return request
    }

    func begin(patience: Int = Play.patience) throws -> Play {
        let engine = engine
        _ = try blocking("a sandbox's creation") { try await engine.world.create(Self.request()) }
        return try Play(self, patience: patience)
    }

    /// For plays in which nothing holds an answer back: what a crowded machine may take, in milliseconds.
    static let unhurried = 20_000

    /// Takes a request into the pipeline, cut to what the HTTP server lets through.
    func send(_ method: String, _ target: String, _ headers: [(String, String)], _ body: [UInt8]) -> Pending<Delivery> {
        let (target, body) = (String(target.prefix(12_000)), Array(body.prefix(1 << 20)))
        var fields = HTTPFields()
        for (name, value) in headers { if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) } }
        if fields[.host] == nil { fields[.host] = "127.0.0.1:0" }
        if !body.isEmpty { fields[.contentLength] = String(body.count) }
        let head = RequestHead(
            method: HTTPRequest.Method(method) ?? .get, target: target, headers: fields, connection: 1, arrival: .now)
        let engine = engine
        return Pending { await engine.answer(Request(head: head, body: body)) }
    }
}

/// The operations that got an answer other than the refusal of a malformed call.
public struct Reached: Sendable {
    public let names: Set<String>
    public let missing: [String]
    /// Different answers of all operations.
    public let answers: Int

    init(_ operations: [ContractOperation], in stage: Stage) throws {
        let delivery = try stage.send("GET", "/__admin/metrics", [], []).get("the metrics")
        guard case .answer(let response) = delivery, case .bytes(let bytes) = response.body else { throw FuzzFailure("no metrics") }
        var names: Set<String> = []
        var answers = 0
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("sparring_requests_total{") {
            let parts = line.split(separator: "\"")  // operation, answer
            guard parts.count > 3, !["request-malformed", "forbidden", "none"].contains(parts[3]) else { continue }
            names.insert(String(parts[1]))
            answers += 1
        }
        self.answers = answers
        let wanted = operations.map(\.qualifiedName)
        self.names = names.intersection(wanted)
        missing = wanted.filter { !names.contains($0) }.sorted()
    }
}
