import SparringVendorKit

/// Handlers of the tag "Visitors" (CXone reference 3.3 and 3.4).
extension CXone {
    func createOrUpdateVisitor(_ db: Database, _ call: Call) throws -> Decision {
        let (brand, sandbox, id) = (call.tenant.id, call.sandbox.id, call.path("visitorId"))
        let identity = call.body?["customerIdentity"]
        let customer = identity?["idOnExternalPlatform"]?.string ?? ""
        let known = try CustomerState.visitor(id, of: brand, sandbox, db)
        let fingerprint = call.body?["browserFingerprint"]
        let visitor = CustomerState.Visitor(
            brand: brand, id: id, customer: customer, platform: fingerprint?["os"]?.string,
            device: fingerprint?["deviceToken"]?.string.flatMap { $0.isEmpty ? nil : $0 })
        let findings = try findings(of: visitor, known: known, call, db)
        try visitor.keep(sandbox, db)
        if try CustomerState.customer(customer, of: brand, sandbox, db) == nil {
            try CustomerState.Customer(
                brand: brand, id: customer, firstName: identity?["firstName"]?.string ?? "",
                lastName: identity?["lastName"]?.string ?? "", isSignedIn: false, lastSeen: call.now
            ).keep(sandbox, db)
        }
        if let device = visitor.device { try register(device, of: visitor, customer, call, db) }
        let words = known.map { $0.customer == customer ? "known" : "known as \($0.customer)'s" } ?? "new"
        var answer = Answer(
            "visitor-kept", [:],
            cause: "visitor \(id) of customer \(customer), \(words)\(visitor.device == nil ? "" : ", with a device for pushes")")
        answer.findings = findings
        return .answer(answer)
    }

    /// Visitor and customer are made once, and stored (Event diagrams, Application Becomes Active). Only the brand may call a customer otherwise.
    private func findings(
        of visitor: CustomerState.Visitor, known: CustomerState.Visitor?, _ call: Call, _ db: Database
    ) throws -> [Finding] {
        let (brand, sandbox) = (call.tenant.id, call.sandbox.id)
        if let known, known.customer != visitor.customer {
            let isSignedIn = try [known.customer, visitor.customer].contains {
                try CustomerState.customer($0, of: brand, sandbox, db)?.isSignedIn == true
            }
            if isSignedIn { return [] }
            return [
                Finding(
                    "customer-changed", at: "body:/customerIdentity/idOnExternalPlatform",
                    "visitor \(visitor.id) was \(known.customer) before")
            ]
        }
        guard known == nil else { return [] }
        if let device = visitor.device {
            let earlier = try CustomerState.visitors(on: device, brand, sandbox, db).first
            return earlier.map { [Finding("visitor-changed", at: "path:visitorId", "the device was visitor \($0.id) before")] } ?? []
        }
        // A customer whom the brand knows by name may come from several devices; the id of another was made on the device.
        guard try CustomerState.customer(visitor.customer, of: brand, sandbox, db)?.isSignedIn == false,
            let earlier = try CustomerState.visitors(of: visitor.customer, brand, sandbox, db).first(where: {
                $0.platform == visitor.platform
            })
        else { return [] }
        return [Finding("another-visitor", at: "path:visitorId", "customer \(visitor.customer) was visitor \(earlier.id) before")]
    }

    func reportVisitorEvent(_ db: Database, _ call: Call) throws -> Decision {
        let (brand, sandbox, id) = (call.tenant.id, call.sandbox.id, call.path("visitorId"))
        let type = call.field("type") ?? ""
        let data = call.body?["data"]
        var what = type
        if let url = data?["url"]?.string { what += " of \(url.abbreviated(to: 200))" }
        guard var visitor = try CustomerState.visitor(id, of: brand, sandbox, db) else {
            return .answer("event-kept", [:], cause: "\(what); the visitor is unknown")
        }
        visitor.destination = call.body?["destination"]?["id"]?.string ?? visitor.destination
        var findings = self.findings(ofVisit: call.field("visitId"), visitor, call)
        // A page that was left open is ended in the visit that it belongs to, however late.
        let isLateEnd = type == "TimeSpentOnPage" && !findings.isEmpty
        if isLateEnd { findings = [] } else { (visitor.visit, visitor.visitedAt) = (call.field("visitId"), call.now) }
        try visitor.keep(sandbox, db)
        let chats = call.settings(of: self).channels.map {
            Chat(call.occasion, db, vendor: self, channel: $0, customer: visitor.customer)
        }
        var offered: [String] = []
        switch type {
        case "PageView": offered = try chats.flatMap { try $0.offer(on: .pageView, data?["url"]?.string) }
        case "ChatWindowOpened" where !chats.contains { $0.sockets(of: visitor.customer).contains { $0.chat?.visitor == id } }:
            // Apps report it before the socket is there, or while the customer is being signed in (SDK for iOS, docs/cs-analytics.md and
            // docs/samples.md).
            try CustomerState.set(hasOpenedWindow: true, of: id, brand, sandbox, db)
        case "ChatWindowOpened": offered = try chats.flatMap { try $0.openWindow() }
        default: break
        }
        if !offered.isEmpty { what += "; it sets off \(offered.joined(separator: ", "))" }
        var answer = Answer("event-kept", [:], cause: what)
        answer.findings = findings
        return .answer(answer)
    }

    /// How late an event may come for its visit: clients and the sandbox have clocks of their own.
    private static let visitTolerance = Duration.seconds(60)

    /// A visit lasts so long from its last event (Event diagrams, View Page; CXone reference 3.4).
    private func findings(ofVisit visit: String?, _ known: CustomerState.Visitor, _ call: Call) -> [Finding] {
        let length = call.settings(of: self).visitLength
        guard let visit, let last = known.visitedAt, known.visit == visit, call.now - last > length + Self.visitTolerance else { return [] }
        return [
            Finding(
                "visit-expired", at: "body:/visitId",
                "the visit's last event came \((call.now - last).words) ago, and it lasts \(length.words)")
        ]
    }

    /// The device gets pushes for who is signed in on it.
    private func register(_ token: String, of visitor: CustomerState.Visitor, _ customer: String, _ call: Call, _ db: Database) throws {
        let isApple = visitor.platform?.lowercased().contains("ios") == true
        try call.sandbox.devices.put(
            Device(
                token: token, app: "cxone-\(call.tenant.id)", pushType: isApple ? "APNS" : "FCM", vendor: name, owner: customer,
                consumer: customer), db)
    }
}
