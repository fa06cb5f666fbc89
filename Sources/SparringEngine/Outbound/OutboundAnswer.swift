public import HTTPTypes
import SparringContract

public struct OutboundAnswer: Sendable {
    public var status: Int
    public var headers: HTTPFields
    public var body: [UInt8]
    /// The answer's declaration in the contract, where one of Sparring's own vendors gave it.
    var declared: DeclaredAnswer?
    /// The cause that this vendor journalled.
    public var cause: String?

    /// The answer's name in the contract, where one of Sparring's own vendors gave it.
    public var name: String? { declared?.name }
}

public enum OutboundResult: Sendable {
    case answered(OutboundAnswer)
    /// No answer within the request's time.
    case timedOut(String)
    /// No connection, or it broke; in words.
    case failed(String)
}
