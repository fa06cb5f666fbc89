import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringSandbox

/// Calls that sandboxes answer beside the contracts (the member `stubs` of a tenant's configuration), whatever a contract has in their place.
extension Pipeline {
    typealias FoundStub = (tenant: Tenant, operation: ContractOperation, parameters: PathParameters)

    /// The stubs that all sandboxes have for a call, in the order in which they were configured.
    func stubs(for head: RequestHead) -> [FoundStub] {
        world.stubbingTenants.compactMap { tenant in
            tenant.stubs.match(method: head.method, target: head.target).map { (tenant, $0.operation, $0.parameters) }
        }
    }

    /// Where only one sandbox has a stub for the call, it is that one's, as a vendor's own hosts name no sandbox; else the host decides.
    func stub(for incoming: Incoming) -> Location? {
        let found = stubs(for: incoming.head)
        guard let first = found.first else { return nil }
        let request = parts(of: incoming.head, first.parameters, incoming.body)
        let host = Self.sandbox(of: request)
        guard let chosen = found.count == 1 ? first : found.first(where: { $0.tenant.sandbox == host }) else {
            let names = found.map(\.tenant.sandbox).joined(separator: ", ")
            return .nowhere(
                Misplaced(
                    status: 404,
                    reason:
                        "the sandboxes \(names) have a stub for the call, and Host leads to \(host.quoted): use \(first.tenant.sandbox).localhost"
                ))
        }
        guard let sandbox = world.sandbox(chosen.tenant.sandbox), let vendor = vendors[chosen.tenant.vendor] else { return nil }
        let its = parts(of: incoming.head, chosen.parameters, incoming.body)
        return place(incoming, chosen.operation, its, chosen.operation.check(its), of: chosen.tenant, in: sandbox, vendor)
    }
}
