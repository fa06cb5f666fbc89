/// HTML or SVG that is safe to send: a text that is put into it is escaped, other markup is put in as it is.
///
///     let cell: Markup = "<td>\(verdict.summary)</td>"
struct Markup: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    init(stringLiteral value: String) { text = value }
    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    static let none: Markup = ""

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
