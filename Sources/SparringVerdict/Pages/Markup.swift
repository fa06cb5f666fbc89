/// HTML or SVG that is safe to send: a text that is put into it is escaped, other markup is put in as it is.
///
///     let cell: Markup = "<td>\(verdict.summary)</td>"
struct Markup: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    init(stringLiteral value: String) { text = value }
    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    static let none: Markup = ""

    /// A table, which scrolls by itself where it is wider than the page.
    static func table(_ label: String, _ columns: [String], _ rows: [Markup], class name: String = "rules") -> Markup {
        """
        <div class="scroll" tabindex="0" role="region" aria-label="\(label)"><table class="\(name)">
        <thead><tr>\(columns.map { "<th scope=\"col\">\($0)</th>" as Markup })</tr></thead>
        <tbody>\(rows)</tbody>
        </table></div>
        """
    }

    /// Names and values, for a `dl`.
    static func terms(_ facts: [(String, String)]) -> [Markup] { facts.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" } }

    /// Sentences, one below the other; nothing where there are none.
    static func list(_ sentences: [String]) -> Markup {
        sentences.isEmpty ? .none : "<ul class=\"evidence\">\(sentences.map { "<li>\($0)</li>" as Markup })</ul>\n"
    }

    static func += (a: inout Markup, b: Markup) { a.text += b.text }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity + 16 * interpolationCount) }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ value: String) { text += value.markupEscaped }
        mutating func appendInterpolation(_ value: Int) { text += String(value) }
        /// Pixels, to a tenth.
        mutating func appendInterpolation(_ value: Double) { text += value.rounded(to: 1) }
        mutating func appendInterpolation(_ value: Markup) { text += value.text }
        mutating func appendInterpolation(_ values: [Markup]) { for value in values { text += value.text } }
    }

    typealias StringInterpolation = Interpolation
}
