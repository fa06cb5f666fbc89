public import SparringContract
public import SparringEngine

/// A vendor that looks into its own contract.
public protocol Contracted: Vendor {
    var contract: Contract { get }
}

extension Contracted {
    /// The path of one of the vendor's operations.
    public func path(_ operation: Operation, _ values: [String: String] = [:]) -> String {
        contract.operation(operation.rawValue)?.path(values) ?? ""
    }
}
