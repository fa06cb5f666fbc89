import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// The callers, as far as a recording shows them.
struct RecordedLanes {
    /// Whom a value was given to that an answer has handed out.
    private var owners: [String: String] = [:]
    private var ordinals: [[String]: Int] = [:]
    /// Characters of the shortest value that can be a credential.
    private static let shortestCredential = 16

    /// From the header, else from the contract's `x-lane`, else the operation's name.
    func lane(of operation: ContractOperation, _ request: RequestParts, _ body: JSON?) -> String {
        if let lane = request.headers[.sparringLane], !lane.isEmpty { return lane.laneName }
        for source in operation.lane {
            guard let value = source.value(in: request, body: body) else { continue }
            if source.reading != .issued { return value.laneName }
            if let owner = owners[value] { return owner }
        }
        return operation.qualifiedName
    }

    /// The values of an answer may come back as credentials.
    mutating func learn(from body: JSON?, _ lane: String?) {
        guard let body, let lane else { return }
        switch body {
        case .object(let members): for member in members.values { learn(from: member, lane) }
        case .array(let items): for item in items { learn(from: item, lane) }
        case .string(let text): if text.count >= Self.shortestCredential, owners[text] == nil { owners[text] = lane }
        default: break
        }
    }

    /// Gives an entry its position in its lane.
    mutating func count(_ entry: inout JournalEntry) {
        guard let operation = entry.operation, let lane = entry.lane else { return }
        ordinals[[lane, operation], default: 0] += 1
        entry.ordinal = ordinals[[lane, operation]]
    }
}
