import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVerdict

/// Whether a scenario can be played here.
struct ScenarioCheck: Sendable {
    let world: World
    let vendors: Vendors
    let faultReader: FaultReader
    /// The admin API's.
    let contract: Contract
    /// Those that may be expected of a client.
    let behaviours: Behaviours

    /// Tries all of a scenario that can be tried without doing it: its faults and tenants, and each step against the admin API's contract
    /// and what the steps before it make of the sandbox.
    ///
    /// - Throws: ``ConfigurationError`` with the place in the scenario.
    func check(_ scenario: Scenario) throws(ConfigurationError) {
        let rules = RuleNames(behaviours.rules)
        for (index, expected) in scenario.expectations.enumerated() {
            let place: JSONPointer = ["expect", String(index)]
            do throws(RuleNames.Refused) { _ = try rules.rule(expected.rule) } catch {
                throw ConfigurationError(place.appending("rule"), error.words)
            }
            for (member, names, known) in [
                ("flow", expected.flows, behaviours.flows), ("platform", expected.platforms, behaviours.platforms),
            ] {
                guard let name = names.first(where: { !known.contains($0) }) else { continue }
                throw ConfigurationError(
                    place.appending(member), "'\(name)' is not a \(member); there are \(known.joined(separator: ", "))")
            }
        }
        _ = try behaviours.with(policies: scenario.sandbox.policies, at: ["sandbox", "policies"])
        var tenants: [String: Tenant] = [:]
        do throws(World.ChangeError) {
            _ = try world.check(scenario.sandbox, against: nil, mayBeTaken: true)
            // What a change in the timeline is merged into.
            if scenario.timeline.contains(where: { $0.operation == AdminOperation.changeTenant.rawValue }) {
                for tenant in try world.configure(scenario.sandbox.tenants, seed: 1, sandbox: scenario.name, mayBeTaken: true) {
                    tenants[tenant.vendor] = tenant
                }
            }
        } catch {
            throw error.located(at: ["sandbox"])
        }
        var lastFault = Int64(scenario.sandbox.faults.count)
        var faults = Set((0..<lastFault).map { $0 + 1 })
        for (index, step) in scenario.timeline.enumerated() {
            let place: JSONPointer = ["timeline", String(index)]
            let request = try TimelineRequest(step, of: contract, vendors, at: place)
            let with = place.appending("with")
            switch request.operation {
            case .armFault:
                do throws(FaultRefused) { _ = try faultReader.read(request.body) } catch {
                    throw ConfigurationError(with.appending("fault"), error.description)
                }
                lastFault += 1
                faults.insert(lastFault)
            case .removeFault:
                guard let number = step.arguments["fault"]?.integer, faults.remove(number) != nil else {
                    throw ConfigurationError(
                        with.appending("fault"), "there is no such fault at that time: faults are numbered from 1, the sandbox's first")
                }
            case .clearFaults: faults = []
            case .rotateKeys:
                let vendor = request.request.parts.pathParameters["vendor"] ?? ""
                guard vendors[vendor] != nil else { throw world.unknownVendor(vendor, at: with.appending("vendor")) }
            case .setClock:
                _ = try SandboxClock.Setting(request.body, at: with)
            case .changeTenant:
                let vendor = request.request.parts.pathParameters["vendor"] ?? ""
                tenants[vendor] = try world.tried(request.body, of: vendor, among: tenants, seed: 1, at: with)
            default: break
            }
        }
    }
}
