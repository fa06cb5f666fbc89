import GRDB
import SparringSandbox

/// The job of the store that decides a call and writes its journal entry, in one transaction, and goes on with it after the commit.
final class Settlement: StoreJob {
    private let pipeline: Pipeline
    private let flight: InFlight
    private let prepared: any Sendable
    /// Written while it is performed, read when that is over.
    nonisolated(unsafe) private var settled: RenderedAnswer?

    init(_ pipeline: Pipeline, _ flight: InFlight, _ prepared: any Sendable) {
        (self.pipeline, self.flight, self.prepared) = (pipeline, flight, prepared)
    }

    var writesOnce: Bool { flight.writesOnce }

    func perform(_ db: Database) throws {
        var call = flight.place.call
        call.entry = try call.sandbox.journal.next(db)
        let answer = pipeline.altered(try pipeline.varied(try pipeline.decide(flight, call, prepared, db), flight, call, db), flight, call)
        try pipeline.record(flight, call, answer, db)
        settled = answer
    }

    func finished(_ failure: (any Error)?) {
        if let failure { pipeline.fail(flight, failure) } else if let answer = settled.take() { pipeline.committed(flight, answer) }
    }
}
