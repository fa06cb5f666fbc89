import SparringHTTP
import GRDB
import SparringContract
import SparringJournal
import SparringSandbox

/// **decide**: what the vendor's handler says, or in its place a fault, or the answer to what is malformed.
extension Pipeline {
    func decide(_ flight: InFlight, _ call: Call, _ prepared: any Sendable, _ db: Database) throws -> RenderedAnswer {
        switch flight.decider {
        case .nobody: return RenderedAnswer(cause: flight.disturbance.cause)
        case .fault(.refusal(let name)):
            var settled = render(refused(forced(name, flight), flight, call), call)
            settled.cause?.code = Cause.fault
            return settled
        case .fault(.status(let status)): return renderBare(status, flight, call)
        case .contract(let refusal): return refuse(flight, call, refusal)
        case .vendor(let handler): return try decide(handler, flight, call, prepared, db)
        }
    }

    private func decide(
        _ handler: Handler, _ flight: InFlight, _ call: Call, _ prepared: any Sendable, _ db: Database
    ) throws -> RenderedAnswer {
        switch try handler.decision(db, call, prepared) {
        case .answer(let answer):
            var settled = served(answer, flight, call)
            if call.operation.stub != nil { settled.cause?.code = Cause.stub }
            return settled
        case .refusal(let refusal): return render(refused(refusal, flight, call), call)
        case .carry(let name, let messages, let socket): return try carried(name, messages, on: socket, flight, call)
        case .nothing(let cause): return .unanswered(call, cause)
        case .later(let cause): return .unanswered(call, cause, isHeld: true)
        }
    }

    /// Refuses a request that the contract does not allow.
    private func refuse(_ flight: InFlight, _ call: Call, _ refusal: ContractRefusal) -> RenderedAnswer {
        let complaint = flight.place.findings.map(\.words).joined(separator: "; ")
        switch refusal {
        case .declared(let name):
            var settled = render(refused(Refusal(name, complaint), flight, call), call)
            settled.cause?.code = Cause.malformed
            return settled
        case .own: return RenderedAnswer(response: Response.problem(400, complaint), cause: Cause(complaint, code: Cause.malformed))
        }
    }

    /// A refusal that a fault asked for.
    func forced(_ name: String, _ flight: InFlight) -> Refusal { Refusal(name, flight.disturbance.cause?.words ?? "", isForced: true) }

    func refused(_ refusal: Refusal, _ flight: InFlight, _ call: Call) -> Answer {
        let isStub = call.operation.stub != nil
        var answer = isStub ? call.example(of: refusal.name) : flight.place.vendor.vendor.render(refusal, for: call)
        answer.cause = answer.cause ?? refusal.cause
        return answer
    }
}
