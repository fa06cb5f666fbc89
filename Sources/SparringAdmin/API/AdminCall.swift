import GRDB
import HTTPTypes
import SparringContract
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringJournal

/// One call of the admin API.
struct AdminCall: Sendable {
    var operation: ContractOperation
    var request: RequestParts
    var body: JSON
    var addresses: Addresses
    /// The server's URL as the caller wrote it, such as `http://127.0.0.1:8080`; empty for what a timeline wants done.
    var url = ""
    /// The write that is made together with the call's own change.
    var alongside: (@Sendable (Database) throws -> Void)?
    /// Registers a closure that is called once when the caller leaves before its answer.
    var onHangUp: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    /// ``HostedCall/resend``; nil for what a timeline wants done.
    var resend: (@Sendable (Request, JournalEntry.Origin) async -> Delivery)?

    /// The step of a timeline that wants it done.
    var origin: JournalEntry.Origin?

    /// The note of this call in the entry of the change that it makes.
    var asked: JournalEntry.Asked {
        var arguments = body.object ?? [:]
        for name in request.pathParameters.names where name != "sandbox" { arguments[name] = .string(path(name)) }
        return JournalEntry.Asked(operation.qualifiedName, .object(arguments), origin: origin)
    }

    func path(_ name: String) -> String { request.pathParameters[name] ?? "" }
    func query(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
    /// How long a wait may take.
    var timeout: Duration { min(query("timeout").flatMap { Duration(text: $0) } ?? .seconds(5), .seconds(300)) }

    /// Numbers of entries and notifications, and how many are wanted: the contract allows no more.
    static let numbers = 0...9_007_199_254_740_991

    /// The path's number; 0, which nothing has, where that is none.
    func number(path name: String) -> Int { path(name).integer(in: Self.numbers) ?? 0 }
    /// The last event that a reader of server-sent events had before it lost the connection (WHATWG HTML §9.2.4).
    var lastEventID: Int? { request.headers[.lastEventID]?.integer(in: Self.numbers) }
    /// Nil where there is no such parameter.
    func number(query name: String) -> Int? { query(name)?.integer(in: Self.numbers) }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
