import HTTPTypes
import SparringJSON
import SparringLocks
import Support

/// A customer's push endpoint, written with knowledge of the rules, good or with one bad habit.
final class CompanyEndpoint: Sendable {
    enum Habit: String, CaseIterable, Sendable {
        case answersNothing, answers500, answers204, takesAnySecret, takesAnything, forwardsRepeats, dropsTheNumber

        /// A fault that strikes the push in which the habit shows, and what is objected to.
        var row: (fault: String?, objections: Set<String>) {
            switch self {
            case .answersNothing: (nil, ["answers-pushes-in-time"])
            case .answers500: (nil, ["accepts-what-was-agreed"])
            case .answers204: (nil, ["answers-200-to-what-it-takes"])
            case .takesAnySecret: ("wrong-credentials times=1", ["checks-the-agreed-secret"])
            case .takesAnything: ("malformed-payload times=1", ["refuses-what-was-not-agreed"])
            case .forwardsRepeats: ("duplicate-push times=1", ["forwards-a-push-once"])
            case .dropsTheNumber: (nil, ["forwards-the-number-of-unread-messages"])
            }
        }
    }

    /// A push that is to be handed on.
    struct Push: Sendable {
        var device: String
        var messageId: String
        var unread: Int
    }

    let habit: Habit?
    private let state = Mutex((seen: Set<String>(), pushes: [Push]()))

    init(_ habit: Habit? = nil) { self.habit = habit }

    /// The pushes that were accepted since the last call, in order.
    func take() -> [Push] {
        state.withLock { state in
            defer { state.pushes = [] }
            return state.pushes
        }
    }

    func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Script {
        switch habit {
        case .answersNothing: return .silence
        case .answers500: return .answer(500, "")
        case .answers204: return .answer(204, "")
        default: break
        }
        let body = (try? JSON(parsing: Array(request.body.utf8))) ?? .null
        guard body["authToken"] == "asapp-push-secret" || habit == .takesAnySecret else { return .answer(401, "{}") }
        guard let device = body["deviceToken"]?.string, body["payload"]?["aps"] != nil else {
            return .answer(habit == .takesAnything ? 200 : 400, "{}")
        }
        let id = body["messageId"]?.string ?? ""
        let unread = body["payload"]?["UnreadMessages"]?.integer(in: 0...1000) ?? 0
        state.withLock { state in
            if state.seen.insert(id).inserted || habit == .forwardsRepeats {
                state.pushes.append(Push(device: device, messageId: id, unread: habit == .dropsTheNumber ? 0 : unread))
            }
        }
        return .answer(200, #"{"status":"accepted"}"#)
    }
}
