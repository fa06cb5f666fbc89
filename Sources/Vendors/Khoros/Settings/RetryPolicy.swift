import SparringJSON

/// How clients are to repeat calls that failed with 429 or 5xx (Khoros reference 1.10): the app's member `retryPolicy`.
struct RetryPolicy: Decodable, Sendable {
    /// Seconds before the first repeat, and where it is urgent.
    var regular: Int64
    var aggressive: Int64
    /// Each further wait is as many times as long.
    var backoffMultiplier: Int64
    var maxRetries: Int64

    /// As clients read it.
    var wire: JSON {
        [
            "intervals": ["regular": .integer(regular), "aggressive": .integer(aggressive)],
            "backoffMultiplier": .integer(backoffMultiplier), "maxRetries": .integer(maxRetries),
        ]
    }
}
