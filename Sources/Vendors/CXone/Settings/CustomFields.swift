import SparringVendorKit

extension CXone {
    /// The custom fields that a brand knows: its member `customFields`. Others are taken all the same (CXone reference 7.7).
    struct CustomFields: Decodable, Sendable {
        var contact: [FieldDefinition]
        var customer: [FieldDefinition]

        /// Characters that a value may have. The Web SDK refuses longer ones since 3.1.0 (its CHANGELOG); that the server does is assumed.
        private static let longestValue = 1024

        /// The objection to fields that are refused whatever the brand knows; nil: there is none.
        static func objection(to fields: [JSON]) -> String? {
            for field in fields {
                guard let ident = field["ident"]?.string, !ident.isEmpty else { return "a custom field needs its ident" }
                let length = field["value"]?.string?.unicodeScalars.count ?? 0
                guard length <= longestValue else {
                    return
                        "the value of the field '\(ident.abbreviated(to: 100))' has \(length) characters, and \(longestValue) is the limit"
                }
            }
            return nil
        }

        /// Objections to fields that came, in words for the journal; a brand that defines none knows all.
        func objections(to fields: [JSON], known: [FieldDefinition]) -> [String] {
            guard !known.isEmpty else { return [] }
            return fields.compactMap { field in
                let ident = field["ident"]?.string ?? ""
                guard let definition = known.first(where: { $0.ident.isSame(as: ident) }) else {
                    return "the brand has no field '\(ident)'" + Nearest.hint(for: ident, in: known.map(\.ident))
                }
                let value = field["value"]?.string ?? ""
                guard definition.values.isEmpty || definition.values.contains(where: { $0.name.isSame(as: value) }) else {
                    return "'\(value.abbreviated(to: 100))' is not a value of the field '\(ident)'"
                }
                return nil
            }
        }
    }
}
