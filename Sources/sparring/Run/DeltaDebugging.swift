/// Finds few of many causes that do alone what all of them do (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002: ddmin).
struct DeltaDebugging<Cause: Sendable> {
    /// Whether these causes fail; nil: it cannot be tried any more.
    let fails: ([Cause]) async throws -> Bool?

    /// - Parameter all: that fail together.
    /// - Returns: causes of which none can be left out; with false, it was not tried to the end.
    func minimized(_ all: [Cause]) async throws -> (causes: [Cause], isMinimal: Bool) {
        var causes = all
        var pieces = 2
        while causes.count > 1 {
            let parts = Self.split(causes, into: pieces)
            var smaller: (causes: [Cause], pieces: Int)?
            for part in parts where smaller == nil {
                guard let fails = try await fails(part) else { return (causes, false) }
                if fails { smaller = (part, 2) }
            }
            if pieces > 2 {
                for index in parts.indices where smaller == nil {
                    let rest = parts.enumerated().filter { $0.offset != index }.flatMap(\.element)
                    guard let fails = try await fails(rest) else { return (causes, false) }
                    if fails { smaller = (rest, max(pieces - 1, 2)) }
                }
            }
            if let smaller {
                (causes, pieces) = smaller
            } else if pieces < causes.count {
                pieces = min(2 * pieces, causes.count)
            } else {
                break
            }
        }
        return (causes, true)
    }

    private static func split(_ causes: [Cause], into pieces: Int) -> [[Cause]] {
        (0..<pieces).map { piece in
            Array(causes[(causes.count * piece / pieces)..<(causes.count * (piece + 1) / pieces)])
        }.filter { !$0.isEmpty }
    }
}
