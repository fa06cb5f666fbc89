import SparringContract
import SparringHTTP
import SparringSandbox

extension CommandFailure {
    /// An error as what a command ends with; nil for one that no command expects.
    ///
    /// - Parameter refusal: the status of an error that sysexits(3) has no word for.
    init?(_ error: any Error, refusal: Int32 = 1) {
        let status: Int32
        switch error {
        case let failure as CommandFailure:
            self = failure
            if failure.status == 1 { self.status = refusal }
            return
        case let error as ContractError: status = error.isUnreadable ? 66 : 65
        case is ContractErrors: status = 65
        case let error as ToolError: status = Self.status(of: error.kind) ?? refusal
        case let error as LocalAuthorityError: status = error.isUnwritable ? 73 : error.isUsage ? 64 : 65
        case HTTPServerError.badAddress: status = 64
        case is HTTPServerError: status = 69
        case let error as StoreError: status = error.isUnwritable ? 73 : error.isForeign ? 65 : 74
        case is StoreEnded: status = 74
        default: return nil
        }
        self.init(text: "\(error)", status: status)
    }

    /// The status by sysexits(3); nil: it has no word for it.
    private static func status(of kind: ToolError.Kind) -> Int32? {
        switch kind {
        case .other: nil
        case .usage: 64
        case .content: 65
        case .unreadable: 66
        case .unavailable: 69
        case .unwritable: 73
        }
    }
}
