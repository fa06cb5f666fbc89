internal import HTTPTypes
internal import SparringJSON

extension ContractOperation {
    /// Compares a request with what the contract says the operation takes. Header fields that it does not declare pass unreported: HTTP lets
    /// anybody add some (RFC 9110 §16.3.1).
    public func check(_ request: RequestParts) -> CheckedRequest {
        var violations: [Violation] = []
        for parameter in parameters { check(parameter, of: request, &violations) }
        if !isQueryOpen, request.query.contains(where: { !knowsQuery($0.name) }) { violations += undeclaredParameters(of: request) }
        let body = checkBody(of: request, &violations)
        return CheckedRequest(body: body?.value, body?.schema, found: violations)
    }

    private func knowsQuery(_ name: String) -> Bool {
        parameters.contains { $0.location == .query && $0.name == name } || queryDemands.contains { $0.name == name }
    }

    private func undeclaredParameters(of request: RequestParts) -> [Violation] {
        let known = parameters.filter { $0.location == .query }.map(\.name) + queryDemands.map(\.name)
        var told: Set<String> = []
        return request.query.filter { !known.contains($0.name) && told.insert($0.name).inserted }.prefix(20).map { parameter in
            let sent = Set(request.query.map(\.name))
            let hint = Nearest.hint(for: parameter.name, in: known.filter { !sent.contains($0) })
            return Violation(
                part: .query, kind: .undeclared, pointer: parameter.name.abbreviated(to: 100), message: "not in the contract\(hint)",
                basis: place,
                actions: [
                    .update(place.path, ["parameters": [["name": .string(parameter.name), "in": "query", "schema": ["type": "string"]]]])
                ])
        }
    }

    /// The first value of a parameter, and how many there are.
    private func text(of parameter: ContractParameter, in request: RequestParts) -> (first: String, count: Int)? {
        switch parameter.location {
        case .path: return request.pathParameters[parameter.name].map { ($0, 1) }
        case .query:
            guard let first = request.query.first(where: { $0.name == parameter.name }) else { return nil }
            return (first.value, request.query.count { $0.name == parameter.name })
        // The lines of a field are one value (RFC 9110 §5.3).
        case .header: return parameter.fieldName.flatMap { request.headers.value(of: $0) }.map { ($0, 1) }
        }
    }

    private func check(_ parameter: ContractParameter, of request: RequestParts, _ violations: inout [Violation]) {
        guard let text = text(of: parameter, in: request) else {
            guard parameter.required else { return }
            return violations.append(
                Violation(
                    part: Violation.Part(parameter.location), kind: .missing, pointer: parameter.name, message: "required",
                    basis: parameter.place, actions: [.update(parameter.place.path, ["required": false])]))
        }
        if text.count == 1, parameter.name != jsonpCallback, parameter.schema.accepts(text: text.first) { return }
        violations += check(text.first, text.count, of: parameter, in: request)
    }

    private func check(_ text: String, _ count: Int, of parameter: ContractParameter, in request: RequestParts) -> [Violation] {
        let part = Violation.Part(parameter.location)
        var value = parameter.schema.value(ofText: text)
        if count > 1 {
            guard parameter.schema.types?.contains(.array) == true else {
                return [
                    Violation(
                        part: part, kind: .repeated, pointer: parameter.name, message: "given \(count) times", basis: parameter.place)
                ]
            }
            value = parameter.schema.value(ofTexts: request.query.filter { $0.name == parameter.name }.map(\.value))
        }
        let violations = Violation.list(part, parameter.name, parameter.schema, value, text: text)
        if violations.isEmpty, part == .query, parameter.name == jsonpCallback, !text.isScriptFunction {
            return [
                Violation(
                    part: part, kind: .format, pointer: parameter.name, message: "\(text.quoted) does not name a JavaScript function",
                    basis: parameter.place)
            ]
        }
        return violations
    }
}

extension String {
    /// Identifiers of ASCII letters, digits, `_` and `$`, joined by dots. Anything else before the `(` of a JSONP answer could be any script.
    fileprivate var isScriptFunction: Bool {
        utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { word in
            word.first.map { !$0.isDigit } == true && word.allSatisfy { $0.isLetterOrDigit || "_$".utf8.contains($0) }
        }
    }
}

extension Violation.Part {
    init(_ location: ContractParameter.Location) {
        switch location {
        case .path: self = .path
        case .query: self = .query
        case .header: self = .header
        }
    }
}

extension Violation {
    /// The violations in the value of a parameter or header.
    ///
    /// - Parameter text: as it was sent. Its type is only in the schema's eye, so a message of types quotes it.
    static func list(_ part: Part, _ name: String, _ schema: Schema, _ value: JSON, text: String) -> [Violation] {
        schema.violations(in: value).map { violation in
            let isMistyped = violation.pointer == .root && schema.types?.accept(value) == false
            let message = isMistyped ? "expected \(schema.types?.text ?? "nothing"), found \(text.quoted)" : violation.message
            let place = violation.pointer == .root ? "" : "at \(violation.pointer.words): "
            return Violation(
                part: part, kind: violation.kind, pointer: name, message: place + message, basis: schema.basis(of: violation),
                actions: schema.actions(for: violation))
        }
    }
}
