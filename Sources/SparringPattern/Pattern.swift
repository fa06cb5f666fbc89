/// A regular expression that is found, or not, in time linear in the text: no text, however it was chosen, makes it slow.
///
/// It means what ECMA-262 says with the flag `u`: it is searched for anywhere unless anchored, by code point, `\d` and `\w` are ASCII, `$`
/// stands at the very end. What would need backtracking (look-around, back references) is refused when the expression is read.
///
/// The expression becomes an automaton. Where that has few states, each byte of the text costs one look into a table (``PatternTable``);
/// otherwise all its states are followed at once (``PatternSearch``), at most the states × the characters.
public final class Pattern: Sendable {
    /// The syntax that an expression may use.
    public enum Dialect: Sendable {
        /// The dialect of schemas: ECMA-262. What only other dialects have is refused, because a vendor's own validator would refuse it.
        case ecma
        /// The dialect of agents' scripts: the same with the flags `i`, `m` and `s`, for all in `(?i)hello`, for a part in `(?i:h)ello`.
        ///
        /// Without case, two characters are the same if their simple lower case is, or that of their simple upper case.
        case script
    }

    private enum Automaton: Sendable {
        case table(PatternTable)
        case states(PatternProgram)
    }

    public let text: String
    private let automaton: Automaton

    /// - Throws: ``PatternError`` with the place of what is wrong, cannot be matched in linear time or is above ``PatternLimits``.
    public convenience init(_ text: String, dialect: Dialect) throws(PatternError) {
        try self.init(text, dialect: dialect, tableLimits: .standard)
    }

    /// - Parameter tableLimits: nil: without a table, whatever the expression is.
    init(_ text: String, dialect: Dialect, tableLimits: PatternTable.Limits?) throws(PatternError) {
        self.text = text
        let program = PatternProgram(try PatternParser.parse(text, dialect))
        automaton = tableLimits.flatMap { PatternTable(program, $0) }.map { .table($0) } ?? .states(program)
    }

    /// Reads the expression without making an automaton of it: what that would cost, a sender of texts should not spend.
    ///
    /// - Throws: what ``init(_:dialect:)`` throws.
    public static func check(_ text: String, dialect: Dialect) throws(PatternError) { _ = try PatternParser.parse(text, dialect) }

    public func isFound(in text: String) -> Bool { search(text).found }

    /// - Returns: also how many characters were looked up in the table, or states followed.
    func search(_ text: String) -> (found: Bool, steps: Int) {
        switch automaton {
        case .table(let table): table.search(text)
        case .states(let program): program.search(text)
        }
    }

    /// The number of states of an automaton without a table, which bounds the cost of a search for each character; nil: it has a table.
    var states: Int? {
        guard case .states(let program) = automaton else { return nil }
        return program.states.count
    }
}
