/// Why a text is no JSONPath query, and where.
package struct JSONPathError: Error, Sendable, Equatable, CustomStringConvertible {
    /// In Unicode scalars, from 1.
    var position: Int
    var message: String

    package var description: String { "character \(position): \(message)" }
}
