import SparringContract
import SparringHTTP
import SparringJournal
import SparringSandbox

/// **check**: where the request departs from its contract, and which answer an unusable one gets.
extension Pipeline {
    func check(_ located: LocatedCall, _ incoming: Incoming) -> LocatedCall {
        var checked = located
        let operation = located.call.operation
        if !located.checked.isUsable {
            checked.malformedAnswer = located.vendor.contract.malformedAnswer.flatMap { operation.answer($0)?.name }
        }
        // Half a request breaks no contract, and what is not emulated has none to break.
        if !located.isCutShort, operation.answer(Finding.notEmulated) == nil {
            checked.findings = (located.checked.violations + located.checked.undeclared).map(Finding.init)
            if !operation.isMessage { checked.findings += Self.carelessness(of: incoming.head) }
        }
        return checked
    }

    /// A request that comes over a certificate that its sender should have turned away from.
    private static func carelessness(of head: RequestHead) -> [Finding] {
        guard let defect = head.listener.flatMap(CertificateDefect.init(rawValue:)) else { return [] }
        return [
            Finding(
                CertificateDefect.finding, at: defect.rawValue,
                "the client continued despite a certificate that \(defect.words) (port \(defect.rawValue))")
        ]
    }
}
