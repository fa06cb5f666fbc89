import GRDB
import SparringContract
import SparringJournal
import SparringSandbox

/// **decide**: what the vendor's handler says, or in its place a fault, or the answer to what is malformed.
extension Pipeline {
    func settle(_ step: InFlight, _ call: Call, _ prepared: any Sendable, _ db: Database) throws -> RenderedAnswer {
        if step.disturbance.isCutBefore { return RenderedAnswer(cause: step.disturbance.cause) }
        switch step.disturbance.replacement?.with {
        case .refusal(let name):
            var settled = render(refused(forced(name, step), step, call), call)
            settled.cause?.code = Cause.fault
            return settled
        case .status(let status): return renderBare(status, step, call)
        case nil: break
        }
        if let name = step.place.malformedAnswer {
            var settled = render(refused(Refusal(name, step.place.findings.map(\.words).joined(separator: "; ")), step, call), call)
            settled.cause?.code = Cause.malformed
            return settled
        }
        guard let handler = step.handler else { throw ToolError("\(call.operation.qualifiedName) has nothing to do") }
        switch try handler.decide(db, call, prepared) {
        case .answer(let answer): return render(answer, call)
        case .refusal(let refusal): return render(refused(refusal, step, call), call)
        case .nothing(let cause): return .unanswered(call, cause)
        }
    }

    /// A refusal that a fault asked for.
    func forced(_ name: String, _ step: InFlight) -> Refusal { Refusal(name, step.disturbance.cause?.words ?? "", isForced: true) }

    private func refused(_ refusal: Refusal, _ step: InFlight, _ call: Call) -> Answer {
        var answer = step.place.vendor.vendor.render(refusal, for: call)
        answer.cause = answer.cause ?? refusal.cause
        return answer
    }
}
