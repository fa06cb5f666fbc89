import SparringVendorKit

/// An account's data for clients, signed in or not: service acCdnDomain, without credentials. JSON, or a script for the query's `cb`.
extension LivePerson {
    func readAgentProfile(_ call: Call) -> Decision {
        let name = call.path("userId")
        guard let agent = call.settings(of: self).agents.first(where: { $0.pid == name || $0.userId == name }) else {
            return .refusal(Refusal("agent-unknown", "the account has no agent \(name.quoted)"))
        }
        return .answer(published("agent-profile", agent.publicProfile, call))
    }

    func listAccountProperties(_ call: Call) -> Decision {
        let properties = call.settings(of: self).properties.map { id, value -> JSON in
            [
                "id": .string(id), "createdDate": "2027-01-01 00:00:00", "type": .integer(Self.type(of: value)),
                "propertyValue": ["value": value], "deleted": false,
            ]
        }
        return .answer(published("account-properties", .array(properties), call))
    }

    /// Zones are parts of web pages: no account has any here.
    func listZones(_ call: Call) -> Decision { .answer(published("zones", [], call)) }

    func readRefererRestrictions(_ call: Call) -> Decision {
        .answer(published("no-restrictions", ["error": "mock-no-restrictions"], call))
    }

    /// The contract has each answer twice: as JSON, and under its name with `-script` at the end.
    private func published(_ name: String, _ body: JSON, _ call: Call) -> Answer {
        Answer(call.query("cb") == nil ? name : name + "-script", body)
    }

    /// The number of a property's type.
    private static func type(of value: JSON) -> Int64 {
        switch value {
        case .bool: 1
        case .array: 3
        case .object: 4
        case .null, .integer, .number, .string: 2
        }
    }
}
