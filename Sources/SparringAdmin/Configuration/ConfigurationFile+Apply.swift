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
    /// - Throws: ``ContractError`` with file and line, or ``ContractErrors``; nothing has been changed then.
    func apply(to world: World, _ scenarios: Scenarios, _ behaviours: Behaviours) async throws -> [String] {
        let plans: [Plan]
        do { plans = try self.plans(for: sandboxes, in: world, scenarios, behaviours) } catch {
            let all = errors(in: world, scenarios, behaviours)
            if all.count > 1 { throw ContractErrors(all) }
            guard let error = error as? ConfigurationError else { throw error }
            throw document.error(at: error.pointer, error.message)
        }
        var lines: [String] = []
        for plan in plans {
            do {
                if let existing = plan.existing {
                    let changed = try await world.update(existing, plan.request, faults: plan.scenario == nil ? plan.faults : nil)
                    let isOther = plan.scenario.map { $0.name != existing.scenario } ?? false
                    let goesOn =
                        isOther
                        ? "; it was made \(existing.scenario.map { "from scenario '\($0)'" } ?? "without a scenario") and continues" : ""
                    lines.append("sandbox \(existing.id): \(changed ? "changed" : "as declared")\(goesOn)")
                } else {
                    let created = try await world.create(plan.request, from: plan.scenario?.template)
                    lines.append("sandbox \(created.id): created")
                }
            } catch let error as World.ChangeError {
                throw located(error, plan.pointer)
            }
        }
        return lines
    }

    /// One of the sandboxes, and what it is to be made of.
    private struct Plan {
        let pointer: JSONPointer
        let request: World.SandboxRequest
        let scenario: Scenario?
        let faults: [Fault]
        /// Nil: it is not there yet.
        let existing: SparringSandbox.Sandbox?
    }

    /// - Throws: ``ConfigurationError`` with the place in the file; ``ContractError`` about a scenario.
    private func plans(
        for sandboxes: [Sandbox], in world: World, _ scenarios: Scenarios, _ behaviours: Behaviours
    ) throws -> [Plan] {
        var plans: [Plan] = []
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
                plans.append(Plan(pointer: declared.pointer, request: request, scenario: scenario, faults: faults, existing: existing))
            } catch {
                throw error.located(at: declared.pointer)
            }
        }
        return plans
    }

    /// All that is wrong with it, line by line.
    private func errors(in world: World, _ scenarios: Scenarios, _ behaviours: Behaviours) -> [ContractError] {
        DeclarationReview.errors(in: document) { json throws(ConfigurationError) in
            let sandboxes = try Self.sandboxes(of: json)
            for sandbox in sandboxes {
                do { _ = try scenario(of: sandbox, among: scenarios) } catch {
                    // A scenario's file has errors of its own, with their lines.
                    let own = (error as? ContractError).flatMap { $0.file == document.file ? $0.message : nil }
                    throw ConfigurationError(sandbox.pointer.appending("scenario"), own ?? "\(error)")
                }
            }
            do { _ = try plans(for: sandboxes, in: world, scenarios, behaviours) } catch let error as ConfigurationError {
                throw error
            } catch {
                throw ConfigurationError(["sandboxes"], "\(error)")
            }
        }
    }
}
