import GRDB
import SparringContract
import SparringHTTP
import SparringSandbox

/// The step that varies a decided answer on its way out; a part of **decide**. The decision, the state and the verdict stay as they are. An answer of one
/// vendor to another goes to no client, and is left alone.
extension Pipeline {
    func varied(_ settled: RenderedAnswer, _ flight: InFlight, _ call: Call, _ db: Database) throws -> RenderedAnswer {
        guard let variation = call.sandbox.variation, let declared = settled.declared, let response = settled.response,
            response.status != 101, settled.carried == nil, !settled.isRelayed, flight.incoming.origin == nil, !call.operation.isAdmin,
            flight.disturbance.substitute == nil, !flight.disturbance.isCutBefore
        else { return settled }
        let subject = try variation.next(call.operation.vendor, call.operation.qualifiedName, lane: call.lane, db)
        let varied = VariedAnswer(
            settled, response, declared, to: call, subject, isAlone: flight.disturbance.isNone,
            mayChunk: flight.incoming.head.version == "HTTP/1.1")
        if varied.changes.isEmpty { return settled }
        var settled = settled
        settled.varied = varied
        return settled
    }
}
