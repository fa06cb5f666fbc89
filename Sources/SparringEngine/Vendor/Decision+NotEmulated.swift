import SparringContract
import SparringJournal

extension Decision {
    /// For a known path that a vendor leaves out, so that its callers can be distinguished from those that are mistaken: the contract's
    /// answer `not-emulated`, and a finding that breaks no contract.
    public static func notEmulated(_ call: Call) -> Decision {
        let what = call.operation.summary ?? call.operation.id
        var answer = Answer(Finding.notEmulated, body: call.operation.answer(Finding.notEmulated)?.example.map { .json($0) } ?? .none)
        answer.cause = "\(what): not emulated"
        answer.findings = [Finding(Finding.notEmulated, "\(what) is not emulated by Sparring")]
        return .answer(answer)
    }
}
