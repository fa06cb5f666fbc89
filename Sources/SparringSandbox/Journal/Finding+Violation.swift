public import SparringContract
public import SparringJournal

extension Finding {
    /// A violation of the contract.
    public init(_ violation: Violation) { self.init(violation.kind.rawValue, at: violation.place, violation.description) }
}

extension Cause {
    package static func fault(_ number: Int) -> Cause { Cause("fault \(number)", code: fault) }

    /// Sparring itself went wrong.
    package static func failed(_ error: any Error) -> Cause { Cause("Sparring failed: \(error)", code: failed) }
}
