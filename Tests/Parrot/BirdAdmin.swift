public import SparringVendorKit

/// The addition of both birds' vendors to the admin API: an operation of the same name.
public enum BirdAdmin {
    /// `{"consumer","text"}`; the vendor's consumers alone can squawk, and nobody squawks `hush`.
    public static func squawk(of vendor: String, heardBy names: @escaping @Sendable (Database, String) throws -> [String]) -> AdminHandler {
        .act(
            checking: { (body: JSON) throws(ConfigurationError) in
                if body["text"] == "" { throw ConfigurationError(JSONPointer(tokens: ["text"]), "a squawk is not silent") }
            }, in: { _, request in request.body["consumer"]?.string ?? "" }
        ) { db, request, occasion in
            let (bird, text) = (request.body["consumer"]?.string ?? "", request.body["text"]?.string ?? "")
            guard try names(db, request.sandbox.id).contains(bird) else {
                throw ConfigurationError(JSONPointer(tokens: ["consumer"]), "there is no bird '\(bird)'")
            }
            if text == "hush" { throw Refusal("silence", "\(bird) does not squawk that") }
            for socket in occasion.sandbox.openSockets(of: occasion.tenant) {
                try occasion.outbox.send("heard", ["eventType": "Heard", "by": .string(bird), "text": .string(text)], to: socket)
            }
            let feather = JSON.string(String(occasion.draw("feather").hex.prefix(6)))
            return Answer(
                "squawked", ["vendor": .string(vendor), "bird": .string(bird), "feather": feather], cause: "\(bird) squawked '\(text)'")
        }
    }

    public static func consumer(_ name: String, of vendor: String) -> JSON {
        [
            "vendor": .string(vendor), "consumer": .string(name), "id": .string(name), "anonymous": false, "signIns": 1, "signOuts": 0,
            "lastSeen": "2026-01-01T00:00:00.000Z", "sockets": 0,
        ]
    }
}
