import SparringEngine
import SparringJSON

/// What LivePerson adds to the admin API.
extension LivePerson {
    func adminHandler(of operation: AdminOperation) -> AdminHandler {
        switch operation {
        case .join: agentAct(.join)
        case .leave: agentAct(.leave)
        case .say: agentAct(.say)
        case .card: agentAct(.card)
        case .file: agentAct(.file)
        case .form: agentAct(.form)
        case .typing: agentAct(.typing)
        case .pause: agentAct(.pause)
        case .active: agentAct(.active)
        case .inactive: agentAct(.inactive)
        case .gone: agentAct(.gone)
        case .accept: agentAct(.accept)
        case .read: agentAct(.read)
        case .transfer: agentAct(.transfer)
        case .close: agentAct(.close)
        case .push: .act(in: { _, request in request.body["consumer"]?.string ?? "" }, push)
        case .signOut: .act(in: { _, request in request.body["consumer"]?.string ?? "" }, signOut)
        case .readConversation: .read(readConversation)
        }
    }
}
