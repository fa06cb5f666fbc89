/// How far texts are from each other: how many bytes must be inserted, removed, replaced or swapped with their neighbour to make one of the
/// other (optimal string alignment). Only near texts get a distance: strangers write the texts, and a search for what they meant must not
/// cost more than the answer that it stands in.
public struct EditDistance: Sendable {
    /// Bytes of the longest text that is compared.
    public static let longest = 200
    /// The largest distance that is reported.
    public static let farthest = 16

    /// Cells of tables that may be filled in for all comparisons together: about a millisecond's work.
    private let budget: Int
    /// Those that have been filled in.
    public private(set) var cells = 0

    public init(budget: Int = 300_000) { self.budget = budget }

    /// - Parameter limit: the greatest distance wanted.
    /// - Returns: nil where it is greater than `limit` or ``farthest``, where one of the texts is longer than ``longest``, and once the
    ///   budget is spent.
    public mutating func between(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>, atMost limit: Int) -> Int? {
        let limit = min(limit, Self.farthest)
        guard cells < budget, a.count <= Self.longest, b.count <= Self.longest, abs(a.count - b.count) <= limit else { return nil }
        let (a, b) = (Array(a), Array(b))
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        // What lies further from the diagonal than the limit is further than the limit.
        var beforeLast = [Int](repeating: limit + 1, count: b.count + 1)
        var last = (0...b.count).map { min($0, limit + 1) }
        var current = beforeLast
        var nearestBefore = 0
        for i in 1...a.count {
            let (first, end) = (max(1, i - limit), min(b.count, i + limit))
            guard first <= end else { return nil }
            cells += end - first + 1
            current[first - 1] = first == 1 ? min(i, limit + 1) : limit + 1
            var nearest = current[first - 1]
            for j in first...end {
                let isEqual = a[i - 1] == b[j - 1]
                var distance = min(last[j - 1] + (isEqual ? 0 : 1), min(last[j], current[j - 1]) + 1)
                if i > 1, j > 1, !isEqual, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { distance = min(distance, beforeLast[j - 2] + 1) }
                current[j] = min(distance, limit + 1)
                nearest = min(nearest, current[j])
            }
            // A swap reaches over one row.
            if nearest > limit, nearestBefore > limit { return nil }
            nearestBefore = nearest
            if end < b.count { current[end + 1] = limit + 1 }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}
