/// Known violations that the run no longer shows.
extension SuitePage {
    var staleBaseline: Markup {
        guard let (heading, lines) = suite.staleWords else { return .none }
        return """
            <section>
            <h2>The baseline</h2>
            <p>\(heading):</p>
            \(Markup.list(lines))</section>

            """
    }
}
