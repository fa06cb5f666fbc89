package import SparringClient
package import SparringJSON

/// How a vendor is called.
package struct ProbeLine: Sendable {
    /// Nil: the machine's own list of authorities.
    package var tls: ClientTLS?
    /// `User-Agent` (RFC 9110 §10.1.5), where a script has none.
    package var agent: String
    /// Waited for before each call and each message, so that nobody is called too often.
    package var pace: @Sendable () async throws -> Void
    /// How long a message may take that was recorded elsewhere.
    package var patience: Duration = .seconds(2)

    package init(tls: ClientTLS?, agent: String, pace: @escaping @Sendable () async throws -> Void) {
        (self.tls, self.agent, self.pace) = (tls, agent, pace)
    }
}

/// Does at the vendor what no client does, such as what an agent says.
package protocol ProbeHand: Sendable {
    /// A script is about to be played.
    ///
    /// - Parameter pass: from 1.
    func begin(_ script: ProbeScript, pass: Int) async throws
    /// - Parameter request: a call of Sparring's admin API about the sandbox, without names.
    /// - Returns: what that call answers; ``JSON/null`` where it answers nothing.
    func perform(_ request: ProbeStep.Request) async throws -> JSON
}
