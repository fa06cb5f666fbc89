import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// The fresh sandbox in which a recording is replayed.
enum ReplaySandbox {
    /// Makes the one in which it was recorded, if Sparring did that; otherwise one whose tenants have the ids that the calls name.
    ///
    /// - Parameter tried: settings in place of all others.
    /// - Throws: ``World/ChangeError``, ``ConfigurationError``.
    static func make(
        for archive: Archive, _ placed: [RecordingReader.PlacedCall], _ configured: ConfigurationFile?, trying tried: JSON.Object,
        at begin: Timestamp, in server: Server
    ) async throws -> Sandbox {
        var request = World.SandboxRequest()
        request.name = archive.sandbox?.id ?? "replay"
        request.clock = ["mode": "frozen", "now": .string(begin.description)]
        guard let recorded = archive.sandbox else {
            for (vendor, id) in tenants(placed, server) { request.tenants[vendor] = [id.key: .string(id.value)] }
            return try await make(request, nil, configured, tried, in: server)
        }
        let given = recorded.creation["given"]
        request.seed = recorded.seed
        request.idSeed = given?["idSeed"]?.integer
        request.tenants = given?["tenants"]?.object ?? [:]
        for (vendor, id) in recorded.ids {
            guard let key = server.admin.vendors[vendor]?.tenantKey else { continue }
            request.tenants[vendor] = JSON.object([key: .string(id)]).merging(request.tenants[vendor] ?? [:])
        }
        request.policies = recorded.creation["policies"]?.object ?? [:]
        let scenario = try recorded.creation["scenario"].map { try Scenario($0) }
        // The scenario's come first, and are made with it.
        request.faults = Array((recorded.creation["faults"]?.array ?? []).dropFirst(scenario?.sandbox.faults.count ?? 0))
        return try await make(request, scenario, configured, tried, in: server)
    }

    /// - Parameter configured: its sandbox of the same name, or its first, has further settings.
    private static func make(
        _ request: World.SandboxRequest, _ scenario: Scenario?, _ configured: ConfigurationFile?, _ tried: JSON.Object, in server: Server
    ) async throws -> Sandbox {
        var request = request
        guard let configured,
            let declared = configured.sandboxes.first(where: { $0.request.name == request.name }) ?? configured.sandboxes.first
        else {
            request.tenants = JSON.object(request.tenants).merging(.object(tried)).object ?? [:]
            return try await server.create(request, from: scenario)
        }
        request.seed = declared.request.seed ?? request.seed
        request.tenants =
            JSON.object(request.tenants).merging(.object(declared.request.tenants)).merging(.object(tried)).object ?? [:]
        request.policies = JSON.object(request.policies).merging(.object(declared.request.policies)).object ?? [:]
        request.faults += declared.request.faults
        let declaredScenario = try configured.scenario(of: declared, among: server.scenarios)
        do { return try await server.create(request, from: scenario ?? declaredScenario) } catch let error as World.ChangeError {
            throw configured.located(error, declared.pointer)
        }
    }

    /// The first id that a call names of each vendor.
    private static func tenants(_ placed: [RecordingReader.PlacedCall], _ server: Server) -> [String: (key: String, value: String)] {
        var found: [String: (key: String, value: String)] = [:]
        for call in placed where found[call.operation.vendor] == nil {
            guard let vendor = server.admin.vendors[call.operation.vendor] else { continue }
            let body = try? JSON(parsing: call.request.body)
            if let id = call.operation.tenant.lazy.compactMap({ $0.value(in: call.request, body: body) }).first,
                id.allSatisfy({ $0 != "«" })
            {
                found[call.operation.vendor] = (vendor.tenantKey, id)
            }
        }
        return found
    }

    /// Lets the sandbox's credentials stand for the placeholders of those of the recorded one.
    static func note(_ secrets: [RecordedSandbox.Secret], of sandbox: Sandbox, in correspondence: inout Correspondence) {
        for secret in secrets {
            guard let value = sandbox.tenant(of: secret.vendor)?.configuration[secret.place]?.string else { continue }
            correspondence.note(secret.placeholder, value)
        }
    }

    /// The addresses at which the recorded client found its server.
    static func addresses(of placed: [RecordingReader.PlacedCall], _ contracts: [Contract], _ hosts: [ServerHost]) -> Addresses {
        var (port, tlsPort) = (80, Int?.none)
        var names: Set = ["localhost", "127.0.0.1", "::1"]
        var isPortKnown = false
        for call in placed {
            guard let authority = Authority(call.call.authority) else { continue }
            let isTLS = ["https", "wss"].contains(call.call.scheme)
            if isTLS {
                tlsPort = tlsPort ?? authority.port ?? 443
            } else if !isPortKnown {
                (port, isPortKnown) = (authority.port ?? 80, true)
            }
            if authority.host.hasSuffix(".localhost") { names.insert(authority.host.lowercased()) }
        }
        var addresses = Addresses(port: port, tlsPort: tlsPort, hosts: names, advertised: nil)
        addresses.emulated = contracts.flatMap(\.vendorHosts) + hosts
        return addresses
    }
}
