import SparringVendorKit

/// The device token, which is the company's own and is stored as it comes (ASAPP reference 2.3).
extension ASAPP {
    /// The check of the context that a call brings along; nil where it brings none.
    func prepareContext(_ call: Call) async throws -> Result<String, Refusal>? {
        guard let context = call.body?["context"], context.object?.isEmpty == false else { return nil }
        guard let user = try await call.read({ db in (try? session(call, db))?.1.user }) else { return nil }
        let check = ContextCheck(call: call, vendor: self, decryptionKey: try decryptionKey())
        do throws(Refusal) { return .success(try await check.check(context, of: user)) } catch { return .failure(error) }
    }

    /// The customer who calls, with the words for their credentials.
    private func caller(
        _ call: Call, _ checked: Result<String, Refusal>?, _ db: Database
    ) throws -> (customer: CompanyCustomer, credentials: String) {
        try requireSecret(call)
        let (session, customer) = try session(call, db)
        let words = try checked.map { ", with \(try $0.get())" }
        return (customer, "\(customer.name)'s session" + (words ?? " (\(session.credentials))"))
    }

    func registerPushToken(_ db: Database, _ call: Call, _ checked: Result<String, Refusal>?) throws -> Decision {
        let (customer, credentials) = try caller(call, checked, db)
        let (device, platform) = (call.field("deviceToken") ?? "", call.field("platform") ?? "")
        if device.isEmpty { throw Refusal("device-token-empty", "deviceToken is empty") }
        let (company, sandbox) = (call.tenant.id, call.sandbox.id)
        let findings = PersonalData.findings(inDeviceToken: device) + (try others(than: customer, on: device, call, db))
        try PushTokenState.keep(
            .init(
                company: company, customer: customer.id, device: device, platform: platform, registered: call.now, credentials: credentials),
            sandbox, db)
        try call.sandbox.devices.put(
            Device(
                token: device, app: "asapp-\(company)", pushType: platform == "ios" ? "APNS" : "FCM", vendor: name, owner: customer.id,
                consumer: customer.name), db)
        var answer = Answer("registered", cause: "\(device.abbreviated(to: 100).quoted) by \(credentials)")
        answer.findings = findings
        return .answer(answer)
    }

    /// Findings about the others who are registered for the device too; where a device has one user only, they are removed instead.
    private func others(than customer: CompanyCustomer, on device: String, _ call: Call, _ db: Database) throws -> [Finding] {
        let (company, sandbox) = (call.tenant.id, call.sandbox.id)
        var findings: [Finding] = []
        for other in try PushTokenState.registrations(on: device, of: company, sandbox, db) where other.customer != customer.id {
            guard let owner = try CompanyCustomerState.customer(other.customer, of: company, sandbox, db) else { continue }
            if call.settings(of: self).oneUserForEachDevice {
                _ = try PushTokenState.remove(of: owner, device: device, sandbox, db)
            } else if owner.user != nil {
                findings.append(
                    Finding(
                        "device-of-another", at: "body:/deviceToken",
                        "\(owner.name) is registered for this device too, and was never deregistered"))
            } else {
                // The same person, who has signed in since: a session that had brought the anonymous one's would have taken all of it over.
                if customer.user != nil { try call.proves(owner.id, is: customer.name, db) }
                findings.append(
                    Finding(
                        "anonymous-session-left-behind", at: "header:authorization",
                        "\(owner.id) had this device: the app has left their session, and their messages are lost to it"))
            }
        }
        return findings
    }

    func deregisterPushToken(_ db: Database, _ call: Call, _ checked: Result<String, Refusal>?) throws -> Decision {
        let (customer, credentials) = try caller(call, checked, db)
        let device = call.field("deviceToken")
        if device?.isEmpty == true { throw Refusal("device-token-empty", "deviceToken is empty") }
        let gone = try PushTokenState.remove(of: customer, device: device, call.sandbox.id, db)
        let words = gone.isEmpty ? "nothing was registered" : gone.map { $0.device.abbreviated(to: 100).quoted }.joined(separator: ", ")
        return .answer("deregistered", cause: "\(words), by \(credentials)")
    }

    func registrations(on device: String, of tenant: Tenant, _ db: Database) throws -> [JSON] {
        try PushTokenState.registrations(on: device, of: tenant.id, tenant.sandbox, db).map { registration in
            let owner = try CompanyCustomerState.customer(registration.customer, of: tenant.id, tenant.sandbox, db)
            return [
                "consumer": .string(owner?.name ?? registration.customer), "appId": .string("asapp-\(tenant.id)"),
                "registeredAt": .string(registration.registered.description),
            ]
        }
    }
}
