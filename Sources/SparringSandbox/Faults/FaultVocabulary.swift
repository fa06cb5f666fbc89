public import SparringContract
public import SparringJSON

/// The words in which faults are armed, for people who look for one.
public struct FaultVocabulary: Sendable {
    public struct Effect: Sendable {
        public var word: String
        public var summary: String
        /// As in `retry-after=30s`.
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

    public init(_ contracts: [Contract]) { reader = FaultReader(contracts) }

    /// The words of all effects, except those that contracts declare.
    public static var words: [String] { FaultForm.all.map(\.word) }

    /// What stands behind every effect.
    public static let conditions = [
        "times=2", "skip=1", "every=3", "probability=0.3", "per=sandbox|lane", "ttl=31s",
        "between=10s..40s", "account=…", "subject=…", "header:NAME=…", "body:/pointer=…", "message=…", "message:/pointer=…",
    ]

    /// What can be done to the operations and messages at a place; nil: anywhere. Refusals and vendors' own effects follow the others.
    ///
    /// - Throws: ``FaultRefused`` where there is no such place.
    public func effects(at place: String? = nil) throws(FaultRefused) -> [Effect] {
        let points = try reader.points(at: place ?? "*")
        var out: [Effect] = []
        for form in FaultForm.all {
            let phases = FaultPoint.Kind.allCases.filter { kind in points.contains { $0.kind == kind } }.flatMap { form.phases[$0] ?? [] }
            guard !phases.isEmpty else { continue }
            var distinct: [String] = []
            for phase in phases where !distinct.contains(phase.rawValue) { distinct.append(phase.rawValue) }
            let struck = points.filter { form.phases[$0.kind] != nil }
            let condition = struck.allSatisfy(\.isSocket) ? ["message=*"] : []  // without one it would be refused
            out.append(
                Effect(
                    word: form.word, summary: form.summary, parameters: condition + form.parameters,
                    phases: distinct.count > 1 ? distinct : []))
        }
        var seen: Set<String> = []
        for declared in points.flatMap(\.vendorEffects) where seen.insert(declared.word).inserted {
            let parameters = declared.parameters.map { "\($0.name)=\($0.values.joined(separator: "|"))" }
            out.append(Effect(word: declared.word, summary: declared.summary, parameters: parameters, phases: []))
        }
        guard place != nil else { return out }
        for refusal in Set(points.flatMap(\.refusals)).sorted() {
            out.append(Effect(word: refusal, summary: "the vendor refuses", parameters: [], phases: [], isRefusal: true))
        }
        return out
    }
}
