/// Why a token or a key was refused, in words that name what and where: `not a compact JWS: 2 parts instead of 3`.
public struct TokenError: Error, Sendable, Equatable, CustomStringConvertible {
    public var reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String { reason }
}
