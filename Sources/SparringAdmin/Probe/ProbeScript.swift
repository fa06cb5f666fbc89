package import SparringContract
package import SparringJSON
import SparringSandbox

/// Steps that are played at a vendor and at a fresh sandbox.
package struct ProbeScript: Sendable {
    /// Such as `liveperson/ios-deep-linking`.
    package let name: String
    package private(set) var steps: [ProbeStep]
    /// The sandbox's tenants.
    package private(set) var tenants: JSON.Object
    /// It sends what every vendor should refuse, so that it needs no permission.
    let isOfRefusals: Bool

    package init(name: String, _ steps: [ProbeStep], tenants: JSON.Object, isOfRefusals: Bool = false) {
        (self.name, self.steps, self.tenants, self.isOfRefusals) = (name, steps, tenants, isOfRefusals)
    }

    package init(name: String, _ transcript: Transcript) throws {
        let steps = try transcript.parts.compactMap { part -> ProbeStep? in
            if case .step(let step) = part { try ProbeStep(step) } else { nil }
        }
        self.init(name: name, steps, tenants: transcript.tenants.object ?? [:])
    }

    /// The words in its names: `token` of `{token-1}`.
    package var kinds: Set<String> {
        let names = steps.flatMap { ProbeNames.names(in: $0.text) + ProbeNames.names(in: $0.expected.text) }
        return Set(names.map { name in String(name.prefix { $0 != "-" }) }).subtracting(["host"])
    }

    /// The same with the ids of other tenants: where a configuration has a text, it stands for that of the script at the same place.
    package func with(_ configured: JSON.Object) -> ProbeScript {
        var ids = Correspondence()
        Self.note(.object(tenants), .object(configured), in: &ids)
        var script = self
        script.tenants = JSON.object(tenants).merging(.object(configured)).object ?? [:]
        for index in steps.indices { script.steps[index].translate(ids) }
        return script
    }

    /// The same for contracts in which operations have other paths, as overlays give them.
    ///
    /// - Parameter shipped: the contracts that it was written for.
    /// - Throws: `ContractError`.
    package func moved(from shipped: [Contract], to contracts: [Contract]) throws(ContractError) -> ProbeScript {
        let routes = try Routes(shipped.filter { $0.vendor != AdminAPI.name })
        func moved(_ request: ProbeStep.Request) -> ProbeStep.Request {
            guard case .found(let operation, let parameters) = routes.match(method: request.method, target: request.target, host: nil),
                let own = contracts.first(where: { $0.vendor == operation.vendor })?.operation(operation.id),
                own.pathTemplate != operation.pathTemplate || own.method != operation.method
            else { return request }
            // The braces of names, such as {token-1}, stay as they are.
            let path = own.path(parameters.byName).prefix { $0 != "?" }.replacing("%7B", with: "{").replacing("%7D", with: "}")
            let query = request.target[(request.target.firstIndex(of: "?") ?? request.target.endIndex)...]
            return ProbeStep.Request(own.method, "\(path)\(query)", headers: request.headers, body: request.body)
        }
        var script = self
        for index in steps.indices {
            switch steps[index].deed {
            case .call(let request): script.steps[index].deed = .call(moved(request))
            case .open(let socket, let request): script.steps[index].deed = .open(socket: socket, moved(request))
            case .message, .act, .close: break
            }
        }
        return script
    }

    private static func note(_ value: JSON, _ configured: JSON, in ids: inout Correspondence) {
        switch (value, configured) {
        case (.object(let members), .object(let others)):
            for (name, member) in members { others[name].map { note(member, $0, in: &ids) } }
        case (.array(let items), .array(let others)): for (item, other) in zip(items, others) { note(item, other, in: &ids) }
        case (.string(let text), .string(let other)) where text != other: ids.note(text, other)
        default: break
        }
    }
}

extension ProbeStep {
    fileprivate mutating func translate(_ ids: Correspondence) {
        func translated(_ request: Request) -> Request {
            Request(
                request.method, ids.translate(request.target), headers: request.headers.map { ($0.name, ids.translate($0.value)) },
                body: ids.translate(request.body))
        }
        switch deed {
        case .call(let request): deed = .call(translated(request))
        case .open(let socket, let request): deed = .open(socket: socket, translated(request))
        case .message(let socket, let text): deed = .message(socket: socket, ids.translate(text))
        case .act(let request): deed = .act(translated(request))
        case .close: break
        }
    }
}
