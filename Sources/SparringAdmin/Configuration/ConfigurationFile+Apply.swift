import SparringContract
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVerdict

/// Bringing the world into the state that a file declares.
extension ConfigurationFile {
    /// Creates the sandboxes that are not there yet. In those that are, the declared members are merged into the tenants' configuration
    /// and the faults replaced where the declared ones differ, unless there is a scenario: its faults are its own timeline's affair, and it
    /// goes on. Others are left alone. All of it is checked before any of it is done.
    ///
    /// - Returns: one line for each sandbox, saying what was done.
    /// - Throws: ``ContractError`` with file and line; nothing has been changed then.
    func apply(to world: World, _ scenarios: Scenarios, _ behaviours: Behaviours) async throws -> [String] {
        var plans: [(JSONPointer, World.SandboxRequest, Scenario?, [Fault], SparringSandbox.Sandbox?)] = []
        /// The new sandbox that is to have a tenant, by vendor and id.
        var claimed: [[String]: String] = [:]
        for declared in sandboxes {
            let request = declared.request
            let scenario = try scenario(of: declared, among: scenarios)
            do throws(World.ChangeError) {
                let existing = request.name.flatMap { world.sandbox($0) }
                var whole = request
                if existing == nil, let scenario {
                    whole.tenants = JSON.object(scenario.sandbox.tenants).merging(.object(request.tenants)).object ?? [:]
                }
                let faults = try world.check(whole, against: existing)
                for (vendor, id) in existing == nil ? world.claims(whole) : [] {
                    if let other = claimed.updateValue(request.name ?? "", forKey: [vendor, id]) {
                        throw .tenantTaken(vendor: vendor, id: id, by: other)
                    }
                }
                do throws(ConfigurationError) {
                    _ = try behaviours.with(policies: request.policies, at: JSONPointer(tokens: ["policies"]))
                } catch {
                    throw .invalid(error)
                }
                plans.append((declared.pointer, request, scenario, faults, existing))
            } catch {
                throw located(error, declared.pointer)
            }
        }
        var lines: [String] = []
        for (pointer, request, scenario, faults, existing) in plans {
            do {
                if let existing {
                    let changed = try await world.update(existing, request, faults: scenario == nil ? faults : nil)
                    let isOther = scenario.map { $0.name != existing.scenario } ?? false
                    let goesOn =
                        isOther
                        ? "; it was made \(existing.scenario.map { "from scenario '\($0)'" } ?? "without a scenario") and continues" : ""
                    lines.append("sandbox \(existing.id): \(changed ? "changed" : "as declared")\(goesOn)")
                } else {
                    let created = try await world.create(request, from: scenario?.template)
                    lines.append("sandbox \(created.id): created")
                }
            } catch let error as World.ChangeError {
                throw located(error, pointer)
            }
        }
        return lines
    }
}
