import SparringVendorKit

/// Handlers of the tag "Monitoring" (LivePerson reference 9).
extension LivePerson {
    /// Checks the query and the path, and opens encrypted identities.
    func prepareMonitoring(_ call: Call) async throws -> VisitorReport {
        try checkAddress(of: call)
        var report = VisitorReport(call.body)
        for (index, identity) in report.identities.enumerated() where identity.isEncrypted {
            let check = CredentialCheck(call: call, trust: call.settings(of: self).trust, decryptionKey: try decryptionKey())
            let verified: CredentialCheck.Verified
            do throws(Refusal) { verified = try await check.check(identity.sub, chosen: nil) } catch {
                throw Refusal("identity-invalid", "identity \(index + 1), a JWE: \(error.cause)")
            }
            report.identities[index].sub = verified.sub
            report.identities[index].iss = verified.iss
            report.identities[index].wasEncrypted = true
        }
        return report
    }

    /// The same at once, where no identity has to be decrypted; nil for a call that is refused, too.
    func plainReport(_ call: Call) -> VisitorReport? {
        guard (try? checkAddress(of: call)) != nil else { return nil }
        let report = VisitorReport(call.body)
        return report.identities.contains(where: \.isEncrypted) ? nil : report
    }

    private func checkAddress(of call: Call) throws {
        let version = call.query("v") ?? ""
        guard ["1.0", "1.1"].contains(version) else { throw Refusal("version-unsupported", "v is '\(version)', neither 1.0 nor 1.1") }
        let installation = call.path("appInstallationId")
        let known = call.settings(of: self).monitoring.appInstallationIds
        guard MonitoringId.isSound(installation), known.isEmpty || known.contains(installation) else {
            let there = known.isEmpty ? "" : "; there is \(known.joined(separator: ", "))"
            throw Refusal("app-installation-invalid", "'\(installation)' is not an app installation of the account\(there)")
        }
        for (parameter, name) in [("vid", "visitor-invalid"), ("sid", "session-invalid")] {
            guard let id = call.query(parameter), !MonitoringId.isSound(id) else { continue }
            throw Refusal(name, "\(parameter) is '\(id)', not \(MonitoringId.words)")
        }
    }

    func fetchEngagement(_ db: Database, _ call: Call, _ report: VisitorReport) throws -> Decision {
        let settings = call.settings(of: self)
        var visit = try visit(report, call, db)
        if !report.entryPoints.isEmpty { visit.said.append("at \(report.entryPoints.joined(separator: ", "))") }
        if let conversation = try openConversation(of: report, call, db) {
            visit.said.append("open conversation \(conversation.id) shown")
            visit.body["engagementDetails"] = [detail(of: conversation, settings)]
        } else {
            switch settings.campaigns.choose(for: report.audience, at: report.entryPoints) {
            case .nothing(let why): visit.said.append("no engagement: \(why)")
            case .engagement(let engagement):
                let fetched = try MonitoringState.Fetched.note(engagement, in: visit.session, call.sandbox.id, at: call.now, db)
                visit.said.append("engagement \(engagement.id) of campaign \(engagement.campaign) shown, context \(fetched.context)")
                visit.body["engagementDetails"] = [
                    detail(of: engagement, ["contextId": .string(String(fetched.context)), "status": "expose"], settings)
                ]
            }
        }
        if let reported = report.reported { visit.said.append(reported) }
        return .answer(visit.answer)
    }

    func reportAttributes(_ db: Database, _ call: Call, _ report: VisitorReport) throws -> Decision {
        guard report.namesSomebody || call.query("vid") != nil else {
            throw Refusal("consumer-missing", "neither consumerId nor identities nor vid say of whom the report is")
        }
        var visit = try visit(report, call, db)
        visit.said.append(report.reported ?? "nothing reported")
        let fetched = try MonitoringState.Fetched.all(in: visit.session, call.sandbox.id, db)
        let campaigns = call.settings(of: self).campaigns
        for impression in report.impressions {
            if let breach = impression.breach(campaigns, fetched) { visit.breaches.append(breach) }
        }
        return .answer(visit.answer)
    }

    // MARK: The session

    /// A call that has found its session, or begun one.
    private struct Visit {
        var session: MonitoringState.Session
        var isNew: Bool
        var body: JSON
        /// For the journal: what happened, and which rules the client broke.
        var said: [String]
        var breaches: [String]

        var answer: Answer {
            let cause = (said + breaches.map { "against the rules: \($0)" }).joined(separator: "; ")
            return Answer(isNew ? "session-new" : "session-known", body, cause: cause)
        }
    }

