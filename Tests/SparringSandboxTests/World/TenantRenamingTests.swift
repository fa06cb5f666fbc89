import GRDB
import SparringJSON
@testable import SparringSandbox
import Testing

/// The names that a fork's tenants have in place of its sandbox's.
@Suite struct TenantRenamingTests {
    private static let renaming = TenantRenaming(names: [
        "liveperson": [(old: "acme", new: "acme-2"), (old: "1234", new: "5678")], "identity": [(old: "brand", new: "brand-2")],
    ])

    @Test(
        arguments: [
            ("acme", "acme-2"), ("https://host/api/account/acme/x", "https://host/api/account/acme-2/x"), ("a/acme", "a/acme-2"),
            // Parts of a segment are other words.
            ("acme.example", "acme.example"), ("https://host/acme.js", "https://host/acme.js"), ("an acme", "an acme"), ("", ""),
            ("/", "/"),
            ("https://host/identity/brand", "https://host/identity/brand-2"), ("1234", "5678"),
        ])
    func `a whole value or segment is renamed in a configuration, and nothing else is`(_ old: String, _ new: String) {
        let configuration: JSON = ["id": .string(old), "list": [.string(old), ["deep": .string(old)]], "n": 1234, "acme": true]
        let expected: JSON = ["id": .string(new), "list": [.string(new), ["deep": .string(new)]], "n": 1234, "acme": true]
        #expect(Self.renaming.renamed(configuration) == expected)
    }

    @Test(
        arguments: [
            ("liveperson_consumer", "acme".databaseValue, "acme-2".databaseValue),
            // Another vendor's tables know nothing of its names.
            ("identity_code", "acme".databaseValue, "acme".databaseValue),
            ("identity_code", "brand".databaseValue, "brand-2".databaseValue),
            (
                "liveperson_event", #"{"account":"acme","text":"{acme}"}"#.databaseValue,
                #"{"account":"acme-2","text":"{acme}"}"#.databaseValue
            ),
            ("liveperson_event", #"["acme"]"#.databaseValue, #"["acme-2"]"#.databaseValue),
            ("liveperson_event", "{acme".databaseValue, "{acme".databaseValue),
            ("liveperson_event", 1234.databaseValue, 1234.databaseValue), ("liveperson_event", DatabaseValue.null, DatabaseValue.null),
            ("livepersonal_event", "acme".databaseValue, "acme".databaseValue),
        ] as [(String, DatabaseValue, DatabaseValue)])
    func `a row is renamed by the names of its table's vendor`(_ table: String, _ old: DatabaseValue, _ new: DatabaseValue) {
        #expect(Self.renaming.renamed(old, in: table) == new)
    }
}
