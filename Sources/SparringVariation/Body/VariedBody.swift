package import SparringContract
package import SparringJSON

/// A JSON body as it goes out: changed, written in another form, or both.
package struct VariedBody: Sendable {
    package let json: JSON
    package let bytes: [UInt8]
    package let changes: [VariedPlace]

    /// - Parameter addresses: that lead to this server: base URLs, or hosts with their ports.
    /// - Returns: nil where the body goes out as it was decided.
    package static func drawn(
        _ decided: JSON, by view: SchemaView, _ subject: VariationSubject, addresses: [String]
    ) -> VariedBody? {
        var variation = BodyVariation(subject, hosts: OtherHosts.of(addresses))
        let json = variation.varied(decided, by: view)
        let form = JSONForm.drawn(subject)
        let changes = variation.changes + (form?.changes ?? [])
        return changes.isEmpty ? nil : VariedBody(json: json, bytes: form?.form.written(json) ?? json.bytes, changes: changes)
    }
}
