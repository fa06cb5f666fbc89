extension Journal {
    /// The part of the timeline that a reader wants.
    package struct Query: Sendable {
        /// The first number wanted.
        package var since = 0
        var operation: String?
        var kind: String?
        var lane: String?
        package var limit = 1000
        /// The newest that match, in place of the first.
        package var isTail = false

        package init(
            since: Int = 0, operation: String? = nil, kind: String? = nil, lane: String? = nil, limit: Int = 1000, isTail: Bool = false
        ) {
            (self.since, self.operation, self.kind) = (since, operation, kind)
            (self.lane, self.limit, self.isTail) = (lane, limit, isTail)
        }
    }
}
