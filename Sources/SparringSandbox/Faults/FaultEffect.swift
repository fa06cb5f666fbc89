import SparringJSON

/// An effect that a fault can have, with everything that is known of it. Each of Sparring's own has a file in `Effects`.
struct FaultEffect: Sendable {
    /// Does it, with the values of a fault.
    typealias Act = @Sendable (FaultTable.Strike, inout Disturbance) -> Void

    /// The word in the text form; those in capitals are WireMock's and MockWebServer's.
    let word: String
    let summary: String
    let parameters: [FaultParameter]
    /// Rows of these parameters: all of one row are given and none of another; empty where each parameter stands for itself.
    let choices: [[String]]
    /// When it can strike what, the usual phase first.
    private let phases: [FaultPoint.Kind: [Fault.Phase]]
    /// Whether an operation can have this effect at all; Sparring's own are for all operations.
    private let isOffered: @Sendable (FaultPoint) -> Bool
    private let act: @Sendable (inout FaultValues) throws(FaultRefused) -> Act

    /// - Parameter act: what becomes of a call or message that it strikes. Refuses values that do not go together.
    init(
        _ word: String, _ summary: String, at phases: [FaultPoint.Kind: [Fault.Phase]], _ parameters: [FaultParameter] = [],
        choices: [[String]] = [], isOffered: @escaping @Sendable (FaultPoint) -> Bool = { _ in true },
        act: @escaping @Sendable (inout FaultValues) throws(FaultRefused) -> Act
    ) {
        (self.word, self.summary, self.phases, self.parameters) = (word, summary, phases, parameters)
        (self.choices, self.isOffered, self.act) = (choices, isOffered, act)
    }

    /// - Parameter act: what becomes of a call or message that it strikes.
    init(_ word: String, _ summary: String, at phases: [FaultPoint.Kind: [Fault.Phase]], act: @escaping Act) {
        self.init(word, summary, at: phases) { _ in act }
    }

    func read(_ given: FaultParameters) throws(FaultRefused) -> (values: FaultValues, act: Act) {
        var values = try given.read(parameters)
        guard choices.isEmpty || choices.contains(values.names) else {
            throw FaultRefused("'\(word)' needs \(usages.joined(separator: ", or "))")
        }
        let act = try act(&values)
        return (values, act)
    }

    /// Parameters as in `retry-after=30s`; those that go together are in one text.
    var usages: [String] {
        let usage = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.usage) })
        return (choices.isEmpty ? parameters.map { [$0.name] } : choices).map { $0.compactMap { usage[$0] }.joined(separator: " ") }
    }

    /// The kinds of points that it can strike.
    var kinds: [FaultPoint.Kind] { FaultPoint.Kind.allCases.filter { phases[$0] != nil } }

    /// The phase that is meant where none is given, and place and contracts do not lead to another.
    var usualPhase: Fault.Phase { kinds.lazy.compactMap { phases[$0]?.first }.first ?? .onRequestEnd }

    /// When it can strike such a call or message, the usual phase first; empty where it cannot at all.
    func phases(at point: FaultPoint) -> [Fault.Phase] { isOffered(point) ? phases[point.kind] ?? [] : [] }

    /// The same for any of several.
    func phases(at points: [FaultPoint]) -> [Fault.Phase] {
        let found = kinds.flatMap { kind in points.first { $0.kind == kind && isOffered($0) }.map(phases(at:)) ?? [] }
        return OrderedSet(found).elements
    }
}

extension FaultEffect {
    /// Sparring's own, in the order in which they are listed.
    static let all: [FaultEffect] = [
        status,
        delay,
        malformedJSON,
        wrongContentType,
        emptyBody,
        connectionReset,
        emptyResponse,
        malformedChunk,
        randomData,
        stall,
        truncate,
        slicer,
        bandwidth,
        disconnectAtEnd,
        close,
        abort,
        freeze,
        drop,
        duplicate,
        reorder,
        corrupt,
    ]

    static func of(_ word: String) -> FaultEffect? { byWord[word] }
    private static let byWord = Dictionary(uniqueKeysWithValues: all.map { ($0.word, $0) })
}

/// Phases that many effects have in common, the usual one first.
extension [Fault.Phase] {
    /// Before anything is decided, or in place of the answer.
    static var aroundDecision: Self { [.onRequestEnd, .onResponseStart] }
    /// Before the first byte of the answer.
    static var beforeBytes: Self { [.onRequestEnd, .onRequestStart, .onRequestBody, .onResponseStart] }
    static var ofUpgrade: Self { [.onRequestEnd, .onRequestStart, .onResponseStart] }
    static var ofEnding: Self { [.onRequestEnd, .onResponseStart, .onResponseEnd] }
}

extension [FaultPoint.Kind: [Fault.Phase]] {
    /// Messages that are sent to a client.
    static var sentMessages: Self { [.message: [.onResponseStart], .notification: [.onResponseStart]] }
    static var sockets: Self { [.upgrade: .ofEnding, .message: .ofEnding, .notification: [.onResponseStart]] }
    /// Whatever an operation declares.
    static var declared: Self { [.call: [.onRequestEnd], .upgrade: [.onRequestEnd], .message: [.onRequestEnd]] }
}
