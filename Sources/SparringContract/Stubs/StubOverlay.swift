public import SparringJSON

/// An overlay with which a contract has stubs of its own.
public struct StubOverlay {
    private let stubs: [DefinedStub]
    private let contract: Contract

    init(_ stubs: [DefinedStub], _ contract: Contract) { (self.stubs, self.contract) = (stubs, contract) }

    /// - Parameter configured: the stubs of a tenant, by the names of their operations. Those that only choose an answer belong to a stub of the contract, and are
    ///   left out.
    /// - Throws: ``ConfigurationError`` at the member that is wrong.
    public init(_ configured: JSON.Object, of contract: Contract) throws(ConfigurationError) {
        var stubs: [DefinedStub] = []
        for (id, json) in configured where json["answer"] == nil {
            do throws(ConfigurationError) { stubs.append(try DefinedStub(id: id, json)) } catch { throw error.inside([id]) }
        }
        self.init(stubs, contract)
    }

    public var isEmpty: Bool { stubs.isEmpty }

    /// An Overlay 1.1 in YAML.
    ///
    /// - Throws: ``ConfigurationError`` for an example whose values cannot be read.
    public var text: String {
        get throws(ConfigurationError) {
            var actions: [JSON] = []
            for stub in stubs { actions.append(try action(for: stub)) }
            let overlay: JSON = [
                "overlay": "1.1.0", "info": ["title": "Calls that our client makes", "version": "1"], "extends": .string(file),
                "actions": .array(actions),
            ]
            return overlay.yaml
        }
    }

    /// The name of the contract's document for calls.
    private var file: String {
        let file = contract.operations.first { $0.channel == nil }?.file ?? contract.file
        return String(file.split(separator: "/").last ?? "")
    }

    /// Makes it an operation of the contract, or a stub of the operation that has its place there.
    func action(for stub: DefinedStub) throws(ConfigurationError) -> JSON {
        let item = "$.paths" + JSONPathText.member(stub.call.path)
        let verb = stub.call.method.lowercased()
        if let known = contract.operations.first(where: stub.call.isOf) {
            let target = known.place.path.isEmpty ? item + JSONPathText.member(verb) : known.place.path
            return .update(target, ["x-stub": .string(DefinedStub.answer), "responses": stub.responses])
        }
        var operation = try stub.operation(tag: tag(for: stub))
        if let tenant = tenant(in: stub.call), let refusal = unknownTenant {
            operation["x-tenant"] = .string("$request.path.\(tenant)")
            operation["responses"] = stub.responses.merging(refusal)
        }
        return .update("$.paths", .object([stub.call.path: .object([verb: operation])]))
    }

    /// The tag of the operation that is most like it.
    private func tag(for stub: DefinedStub) -> String {
        stub.call.kin(among: contract.operations.filter { $0.channel == nil })?.tag ?? ""
    }

    /// The parameter of its path that names the tenant in other operations of the contract.
    private func tenant(in call: StubCall) -> String? {
        let names = contract.operations.flatMap(\.tenant).compactMap { source in
            if case .path(let name) = source.location { name } else { nil }
        }
        return call.template.parameters.first(where: names.contains)
    }

    /// The response to a call of nobody's, which each operation with a tenant has.
    ///
    /// - Returns: nil where the contract demands one and has none to copy.
    private var unknownTenant: JSON? {
        guard contract.unknownTenantAnswer != nil else { return [:] }
        let answers = contract.operations.filter { $0.channel == nil }.flatMap(\.answers)
        guard let answer = answers.first(where: { $0.name == contract.unknownTenantAnswer }), let status = answer.status else { return nil }
        let example: JSON = .object([answer.name: .members(["value": answer.example])])
        return .object([
            String(status): .members([
                "description": "There is no such tenant.", "x-outcome": .string(answer.outcome.rawValue),
                "x-name": answer.mediaType == nil ? .string(answer.name) : nil,
                "content": answer.mediaType.map { .object([$0: ["examples": example]]) },
            ])
        ])
    }
}
