internal import HTTPTypes
internal import OrderedCollections
internal import SparringJSON

extension ContractOperation {
    /// Reads the body by its content type, or, where that is none that the operation takes, as whatever it takes and the bytes can be.
    ///
    /// - Returns: with the schema by which it was read.
    func checkBody(of request: RequestParts, _ violations: inout [Violation]) -> (value: JSON, schema: Schema?)? {
        guard let requestBody else {
            if !request.body.isEmpty {
                violations.append(
                    Violation(part: .contentType, kind: .unexpected, message: "a body was sent where none is expected", basis: place))
            }
            return nil
        }
        guard !request.body.isEmpty else {
            if requestBody.required {
                violations.append(
                    Violation(
                        part: .body, kind: .missing, message: "required", basis: requestBody.place,
                        actions: [.update(requestBody.place.path, ["required": false])]))
            }
            return nil
        }
        let sent = request.headers.value(of: .contentType).map(MediaTypes.essence)
        if let media = requestBody.mediaTypes.first(where: { $0.type == MediaTypes.any || MediaTypes.essence(of: $0.type) == sent }) {
            return read(request.body, as: media, &violations).map { ($0, media.schema) }
        }
        let likeliest = likeliest(of: requestBody.mediaTypes, for: request.body)
        if let media = likeliest, MediaTypes.isForm(MediaTypes.essence(of: media.type)) {
            let fields = Self.fields(request.body)
            if let violation = objection(to: fields, request.body, sent: sent, media.schema) {
                violations.append(violation)
                return (.object(fields.single), media.schema)
            }
        }
        let expected = requestBody.mediaTypes.map(\.type).joined(separator: " or ")
        violations.append(
            Violation(
                part: .contentType, kind: .mediaType, message: "expected \(expected), found \(sent?.quoted ?? "none")",
                basis: requestBody.place, actions: sent.map { [.update(requestBody.place.path("content"), .object([$0: [:]]))] } ?? []))
        guard let media = likeliest else { return nil }
        return read(request.body, as: media, &violations).map { ($0, media.schema) }
    }

    /// JSON where the bytes are JSON, else a form, else whatever there is.
    private func likeliest(of mediaTypes: [ContractRequestBody.MediaType], for bytes: [UInt8]) -> ContractRequestBody.MediaType? {
        let json = mediaTypes.first { MediaTypes.isJSON(MediaTypes.essence(of: $0.type)) }
        if let json, (try? JSON(parsing: bytes)) != nil { return json }
        return mediaTypes.first { MediaTypes.isForm(MediaTypes.essence(of: $0.type)) } ?? json ?? mediaTypes.first
    }

    private func read(
        _ bytes: [UInt8], as media: ContractRequestBody.MediaType, _ violations: inout [Violation]
    ) -> JSON? {
        let essence = MediaTypes.essence(of: media.type)
        if MediaTypes.isBinary(essence) { return nil }
        if MediaTypes.isForm(essence) { return readForm(bytes, media.schema, &violations) }
        let body: JSON
        if MediaTypes.isJSON(essence) {
            do {
                body = try JSON(parsing: bytes)
            } catch {
                violations.append(Violation(part: .body, kind: .syntax, message: error.description, basis: requestBody?.place))
                return nil
            }
        } else {
            body = .string(String(decoding: bytes, as: UTF8.self))
        }
        report(body, media.schema, &violations)
        return body
    }

    /// A form's fields are text; for its schema they are what the members' schemas ask for, as with parameters. A field that comes twice is
    /// wrong (RFC 6749 §3.2) unless the schema wants an array.
    private func readForm(
        _ bytes: [UInt8], _ schema: Schema?, _ violations: inout [Violation]
    ) -> JSON {
        let fields = Self.fields(bytes)
        if let violation = objection(to: fields, bytes, sent: nil, schema) {
            violations.append(violation)
            return .object(fields.single)
        }
        var typed = JSON.Object()
        for (name, values) in fields {
            let property = schema?.property(name)
            if values.count > 1 {
                if property?.types?.contains(.array) == true {
                    typed[name] = property?.value(ofTexts: values)
                    continue
                }
                let pointer = JSONPointer(tokens: [name]).description
                violations.append(
                    Violation(part: .body, kind: .repeated, pointer: pointer, message: "given \(values.count) times", basis: schema?.place))
            }
            typed[name] = property?.value(ofText: values[0]) ?? .string(values[0])
        }
        report(.object(typed), schema, &violations)
        return .object(fields.single)
    }

    /// The violation of a body that is no form: read as one, it has names that are none, such as all of a JSON text. They are not shown, as credentials may be in them, and what such
    /// a form lacks it lacks for that reason.
    private func objection(
        to fields: OrderedDictionary<String, [String]>, _ bytes: [UInt8], sent: String?, _ schema: Schema?
    ) -> Violation? {
        guard fields.keys.contains(where: { schema?.property($0) == nil && !Self.isName($0) }) else { return nil }
        let found =
            (try? JSON(parsing: bytes)) != nil ? "JSON" : sent.flatMap { MediaTypes.isForm($0) ? nil : $0.quoted } ?? "text that is none"
        return Violation(
            part: .body, kind: .syntax, message: "\(found) where a form is expected", basis: schema?.place ?? requestBody?.place)
    }

    private static func fields(_ bytes: [UInt8]) -> OrderedDictionary<String, [String]> {
        var texts: OrderedDictionary<String, [String]> = [:]
        for (name, value) in PercentCoding.fields(bytes[...]) { texts[name, default: []].append(value) }
        return texts
    }

    /// Characters that a field's name has at most.
    private static let longestName = 100

    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= longestName
            && name.utf8.allSatisfy { $0.isLetterOrDigit || $0 >= 0x80 || "-_.:[]$@/".utf8.contains($0) }
    }

    private func report(_ body: JSON, _ schema: Schema?, _ violations: inout [Violation]) {
        guard let schema else { return }
        violations += schema.violationsOfBody(body) + schema.undeclaredInBody(body)
    }
}

extension OrderedDictionary<String, [String]> {
    /// A field that was given once is its text.
    fileprivate var single: JSON.Object {
        reduce(into: [:]) { body, field in
            body[field.key] = field.value.count == 1 ? .string(field.value[0]) : .array(field.value.map(JSON.string))
        }
    }
}
