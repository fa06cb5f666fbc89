public import SparringContract
public import SparringJSON

/// The words in which faults are armed, for people who look for one.
public struct FaultVocabulary: Sendable {
    public struct Effect: Sendable {
        public var word: String
        public var summary: String
        /// Parameters with an example, as in `retry-after=30s`.
        public var parameters: [String]
        /// The usual one first; empty where there is but one.
        public var phases: [String]
        /// The vendor's own no, in its own words.
        public var isRefusal = false

        public var json: JSON {
            .members([
                "effect": .string(word), "summary": .string(summary), "parameters": .array(parameters.map { .string($0) }),
                "phases": .array(phases.map { .string($0) }), "refusal": isRefusal ? true : nil,
            ])
        }
    }

    private let reader: FaultReader

    /// - Parameter stubs: operations that sandboxes have beside the contracts.
    public init(_ contracts: [Contract], stubs: [ContractOperation] = []) { reader = FaultReader(contracts).adding(stubs) }

    /// The words of all effects, except those that contracts declare.
    public static var words: [String] { FaultEffect.all.map(\.word) }

    /// The conditions that may follow every effect.
    public static let conditions = [
        "times=2", "skip=1", "every=3", "probability=0.3", "per=sandbox|lane", "ttl=31s",
        "between=10s..40s", "account=…", "subject=…", "header:NAME=…", "body:/pointer=…", "message=…", "message:/pointer=…",
    ]

    /// The effects that can strike the operations and messages at a place; nil: anywhere. Refusals and vendors' own effects come last.
    ///
    /// - Throws: ``FaultRefused`` where there is no such place.
    public func effects(at place: String? = nil) throws(FaultRefused) -> [Effect] {
        let points = try reader.points(at: place ?? "*")
        let declared = points.flatMap(\.vendorEffects).reduce(into: OrderedDictionary()) { $0[$1.word] = $0[$1.word] ?? $1 }
        let own = FaultEffect.all + declared.values.map { .declared($0) }
        let refusals = place == nil ? [] : Set(points.flatMap(\.refusals)).sorted()
        return own.compactMap { effect in
            let phases = effect.phases(at: points).map(\.rawValue)
            guard !phases.isEmpty else { return nil }
            let struck = points.filter { !effect.phases(at: $0).isEmpty }
            let condition = struck.allSatisfy(\.isSocket) ? ["message=*"] : []  // without one it would be refused
            return Effect(
                word: effect.word, summary: effect.summary, parameters: condition + effect.usages, phases: phases.count > 1 ? phases : [])
        } + refusals.map { Effect(word: $0, summary: "the vendor refuses", parameters: [], phases: [], isRefusal: true) }
    }
}
