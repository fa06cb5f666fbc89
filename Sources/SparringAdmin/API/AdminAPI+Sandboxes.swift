import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVariation
import SparringVerdict

/// Operations of the tags "Sandboxes", "Tenants" and "Credentials".
extension AdminAPI {
    /// Everything a client must be configured with.
    func json(of sandbox: Sandbox, _ call: AdminCall) -> JSON {
        var tenants = JSON.Object()
        let addresses = call.addresses.meeting(tlsDefect: sandbox.tlsDefect)
        for vendor in vendors.all {
            if let tenant = sandbox.tenant(of: vendor.name) { tenants[vendor.name] = vendor.published(tenant, addresses) }
        }
        return .members([
            "id": .string(sandbox.id), "label": sandbox.label.map { .string($0) }, "node": sandbox.node.map { .string($0.name) },
            "seed": .integer(sandbox.seed),
            "scenario": sandbox.scenario.map { .string($0) },
            "tls": sandbox.creation["scenario"]?["tls"],
            "clock": sandbox.clock.shown, "ends": sandbox.ends.map { .string($0.description) },
            "vary": sandbox.variation?.variations.plan.json,
            "baseURL": .string(addresses.baseURL), "tlsBaseURL": addresses.tlsBaseURL.map { .string($0) },
            "tenants": .object(tenants), "calledBy": world.node == nil ? nil : names(of: sandbox),
        ])
    }

    /// The ids by which clients' calls name the sandbox's tenants, by vendor.
    private func names(of sandbox: Sandbox) -> JSON {
        let names = vendors.all.compactMap { vendor in
            sandbox.tenant(of: vendor.name).map { (vendor.name, JSON.array($0.names.map { .string($0) })) }
        }
        return .object(JSON.Object(uniqueKeysWithValues: names))
    }

    func readSandbox(_ call: AdminCall, _ sandbox: Sandbox) throws -> Answer {
        var shown = json(of: sandbox, call)
        if call.query("made") == "true" {
            let tenants = sandbox.tenants.values.sorted { $0.vendor < $1.vendor }
            shown["made"] = [
                "creation": sandbox.creation,
                "configurations": .object(JSON.Object(uniqueKeysWithValues: tenants.map { ($0.vendor, $0.configuration) })),
                "ids": .object(JSON.Object(uniqueKeysWithValues: tenants.map { ($0.vendor, .string($0.id)) })),
            ]
        }
        return Answer("sandbox", shown)
    }

    func createSandbox(_ call: AdminCall) async throws -> Answer {
        try await requireRoom()
        let scenario = try scenario(call)
        if let scenario { try requirePort(of: scenario, call) }
        do {
            let created = try await world.create(try request(in: call.body), from: scenario?.template)
            return Answer("sandbox-created", json(of: created, call))
        } catch {
            let all = errors(in: call.body, scenario)
            if all.count > 1 { throw AdminProblem(all) }
            throw error
        }
    }

    private func request(in body: JSON) throws(ConfigurationError) -> World.SandboxRequest {
        let members = ["name", "label", "idSeed", "scenario", "ttl", "ttlRenews"] + World.SandboxRequest.members
        var request = try World.SandboxRequest(Declaration(body, at: .root, known: members))
        (request.name, request.idSeed) = (body["name"]?.string, body["idSeed"]?.integer)
        request.label = body["label"]?.string
        request.lifetime = try options.lifetimes.lifetime(body["ttl"], isRenewed: body["ttlRenews"]?.bool)
        _ = try behaviours.with(policies: request.policies, at: ["policies"])
        return request
    }

    /// All that is wrong with a request for a sandbox, whatever other sandboxes there are.
    private func errors(in body: JSON, _ scenario: Scenario?) -> [ConfigurationError] {
        DeclarationReview(of: body) { json throws(ConfigurationError) in
            var whole = try self.request(in: json)
            if let scenario {
                whole.tenants = JSON.object(scenario.sandbox.tenants).merging(.object(whole.tenants)).object ?? [:]
            }
            do throws(World.ChangeError) { _ = try self.world.check(whole, against: nil) } catch {
                switch error {
                case .invalid(let invalid): throw invalid
                case .fault(let place, let refused): throw ConfigurationError(place, refused.description)
                case .exists, .tenantTaken: return
                }
            }
        }.errors
    }

