import HTTPTypes
package import SparringContract
import SparringJSON
import SparringJournal

/// Calls that every vendor should refuse: without a credential, with one that nobody has issued, for an account that does not exist, with a body that
/// cannot be read. They need no account, and what they are answered with is what vendors document least.
package struct ProbeRefusals {
    private enum Flaw: String, CaseIterable {
        case noCredential = "no credential"
        case unknownCredential = "a credential of nobody's"
        case unknownAccount = "an account that does not exist"
        case malformedBody = "a body that is not JSON"
    }

    private let contract: Contract
    /// The tenant's id; nil: there is no account, and only such calls are made as name one that does not exist.
    private let account: String?

    package init(_ contract: Contract, account: String?) { (self.contract, self.account) = (contract, account) }

    /// A script of them; its steps have nothing to do with each other.
    package func script(tenantKey: String) -> ProbeScript {
        var steps: [ProbeStep] = []
        var seen: Set<String> = []
        for operation in contract.operations where Self.isPlayed(operation) {
            for flaw in Flaw.allCases {
                guard let request = request(operation, flaw), seen.insert("\(request.method) \(request.target) \(request.text)").inserted
                else {
                    continue
                }
                steps.append(ProbeStep(operation.opensSocket ? .open(socket: "socket", request) : .call(request), note: flaw.rawValue))
            }
        }
        return ProbeScript(
            name: "\(contract.vendor)/refusals", steps, tenants: account.map { [contract.vendor: [tenantKey: .string($0)]] } ?? [:],
            isOfRefusals: true)
    }

    private static func isPlayed(_ operation: ContractOperation) -> Bool {
        !operation.isMessage && operation.stub == nil && operation.answer(Finding.notEmulated) == nil
    }

    // MARK: A call

    private func request(_ operation: ContractOperation, _ flaw: Flaw) -> ProbeStep.Request? {
        var draft = Draft(operation)
        let hasAccount = draft.setAccount(flaw == .unknownAccount ? nil : account, operation.tenant)
        // Whose it is says the host, which is the user's.
        if !hasAccount, flaw == .unknownAccount { return nil }
        if hasAccount, account == nil, flaw != .unknownAccount { return nil }
        switch flaw {
        case .noCredential: if !draft.removeCredentials() { return nil }
        case .unknownCredential: if !draft.replaceCredentials() { return nil }
        case .unknownAccount: _ = draft.replaceCredentials()
        case .malformedBody:
            guard draft.breakBody() else { return nil }
            _ = draft.replaceCredentials()
        }
        return draft.request
    }

    /// The example of a call, part by part.
    private struct Draft {
        private let operation: ContractOperation
        private var path: [String: String] = [:]
        private var query: [(name: String, value: String)] = []
        private var headers: [(name: String, value: String)] = []
        private var body: JSON?
        private let mediaType: String?
        private var isBroken = false

        /// No credential of anybody's.
        private static let unknown = "sparring-probe-unknown"

        init(_ operation: ContractOperation) {
            self.operation = operation
            let media = operation.requestBody?.mediaTypes.first { $0.examples.first != nil }
            (body, mediaType) = (media?.examples.first?.value, media.map { MediaTypes.essence(of: $0.type) })
            for parameter in operation.parameters where parameter.required || ProbeRefusals.isCredential(parameter.name) {
                // The path has them already.
                if parameter.location == .query, operation.query[parameter.name] != nil { continue }
                guard let example = parameter.example.map({ $0.string ?? $0.text }) else { continue }
                switch parameter.location {
                case .path: path[parameter.name] = example
                case .query: query.append((parameter.name, example))
                case .header: headers.append((parameter.name, example))
                }
            }
        }

        /// - Parameter account: nil: one that does not exist.
        /// - Returns: whether the call names one.
        mutating func setAccount(_ account: String?, _ sources: [ValueSource]) -> Bool {
            for source in sources where source.reading == .plain {
                func value(_ example: String?) -> String { account ?? ProbeRefusals.nobody(like: example ?? "") }
                switch source.location {
                case .path(let name):
                    path[name] = value(path[name])
                    return true
                case .query(let name):
                    guard let place = query.firstIndex(where: { $0.name == name }) else { continue }
                    query[place].value = value(query[place].value)
                    return true
                case .header(let name):
                    guard let place = headers.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) else { continue }
                    headers[place].value = value(headers[place].value)
                    return true
                case .body(let pointer):
                    guard pointer.tokens.count == 1, let example = body?[pointer]?.string else { continue }
                    body?[pointer.tokens[0]] = .string(value(example))
                    return true
                }
            }
            return false
        }

        /// - Returns: whether there was one.
        mutating func removeCredentials() -> Bool {
            let before = (query.count, headers.count, body)
            query.removeAll { ProbeRefusals.isCredential($0.name) }
            headers.removeAll { ProbeRefusals.isCredential($0.name) }
            if let object = body?.object { body = .object(object.filter { !ProbeRefusals.isCredential($0.key) }) }
            return before != (query.count, headers.count, body)
        }

        /// - Returns: whether there was one.
        mutating func replaceCredentials() -> Bool {
            var hasAny = false
            func other(_ value: String) -> String {
                let scheme = value.firstIndex(of: " ").map { value[...$0] } ?? ""
                return scheme + (scheme.lowercased() == "basic " ? Base64.encode(Array("\(Self.unknown):x".utf8)) : Self.unknown)
            }
            for (name, value) in path where ProbeRefusals.isCredential(name) { (path[name], hasAny) = (other(value), true) }
            for index in query.indices where ProbeRefusals.isCredential(query[index].name) {
                (query[index].value, hasAny) = (Self.unknown, true)
            }
            for index in headers.indices where ProbeRefusals.isCredential(headers[index].name) {
                (headers[index].value, hasAny) = (other(headers[index].value), true)
            }
            for (name, value) in body?.object ?? [:] where ProbeRefusals.isCredential(name) && value.string != nil {
                body?[name] = .string(Self.unknown)
                hasAny = true
            }
            return hasAny
        }

        mutating func breakBody() -> Bool {
            isBroken = mediaType.map(MediaTypes.isJSON) ?? false
            return isBroken
        }

        var request: ProbeStep.Request {
            let fields = PercentCoding.form(query)
            let target = operation.path(path)
            var headers = headers
            if let mediaType { headers.append(("Content-Type", mediaType)) }
            return ProbeStep.Request(
                operation.method, fields.isEmpty ? target : target + (target.contains("?") ? "&" : "?") + fields, headers: headers,
                body: isBroken ? "{" : text)
        }

        private var text: String {
            guard let body else { return "" }
            if mediaType == "application/x-www-form-urlencoded", let members = body.object {
                return PercentCoding.form(members.map { ($0.key, $0.value.string ?? $0.value.text) })
            }
            return body.string ?? body.text
        }
    }

    private static func isCredential(_ name: String) -> Bool { Redaction.hides(name) }

    /// An id of the same form that belongs to nobody: all nines.
    private static func nobody(like example: String) -> String {
        String(example.map { $0.isNumber || $0.isLetter ? "9" : $0 })
    }
}