    /// The session that both ids name, or else a new one. A visitor whose id LivePerson has never seen is taken at their word: clients
    /// come back with the id that the text of a refusal named.
    private func visit(_ report: VisitorReport, _ call: Call, _ db: Database) throws -> Visit {
        let (vid, sid) = (call.query("vid"), call.query("sid"))
        let lifetime = call.settings(of: self).monitoring.sessionLifetime
        var session = MonitoringState.Session(visitor: vid ?? newVisitor(call), id: sid ?? "")
        let isKnown =
            try vid != nil && sid != nil
            && session.touch(call.sandbox.id, at: call.now, seenAfter: call.now - lifetime, db)
        if !isKnown {
            session.id = String(call.draw("session").hex.prefix(22))
            try session.open(call.sandbox.id, at: call.now, db)
        }
        // Later calls with nothing but the visitor's id belong to the client that came by name.
        if vid == nil, call.lane != call.operation.qualifiedName { try call.sandbox.issued(session.visitor, to: call.lane, db) }
        let why = isKnown ? "known session" : sid == nil ? "new session" : "new session in place of '\(sid ?? "")', which is not known"
        let pageId = report.pageId ?? String(100_000_000 + call.draw("page").number(below: 900_000_000))
        return Visit(
            session: session, isNew: !isKnown,
            body: ["sessionId": .string(session.id), "visitorId": .string(session.visitor), "pageId": .string(pageId)],
            said: ["\(why) of visitor \(session.visitor)", try whose(report, call, db)],
            breaches: (vid == nil && sid != nil ? ["sid came without vid"] : []) + breaches(of: report.identities, call))
    }

    private func whose(_ report: VisitorReport, _ call: Call, _ db: Database) throws -> String {
        guard report.namesSomebody else { return "nobody named" }
        let isKnown = try !consumers(of: report, call, db).isEmpty
        return report.whose + (isKnown ? "" : ", never signed in at LivePerson")
    }

    private func newVisitor(_ call: Call) -> String { String(call.draw("visitor").hex.prefix(22)) }

    /// Breaches of the reference's requirements for identities (9.1).
    private func breaches(of identities: [VisitorReport.Identity], _ call: Call) -> [String] {
        let settings = call.settings(of: self)
        return identities.flatMap { identity -> [String] in
            var breaches: [String] = []
            if !identity.wasEncrypted, (try? JWS(parsing: identity.sub)) != nil {
                breaches.append("the sub of an identity is a whole JWT, not its claim sub")
            }
            if let iss = identity.iss {
                if !identity.isAuthenticated, !iss.hasSuffix("/\(settings.accountId)") {
                    breaches.append("the iss of an unauthenticated identity is '\(iss)', not the lookup's domain, '/' and the account id")
                }
                if identity.isAuthenticated, issuers(called: iss, call).isEmpty {
                    breaches.append("the iss of an authenticated identity is '\(iss)', which is not an issuer of the account")
                }
            }
            return breaches
        }
    }

    func issuers(called iss: String, _ call: Call) -> [BrandIssuer] {
        call.settings(of: self).trust.issuers.filter { issuer in
            issuer.iss.hasPrefix("/") ? call.addresses.ownTarget(of: iss, anyPort: true) == issuer.iss : issuer.iss == iss
        }
    }

    // MARK: Refusals

    /// Each has the sandbox's time, those that name something name it, also where a fault asked for them.
    func renderMonitoring(_ refusal: Refusal, for call: Call) -> Answer {
        var name = refusal.name
        if name == "account-loading", call.query("v") == "1.1" { name = "account-loading-accepted" }
        var body = call.operation.answer(name)?.example ?? [:]
        body["time"] = .integer(call.now.milliseconds)
        switch refusal.name {
        case "account-loading":
            let vid = call.query("vid").flatMap { MonitoringId.isSound($0) ? $0 : nil } ?? newVisitor(call)
            body["message"] = .string("Loading account: \(call.tenant.id), vid: \(vid)")
        case "request-malformed" where !refusal.isForced: body["message"] = .string(culprit(call))
        default: break
        }
        return Answer(name, body: .json(body))
    }

    /// The parameter or member that the contract does not accept; LivePerson reference 9.3 has such a name as its example of a message.
    private func culprit(_ call: Call) -> String {
        let violations = call.operation.check(call.request).violations
        guard let violation = violations.first(where: { $0.part != .contentType }) else { return "mock-request-malformed" }
        guard violation.part == .body else { return violation.pointer }
        return JSONPointer(violation.pointer)?.tokens.last { Int($0) == nil } ?? "mock-body-malformed"
    }
}
