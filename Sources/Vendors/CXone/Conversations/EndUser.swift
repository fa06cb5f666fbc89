import SparringVendorKit

/// A customer in the forms in which clients read a message's author and a contact's owner (CXone reference 7.1 and 7.4).
struct EndUser: Sendable {
    /// The customer's `idOnExternalPlatform`.
    var id: String
    var firstName: String
    var lastName: String

    var fullName: String { [firstName, lastName].filter { !$0.isEmpty }.joined(separator: " ") }

    /// The `authorEndUserIdentity`.
    var identity: JSON {
        [
            "id": .string("chat_\(id)"), "idOnExternalPlatform": .string(id), "externalPlatformId": "chat", "firstName": .string(firstName),
            "lastName": .string(lastName), "nickname": "", "fullName": .string(fullName), "image": "",
        ]
    }

    /// The `endUser` of a contact, which has the last name under another name.
    ///
    /// - Parameter fields: the customer's custom fields.
    func json(_ fields: [JSON]) -> JSON {
        [
            "id": .string("chat_\(id)"), "firstName": .string(firstName), "surname": .string(lastName), "fullName": .string(fullName),
            "image": "", "customFields": .array(fields),
        ]
    }

    /// One of a contact's `recipients`.
    var recipient: JSON {
        [
            "idOnExternalPlatform": .string(id), "name": .string(fullName), "isPrimary": true, "isPrivate": false, "anonymizedAt": .null,
            "anonymizedReason": .null,
        ]
    }
}
