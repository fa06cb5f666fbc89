/// How large an expression may be. All is known before anything of that size is made.
enum PatternLimits {
    /// Unicode scalars.
    static let length = 10_000
    /// Groups within groups.
    static let depth = 100

    /// A repetition with numbers counts as what it is short for: `a{3}` has three states.
    static func states(_ dialect: Pattern.Dialect) -> Int {
        switch dialect {
        case .ecma: 10_000
        // A script runs where one sandbox's work makes the others wait.
        case .script: 1000
        }
    }
}