    func deleteSandbox(_ sandbox: Sandbox) async throws -> Answer {
        await options.willForget?(sandbox)
        _ = try await world.delete(sandbox.id)
        return Answer("sandbox-deleted")
    }

    func resetSandbox(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        await options.willForget?(sandbox)
        let fresh = try await world.reset(sandbox.id) { try Scenario($0).template }
        return Answer("sandbox-reset", json(of: fresh ?? sandbox, call))
    }

    func json(ofTenantIn call: AdminCall) throws -> JSON {
        let (_, tenant, vendor) = try tenant(call)
        // What was configured, and what a client must know: the second names some of the first as it is used.
        return tenant.configuration.merging(vendor.published(tenant, call.addresses))
    }

    func changeTenant(_ call: AdminCall) async throws -> Answer {
        let (sandbox, tenant, _) = try tenant(call)
        try await world.change(tenant, in: sandbox, merging: call.body, asked: call.asked, alongside: call.alongside)
        return Answer("tenant", try json(ofTenantIn: call))
    }

    func rotateKeys(_ call: AdminCall) async throws -> Answer {
        let (sandbox, tenant, vendor) = try tenant(call)
        guard let issuer = vendor.vendor as? any CredentialIssuer else {
            throw AdminProblem("no-keys", "\(vendor.name) has no keys to rotate")
        }
        try await world.replace(
            tenant, in: sandbox, cause: "\(vendor.name) rotated its signing key", asked: call.asked, alongside: call.alongside
        ) { try issuer.rotateKeys($0) }
        return Answer("keys-rotated", .members(["kid": vendor.published(tenant, call.addresses)["kid"]]))
    }

    func mintCredential(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        guard
            let (issuer, vendor) = vendors.all.lazy.compactMap({ entry in (entry.vendor as? any CredentialIssuer).map { ($0, entry) } })
                .first,
            let tenant = sandbox.tenant(of: vendor.name)
        else { throw AdminProblem("configuration-invalid", "no vendor of this sandbox issues credentials") }
        // Minting is a call of the lane that the credential is for, so that what is drawn differs each time, over restarts too.
        let subject = (call.body["subject"]?.string ?? "").laneName
        let minting = Minting(
            now: sandbox.clock.now, addresses: call.addresses, contract: vendor.contract, sandbox: sandbox,
            ordinal: sandbox.nextOrdinal(of: subject))
        var entry = sandbox.entry(.configuration, cause: Self.words(ofMinting: call.body))
        entry.lane = subject
        entry.ordinal = minting.ordinal
        entry.note(call.asked)
        do {
            let minted = try await sandbox.write(entry) { db, _ in try issuer.mint(call.body, for: tenant, minting, db) }
            return Answer("credential-minted", minted)
        } catch {
            sandbox.takeBack(minting.ordinal, of: subject)
            throw error
        }
    }

    /// `a code for ada was minted, expired`
    private static func words(ofMinting body: JSON) -> Cause {
        let subject = body["subject"]?.string.map { " for \($0)" } ?? ""
        let defect = body["defect"]?.string.map { ", with the defect \($0)" } ?? ""
        return Cause(stringLiteral: "a \(body["form"]?.string ?? "credential")\(subject) was minted\(defect)")
    }

    func tenant(_ call: AdminCall) throws -> (Sandbox, Tenant, VendorEntry) {
        let sandbox = try sandbox(call)
        let name = call.path("vendor")
        guard let tenant = sandbox.tenant(of: name), let vendor = vendors[name] else {
            throw AdminProblem(
                "tenant-unknown", "sandbox '\(sandbox.id)' has no tenant of a vendor \(name.quoted)",
                unknown: name, known: vendors.all.map(\.name))
        }
        return (sandbox, tenant, vendor)
    }
}
