import SparringEngine
import SparringJSON

/// How clients are to repeat calls that failed with 429 or 5xx (Khoros reference 1.10): the app's member `retryPolicy`.
struct RetryPolicy: Sendable {
    /// Seconds before the first repeat, and where it is urgent.
    var regular: Int64
    var aggressive: Int64
    /// Each further wait is as many times as long.
    var backoffMultiplier: Int64
    var maxRetries: Int64

    static let member = "retryPolicy"

    init(_ app: Members) throws(ConfigurationError) {
        let members = try Members(
            app.object[Self.member] ?? [:], at: app.pointer.appending(Self.member),
            known: ["regular", "aggressive", "backoffMultiplier", "maxRetries"])
        regular = try members.integer("regular", in: 0...86_400) ?? 60
        aggressive = try members.integer("aggressive", in: 0...86_400) ?? 15
        backoffMultiplier = try members.integer("backoffMultiplier", in: 1...10) ?? 2
        maxRetries = try members.integer("maxRetries", in: 0...100) ?? 5
    }

    var json: JSON {
        [
            "regular": .integer(regular), "aggressive": .integer(aggressive), "backoffMultiplier": .integer(backoffMultiplier),
            "maxRetries": .integer(maxRetries),
        ]
    }

    /// As clients read it.
    var wire: JSON {
        [
            "intervals": ["regular": .integer(regular), "aggressive": .integer(aggressive)],
            "backoffMultiplier": .integer(backoffMultiplier), "maxRetries": .integer(maxRetries),
        ]
    }
}
