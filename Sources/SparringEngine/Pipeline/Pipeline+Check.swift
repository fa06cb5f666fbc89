import SparringContract
import SparringHTTP
import SparringJournal
import SparringSandbox

/// **check**: where the request departs from its contract, and which answer an unusable one gets.
extension Pipeline {
    func check(_ located: inout LocatedCall, _ incoming: borrowing Incoming) {
        let operation = located.call.operation
        if operation.answer(Finding.notEmulated) != nil { return }  // it has no contract that could be broken
        // The vendor's own server has its own answer to what is malformed.
        if located.relay == nil || isStrict { located.refusal = refusal(of: operation, located.checked, located.vendor) }
        // Half a request breaks no contract.
        if located.isCutShort { return }
        if !located.checked.isSound { located.findings = (located.checked.violations + located.checked.undeclared).map { Finding($0) } }
        if !operation.isMessage { located.findings += Self.carelessness(of: incoming.head) }
    }

    /// Nil where the vendor decides: what it cannot use it refuses if the contract has an answer for that, and a strict server refuses whatever the contract does not allow.
    func refusal(of operation: ContractOperation, _ checked: CheckedRequest, _ vendor: VendorEntry) -> ContractRefusal? {
        guard isStrict ? !checked.isSound : !checked.isUsable else { return nil }
        let declared = vendor.contract.malformedAnswer.flatMap { operation.answer($0)?.name }
        return declared.map { .declared($0) } ?? (isStrict ? .own : nil)
    }

    /// A request to a server that its sender should have turned away from.
    private static func carelessness(of head: RequestHead) -> [Finding] {
        guard let port = head.listener, let flaw = TLSPort.flaw(of: port) else { return [] }
        return [Finding(flaw.finding, at: port, "the client continued despite \(flaw.words) (port \(port))")]
    }
}
