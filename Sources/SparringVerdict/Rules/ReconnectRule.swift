import SparringJSON

/// After a socket is lost another is opened: in time, with the same credential or a fresh one, and what was followed is followed again from
/// where it was left.
struct ReconnectRule: RuleForm {
    static let word = "reconnect"
    static let members = [
        "of", "signsIn", "after", "within", "wait", "credential", "at", "resubscribes", "asks", "told", "toldIn", "unless", "per",
    ]

    enum Credential: String, Sendable, CaseIterable {
        case same, fresh
    }

    /// The calls that open a socket.
    let operations: [OperationName]
    /// The message that brings the credential where the opening has none.
    let signIns: [OperationName]
    let after: Selector
    let within: Duration
    /// Not before so much has passed.
    let wait: Duration?
    let credential: Credential?
    let at: [SourcePlace]
    /// One of these comes on the new socket, in `within` of its opening; empty: none need.
    let resubscribes: [OperationName]
    /// The places of the sequence from which on a call of `resubscribes` asks, and of the sequences in messages.
    let asks: [SourcePlace], told: [SourcePlace]
    /// Calls whose answers tell it too, such as that to a message of the client's own.
    let toldIn: [OperationName]
    /// Events after which nobody need reconnect. They excuse the client, and do not show that it reconnects: a user who signs out leaves that open.
    let unless: [Selector]
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        operations = try vocabulary.operations("of", declaration, needed: "the calls that open the socket") { $0.opensSocket }
        signIns = try vocabulary.operations("signsIn", declaration)
        after = try Selector.read("after", declaration, vocabulary)
        within = try declaration.duration("within") ?? .seconds(10)
        wait = try declaration.duration("wait")
        credential = try declaration.word("credential", among: Credential.allCases.map(\.rawValue)).flatMap { Credential(rawValue: $0) }
        at = try SourcePlace.read("at", declaration)
        if credential != nil, at.isEmpty { throw declaration.error("credential", "'at' is missing: the place of the credential") }
        resubscribes = try vocabulary.operations("resubscribes", declaration)
        asks = try SourcePlace.read("asks", declaration)
        told = try SourcePlace.read("told", declaration)
        toldIn = try vocabulary.operations("toldIn", declaration)
        unless = try Selector.list("unless", declaration, vocabulary)
        scope = try Scope(declaration)
    }

    var selectors: [Selector?] { [after] + unless }
    var operationSets: [[OperationName]] { [operations, signIns, resubscribes, toldIn] }
    func concerns(_ place: EventPlace) -> Bool { place.isNotification || follows(place) }
    var wanted: String {
        after.words + (resubscribes.isEmpty ? "" : ", on which \(resubscribes.map(\.text).joined(separator: " or ")) had succeeded")
    }

    func judge(_ timing: Timing) -> any Judge { ReconnectJudge(rule: self, timing: timing) }
}
