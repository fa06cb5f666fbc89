public import SparringJSON

/// A stub as somebody asks for it: without the name of its operation and without its vendor, where these can be found.
public struct StubForm: Sendable {
    /// In the form of a tenant's configuration.
    public let configured: JSON
    let call: StubCall
    private let name: String?
    private let vendor: String?
    /// Before the name of a header.
    private static let header = "header:"
    private static let members = ["call", "status", "headers", "type", "body", "name", "vendor"]

    /// - Parameter body: of the schema `StubForm` of the admin API.
    /// - Throws: ``ConfigurationError`` at the member that is wrong.
    public init(_ body: JSON) throws(ConfigurationError) {
        var stub = JSON.Object()
        var headers = body["headers"]?.object ?? [:]
        for (member, value) in body.object ?? [:] where !["headers", "name", "vendor"].contains(member) {
            guard member.hasPrefix(Self.header) else {
                guard Self.members.contains(member) else {
                    throw ConfigurationError([member], "unknown member\(Nearest.hint(for: member, in: Self.members))")
                }
                stub[member] = value
                continue
            }
            headers[String(member.dropFirst(Self.header.count))] = .string(value.string ?? value.text)
        }
        if !headers.isEmpty { stub["headers"] = .object(headers) }
        do throws(ConfigurationError) { call = try StubCall(body["call"]?.string ?? "") } catch { throw error.inside(["call"]) }
        (configured, name, vendor) = (.object(stub), body["name"]?.string, body["vendor"]?.string)
    }

    /// The contract that its operation is added to: the one that was named; else the one that has the call; else the one that has the most similar path.
    ///
    /// - Returns: nil where none is like that.
    /// - Throws: ``ConfigurationError`` for a vendor that there is not.
    public func contract(among contracts: [Contract]) throws(ConfigurationError) -> Contract? {
        if let vendor {
            if let named = contracts.first(where: { $0.vendor == vendor }) { return named }
            throw ConfigurationError(
                ["vendor"], "there is no vendor \(vendor.quoted)\(Nearest.hint(for: vendor, in: contracts.map(\.vendor)))")
        }
        if let known = contracts.first(where: { $0.operations.contains(where: call.isOf) }) { return known }
        guard let kin = call.kin(among: contracts.flatMap(\.operations)), call.kinship(with: kin) > 0 else { return nil }
        return contracts.first { $0.vendor == kin.vendor }
    }

    /// The name of its operation: the one that was given, the contract's own for the call, or one made of the call that nothing else has.
    ///
    /// - Parameter configured: the stubs that the tenant has already. Another stub for the same call is replaced.
    public func name(in contract: Contract, beside configured: JSON.Object) -> String {
        if let name { return name }
        if let known = contract.operations.first(where: call.isOf) { return known.id }
        let text = self.configured["call"]
        if let same = configured.first(where: { $0.value["call"] == text }) { return same.key }
        var (candidate, number) = (call.name, 1)
        while contract.operation(candidate) != nil || configured[candidate] != nil {
            number += 1
            candidate = "\(call.name)\(number)"
        }
        return candidate
    }

    /// The overlay that makes it an operation of the contract for everybody.
    ///
    /// - Returns: an Overlay 1.1 in YAML.
    /// - Throws: ``ConfigurationError`` at the member that is wrong.
    public func overlay(of contract: Contract) throws(ConfigurationError) -> String {
        let stub = try DefinedStub(id: name(in: contract, beside: [:]), configured)
        return try StubOverlay([stub], contract).text
    }
}
