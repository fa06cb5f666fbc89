public import HTTPTypes
public import SparringJSON

extension ContractOperation {
    /// Compares an answer that was given with the declared one of that name. A content type is compared where there is one.
    ///
    /// - Parameter body: of a JSONP answer the JSON inside; nil where there is none, or it is binary.
    public func checkAnswer(name: String, status: Int, headers: HTTPFields, body: JSON?) -> [Violation] {
        guard let answer = answer(name) else {
            let hint = Nearest.hint(for: name, in: answers.map(\.name))
            return [Violation(part: .status, kind: .status, message: "the operation declares no answer '\(name)'\(hint)", basis: place)]
        }
        var violations: [Violation] = []
        if let declared = answer.status, !answer.allows(status: status) {
            violations.append(
                Violation(part: .status, kind: .status, message: "answer '\(name)' has status \(declared), not \(status)", basis: place))
        }
        for header in answer.headers {
            if let text = HTTPField.Name(header.name).flatMap({ headers[$0] }) {
                violations += Violation.list(.header, header.name, header.schema, header.schema.value(ofText: text), text: text)
            } else if answer.requires(header) {
                violations.append(
                    Violation(part: .header, kind: .missing, pointer: header.name, message: "required", basis: header.schema.place))
            }
        }
        if let type = headers[.contentType], let declared = answer.mediaTypes.lazy.compactMap(\.self).first, !answer.allows(mediaType: type)
        {
            violations.append(
                Violation(part: .contentType, kind: .mediaType, message: "expected \(declared), found \(type.quoted)", basis: place))
        }
        let types = answer.mediaTypes
        if let body {
            if types.allSatisfy({ $0 == nil }) {
                violations.append(Violation(part: .body, kind: .unexpected, message: "the answer has no content", basis: place))
            } else {
                violations += answer.schema?.violationsOfBody(body) ?? []
            }
        } else if !types.contains(where: { $0.map { MediaTypes.isBinary(MediaTypes.essence(of: $0)) } ?? true }), status != 206 {
            // A part of a JSON text is not JSON (RFC 9110 §15.3.7).
            violations.append(Violation(part: .body, kind: .missing, message: "required", basis: place))
        }
        return violations
    }
}
