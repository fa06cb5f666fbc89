public import SparringVendorKit

extension LivePerson {
    /// How brands' identity providers know LivePerson, with its redirect URI (LivePerson reference 3.3). Its documentation tells them to answer
    /// `invalid_code`.
    static let relyingParty = RelyingParty(name: vendorName) { refusal in
        if refusal == "invalid-request" { return "json_parse_error" }
        return refusal.hasPrefix("code-") || refusal == "redirect-uri-mismatch" ? "invalid_code" : nil
    }
}

/// LivePerson, as the identity provider knows it.
public let livePersonParty: RelyingParty = LivePerson.relyingParty
