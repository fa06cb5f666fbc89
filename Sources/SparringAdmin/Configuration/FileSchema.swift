import Foundation
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox
import SparringVerdict

/// The JSON Schema of a file that people write, for their editors: `<name>.schema.yaml` in the contracts' folder, completed with what the vendors,
/// the rules for their clients and the operations of the admin API say.
struct FileSchema {
    private let contract: Contract
    private let vendors: Vendors
    private let behaviours: Behaviours
    private var schema: EditorSchema

    /// - Parameters:
    ///   - contract: the engine's own part of the admin API.
    ///   - folder: of the contracts.
    /// - Throws: ``ContractError`` for a file that cannot be read, a reference that leads nowhere.
    init(_ name: String, in folder: String, _ contract: Contract, _ vendors: Vendors, _ behaviours: Behaviours) throws {
        (self.contract, self.vendors, self.behaviours) = (contract, vendors, behaviours)
        schema = try EditorSchema(name, in: folder)
        if schema.definitions["tenants"] != nil { try addTenants() }
        if schema.definitions["policies"] != nil { addPolicies() }
        if schema.definitions["expectation"] != nil { addClients() }
        if schema.definitions["step"] != nil { try addOperations() }
    }

    var json: JSON {
        var json = schema.json
        FaultSchema(vendors.all.map(\.contract)).complete(&json)
        return json
    }

    private mutating func addTenants() throws {
        var tenants = JSON.Object()
        for vendor in vendors.all { tenants[vendor.name] = vendor.contract.tenant == nil ? true : try schema.tenant(of: vendor.name) }
        schema.definitions["tenants"]?["properties"] = .object(tenants)
    }

    private mutating func addPolicies() {
        var policies = JSON.Object()
        for policy in behaviours.files.flatMap(\.policies) where policies[policy.name] == nil {
            let standard = EditorSchema.words(for: policy.standard).map { " Default: \($0)." } ?? ""
            policies[policy.name] = ["description": .string(policy.says + standard), "$ref": "#/$defs/policyValue"]
        }
        schema.definitions["policies"]?["properties"] = .object(policies)
    }

    /// The flows and platforms that a client may be declared to have.
    private mutating func addClients() {
        for (member, names) in [("flow", behaviours.flows), ("platform", behaviours.platforms)] where !names.isEmpty {
            let others = schema.definitions["expectation"]?["properties"]?[member]?["anyOf"]?.array ?? []
            schema.definitions["expectation"]?["properties"]?[member]?["anyOf"] = .array([["enum": .texts(names)]] + others)
        }
    }

    /// The operations that a step of a timeline may call, with their arguments.
    private mutating func addOperations() throws {
        let operations = TimelineRequest.all(contract, vendors)
        var cases = schema.definitions["step"]?["allOf"]?.array ?? []
        for (name, operation) in operations {
            var arguments = try schema.arguments(of: operation)
            if arguments["properties"]?["vendor"] != nil { arguments["properties"]?["vendor"]?["enum"] = .texts(vendors.all.map(\.name)) }
            if operation.id == AdminOperation.changeTenant.rawValue { arguments["allOf"] = .array(vendors.all.compactMap(change)) }
            let needsNone = arguments["required"] == nil && operation.requestBody?.mediaTypes.first?.schema?.accepts([:]) != false
            cases.append([
                "if": ["required": ["do"], "properties": ["do": ["const": .string(name)]]],
                "then": .members(["required": needsNone ? nil : ["with"], "properties": ["with": arguments]]),
            ])
        }
        schema.definitions["step"]?["allOf"] = .array(cases)
        schema.definitions["step"]?["properties"]?["do"]?["enum"] = .texts(operations.map(\.name))
        schema.definitions["step"]?["properties"]?["do"]?["enumDescriptions"] = .texts(operations.map { $0.operation.summary ?? $0.name })
    }

    /// The members of a vendor's tenant, as a configuration has them, beside the vendor's name; nil if the vendor's code checks them.
    private func change(of vendor: VendorEntry) -> JSON? {
        guard let tenant = vendor.contract.tenant else { return nil }
        var members: JSON.Object = ["vendor": true]
        for field in tenant.fields {
            members[field.name] = ["$ref": .string("configuration.schema.json#/$defs/\(vendor.name)/properties/\(field.name)")]
        }
        return [
            "if": ["required": ["vendor"], "properties": ["vendor": ["const": .string(vendor.name)]]],
            "then": ["properties": .object(members), "additionalProperties": false],
        ]
    }
}
