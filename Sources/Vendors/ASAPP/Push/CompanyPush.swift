import SparringVendorKit

/// An attempt to have a push delivered by the customer's backend.
struct CompanyPush: Sendable {
    static let kind = "push"

    var customer: String
    var name: String
    var device: String
    /// The values of the template's placeholders, but for the secret.
    var values: JSON
    /// From 1.
    var attempt = 1

    init(customer: CompanyCustomer, device: String, values: JSON) {
        (self.customer, name, self.device, self.values) = (customer.id, customer.name, device, values)
    }

    init(_ body: JSON) {
        func text(_ name: String) -> String { body[name]?.string ?? "" }
        (customer, name, device, values) = (text("customer"), text("name"), text("device"), body["values"] ?? [:])
        attempt = body["attempt"]?.integer(in: 1...100) ?? 1
    }

    func item(due: Timestamp, causedBy: JournalEntry.Origin?) -> DueItem {
        DueItem(
            due: due, vendor: ASAPP.vendorName, kind: Self.kind,
            what: "push for \(name) to device \(device.abbreviated(to: 60)), attempt \(attempt)",
            lane: device, key: customer,
            body: [
                "customer": .string(customer), "name": .string(name), "device": .string(device), "values": values,
                "attempt": .integer(Int64(attempt)),
            ], causedBy: causedBy)
    }

    /// The values of the template's placeholders.
    ///
    /// - Parameter id: the message's.
    static func values(_ text: String, id: String, title: String, unread: Int, isLive: Bool) -> JSON {
        [
            "title": .string(title), "body": .string(text), "unreadMessages": .integer(Int64(unread)), "isLiveChat": .bool(isLive),
            "clickAction": .string(clickAction), "messageId": .string(id),
        ]
    }

    /// The intent that opens the chat from a notification (ASAPP reference 2.4, AS-ANOT).
    private static let clickAction = "asapp.intent.action.OPEN_CHAT"

    /// The call of the customer's endpoint.
    ///
    /// - Parameters:
    ///   - url: absolute, or a path of this server.
    ///   - secret: nil: the one that was agreed.
    func request(to endpoint: PushEndpoint, at url: String, secret: String? = nil) -> OutboundRequest {
        let all = placeholders(secret ?? endpoint.secret)
        return OutboundRequest(
            .post, url, headers: endpoint.fields(all), body: endpoint.template.filled(all).bytes, timeout: endpoint.timeout,
            tls: endpoint.tls)
    }

    /// The body that the endpoint gets.
    func body(for endpoint: PushEndpoint) -> JSON { endpoint.template.filled(placeholders(endpoint.secret)) }

    private func placeholders(_ secret: String) -> [PushTemplate.Value: JSON] {
        var all: [PushTemplate.Value: JSON] = [:]
        for value in PushTemplate.Value.allCases { all[value] = values[value.rawValue] }
        all[.authToken] = .string(secret)
        all[.deviceToken] = .string(device)
        return all
    }

    // MARK: Faults

    /// With the number of the push before it.
    var asBefore: CompanyPush {
        var push = self
        push.values["unreadMessages"] = .integer(max(0, (values["unreadMessages"]?.integer(in: 0...Int64(Int32.max)) ?? 0) - 1))
        return push
    }

    /// The request with texts in place of the template's objects; a template without any is left empty.
    func malformed(_ request: OutboundRequest) -> OutboundRequest {
        let body = (try? JSON(parsing: request.body).object) ?? [:]
        let hasObjects = body.values.contains { $0.object != nil }
        var changed = request
        changed.body = JSON.object(hasObjects ? body.mapValues { $0.object == nil ? $0 : .string($0.text) } : [:]).bytes
        return changed
    }
}
