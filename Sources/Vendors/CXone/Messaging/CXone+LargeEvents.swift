import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// The handler of the tag "LargeEvents" (Event diagrams, Process Large Events; CXone reference 3.7).
extension CXone {
    func fetchLargeEvent(_ db: Database, _ call: Call) throws -> Decision {
        let key = call.path("event")
        guard let found = try LargeEventState.event(key, of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("event-unknown", "no event was put there")
        }
        guard call.now < found.expires else { throw Refusal("url-expired", "the URL expired \((call.now - found.expires).words) ago") }
        var answer = Answer("event-fetched", found.frame, cause: "\(found.frame.bytes.count) bytes")
        answer.file = ServedFile(modified: found.keptAt)
        return .answer(answer)
    }
}
