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
            guard let (operation, parameters) = tenant.stubs.match(method: head.method, target: head.target),
                !isOfAnother(than: tenant, head, parameters)
            else { return nil }
            return (tenant, operation, parameters)
        }
    }

    /// Whether the call has the id of another tenant, where the contract has one in its head: in this operation, or in one with a parameter of that name.
    private func isOfAnother(than tenant: Tenant, _ head: RequestHead, _ parameters: PathParameters) -> Bool {
        var (sources, values) = ([ValueSource](), parameters)
        if case .found(let operation, let own) = routes.match(method: head.method, target: head.target, host: head.headers[.host]),
            operation.vendor == tenant.vendor
        {
            (sources, values) = (operation.tenant, own)
        } else {
            sources = vendors[tenant.vendor]?.contract.operations.flatMap(\.tenant) ?? []
            sources.removeAll { if case .path = $0.location { false } else { true } }
        }
        let request = parts(of: head, values, [])
        for source in sources {
            guard let id = source.value(in: request, body: nil), let named = world.tenant(tenant.vendor, id), named.isCalled(id) else {
                continue
            }
            return named !== tenant
        }
        return false
    }

    /// The stub that a call is for: the only one, since a vendor's own hosts name no sandbox, or of several the one of the host's sandbox.
    func chosen(among found: [FoundStub], _ head: RequestHead) -> FoundStub? {
        guard let first = found.first, found.count > 1 else { return found.first }
        let host = sandboxName(for: parts(of: head, first.parameters, []))
        return found.first { $0.tenant.sandbox == host }
    }

    /// The place of a call that a sandbox has a stub for.
    ///
    /// - Returns: nil where none has.
    func stub(for incoming: Incoming) -> Location? {
        let found = stubs(for: incoming.head)
        guard let first = found.first else { return nil }
        guard let chosen = chosen(among: found, incoming.head) else {
            let host = sandboxName(for: parts(of: incoming.head, first.parameters, []))
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
