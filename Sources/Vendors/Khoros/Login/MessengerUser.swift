import SparringVendorKit

/// A user of an app, known to the brand or not.
struct MessengerUser: Sendable {
    var app: String
    /// The vendor's.
    var id: String
    /// The brand's; nil of an anonymous user.
    var userId: String?
    var givenName: String?
    var surname: String?
    var email: String?
    /// An object, as clients set it.
    var properties: JSON = [:]
    /// The password of an anonymous user, or of one who came by a code; nil where there is none.
    var sessionToken: String?
    var lastSeen: Timestamp
    var signIns = 0
    var signOuts = 0

    /// The user's name in the journal, in lanes and in the admin API.
    var name: String { userId ?? id }

    /// Reads a profile (Khoros reference 1.3); what is not said stays.
    mutating func take(_ profile: JSON?) {
        givenName = profile?["givenName"]?.string ?? givenName
        surname = profile?["surname"]?.string ?? surname
        email = profile?["email"]?.string ?? email
        if let changed = profile?["properties"], changed.object != nil { properties = properties.merging(changed) }
    }
}
