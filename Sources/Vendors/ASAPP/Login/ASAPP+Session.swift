import SparringVendorKit

/// Starting a session (ASAPP reference 2.2 and 2.6).
extension ASAPP {
    func decryptionKey() throws(TokenError) -> DecryptionKey { try DecryptionKey(keys.vendorEncryption()) }

    /// The credentials, in words, that prove the user to be who the app says; an anonymous one needs none.
    func prepareSession(_ call: Call) async throws -> String {
        guard let user = call.field("userIdentifier") else { return "anonymous" }
        try requireSecret(call)
        let check = ContextCheck(call: call, vendor: self, decryptionKey: try decryptionKey())
        return try await check.check(call.body?["context"], of: user)
    }

    func startSession(_ db: Database, _ call: Call, _ words: String) throws -> Decision {
        try requireSecret(call)
        let (company, sandbox) = (call.tenant.id, call.sandbox.id)
        var findings: [Finding] = []
        let before = try? session(call, db).1
        var customer: CompanyCustomer
        if let user = call.field("userIdentifier") {
            findings += PersonalData.findings(inIdentifier: user)
            if let left = try stillRegistered(before, besides: user, sandbox, db) { findings.append(left) }
            customer = try identified(user, before, call, db)
        } else if let before, before.user == nil {
            customer = before
        } else {
            customer = CompanyCustomer(company: company, id: "c-" + call.draw("customer").hex.prefix(10), lastSeen: call.now)
        }
        customer.signIns += 1
        customer.lastSeen = call.now
        try CompanyCustomerState.keep(customer, sandbox, db)
        let session = ChatSession(
            token: String(call.secret("session").hex.prefix(32)), company: company, customer: customer.id, credentials: words,
            expiresAt: call.now + call.settings(of: self).sessionLifetime)
        try ChatSessionState.insert(session, sandbox, db)
        try call.sandbox.issued(session.token, to: customer.name, db)
        var answer = Answer(
            "session-started",
            [
                "sessionToken": .string(session.token), "customerId": .string(customer.id), "anonymous": .bool(customer.user == nil),
            ], cause: "\(customer.name): \(words)")
        answer.findings = findings
        return .answer(answer)
    }

    /// A user who signs in takes along what the session said before without a name (assumed).
    private func identified(_ user: String, _ before: CompanyCustomer?, _ call: Call, _ db: Database) throws -> CompanyCustomer {
        let (company, sandbox) = (call.tenant.id, call.sandbox.id)
        let known = try CompanyCustomerState.customer(user: user, of: company, sandbox, db)
        guard var anonymous = before, anonymous.user == nil else {
            return known
                ?? CompanyCustomer(company: company, id: "c-" + call.draw("customer").hex.prefix(10), user: user, lastSeen: call.now)
        }
        try call.proves(anonymous.id, is: user, db)
        guard var known else {
            anonymous.user = user
            return anonymous
        }
        try IssueState.move(from: anonymous, to: known, sandbox, db)
        try PushTokenState.move(from: anonymous, to: known, sandbox, db)
        known.unread += anonymous.unread
        return known
    }

    /// The app changes the user, and the one before is registered for pushes still (ASAPP reference 2.3).
    private func stillRegistered(
        _ before: CompanyCustomer?, besides user: String, _ sandbox: String, _ db: Database
    ) throws -> Finding? {
        guard let before, let name = before.user, !name.isSame(as: user) else { return nil }
        let devices = try PushTokenState.registrations(of: before, sandbox, db).map(\.device)
        guard !devices.isEmpty else { return nil }
        return Finding(
            "user-left-registered", at: "header:authorization",
            "\(name) goes on getting pushes on \(devices.map(\.quoted).joined(separator: ", ")): nobody deregistered before \(user) came")
    }
}

/// Text that looks like a person's data where an opaque text belongs (ASAPP reference 2.2 and 2.3; Push Notifications).
enum PersonalData {
    static func findings(inIdentifier user: String) -> [Finding] {
        looksPersonal(user)
            ? [Finding("personal-data-in-identifier", at: "body:/userIdentifier", "it looks like a mail address or a phone number")] : []
    }

    /// A device token may be a JWT or JSON in Base64; personal data in it are to be agreed with ASAPP.
    static func findings(inDeviceToken token: String) -> [Finding] {
        for json in decoded(token) {
            guard let found = member(of: json) else { continue }
            return [
                Finding(
                    "personal-data-in-device-token", at: "body:/deviceToken", "it decodes to JSON, whose member \(found) looks personal")
            ]
        }
        return looksPersonal(token)
            ? [Finding("personal-data-in-device-token", at: "body:/deviceToken", "it looks like a mail address or a phone number")] : []
    }

    /// The JSON that a token holds: as it is or in Base64, or as the payload of a JWT, which may be in Base64 itself.
    private static func decoded(_ token: String) -> [JSON] {
        let inner = Base64.decode(token).flatMap { String(validating: $0, as: UTF8.self) }
        return [token, inner].compactMap(\.self).flatMap { text -> [JSON] in
            let plain = try? JSON(parsing: text)
            let payload = (try? JWS(parsing: text))?.payload
            return [plain, payload].compactMap(\.self).filter { $0.object != nil }
        }
    }

    private static let names = ["email", "mail", "phone", "name", "given_name", "family_name", "birthdate", "address", "ssn"]

    private static func member(of json: JSON) -> String? {
        json.object?.first { name, value in
            guard let text = value.string else { return value.object != nil && member(of: value) != nil }
            return names.contains(name.lowercased()) || looksPersonal(text)
        }?.key
    }

    private static func looksPersonal(_ text: String) -> Bool {
        let isMail = text.wholeMatch(of: #/[^@\s]+@[^@\s]+\.[A-Za-z]{2,}/#) != nil
        return isMail || text.wholeMatch(of: #/\+[0-9 ()\-]{7,20}/#) != nil
    }
}
