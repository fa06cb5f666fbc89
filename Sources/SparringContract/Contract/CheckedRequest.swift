public import SparringJSON

/// A request after ``ContractOperation/check(_:)``.
public struct CheckedRequest: Sendable {
    /// The body as a value: parsed JSON; of a form an object whose members are strings, or arrays of them where a field is repeated;
    /// of any other text a string. Nil where there is none or it cannot be read.
    public var body: JSON?
    /// The schema by which the body was read.
    let schema: Schema?
    /// In the order path, query, header, body; none where the request is as the contract says.
    public var violations: [Violation]
    /// The parts of the request that the contract does not know and lets through.
    public var undeclared: [Violation]

    /// - Parameter found: what is wrong with it, and what is undeclared.
    init(body: JSON?, _ schema: Schema?, found: [Violation]) {
        self.body = body
        self.schema = schema
        violations = found.filter { $0.kind != .undeclared }
        undeclared = found.filter { $0.kind == .undeclared }
    }

    /// Whether the contract allows all of it.
    public var isSound: Bool { violations.isEmpty && undeclared.isEmpty }

    /// Whether an operation can work with the request. A wrong content type alone does not hinder: most vendors do not look at it.
    public var isUsable: Bool { violations.allSatisfy { $0.part == .contentType } }
}
