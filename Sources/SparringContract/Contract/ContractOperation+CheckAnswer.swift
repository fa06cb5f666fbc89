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
        if let declared = answer.status, status != declared {
            violations.append(
                Violation(part: .status, kind: .status, message: "answer '\(name)' has status \(declared), not \(status)", basis: place))
        }
        for header in answer.headers {
            if let text = HTTPField.Name(header.name).flatMap({ headers[$0] }) {
                violations += Violation.list(.header, header.name, header.schema, header.schema.value(ofText: text), text: text)
            } else if header.required {
                violations.append(
                    Violation(part: .header, kind: .missing, pointer: header.name, message: "required", basis: header.schema.place))
            }
        }
        if let type = headers[.contentType], let declared = answer.mediaType,
            MediaTypes.essence(of: type) != MediaTypes.essence(of: declared)
        {
            violations.append(
                Violation(part: .contentType, kind: .mediaType, message: "expected \(declared), found \(type.quoted)", basis: place))
        }
        switch (answer.mediaType, body) {
        case (nil, .some): violations.append(Violation(part: .body, kind: .unexpected, message: "the answer has no content", basis: place))
        case (let type?, nil) where MediaTypes.isBinary(MediaTypes.essence(of: type)): break
        // A part of a JSON text is not JSON (RFC 9110 §15.3.7).
        case (.some, nil) where answer.status == 206: break
        case (.some, nil): violations.append(Violation(part: .body, kind: .missing, message: "required", basis: place))
        case (.some, let body?):
            violations += answer.schema?.violationsOfBody(body) ?? []
        case (nil, nil): break
        }
        return violations
    }
}
