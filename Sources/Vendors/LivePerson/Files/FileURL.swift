import SparringVendorKit

/// The URL by which a file is put or fetched (LivePerson reference 5.15): a path of the service `swift`, and a query that opens it to
/// anyone who holds it, for one use and for a while.
struct FileURL: Sendable {
    enum Use: String, Sendable, CaseIterable {
        case upload, download
    }

    static let signatureName = "temp_url_sig"
    static let expiryName = "temp_url_expires"

    var relativePath: String
    var signature: String
    /// In seconds since 1970.
    var expires: String
    /// The URL's purpose, in words for the journal.
    var cause: String

    /// The URL as it appears in the reply's body.
    var json: JSON {
        [
            "relativePath": .string(relativePath),
            "queryParams": [Self.signatureName: .string(signature), Self.expiryName: .string(expires)],
        ]
    }

    /// 40 hexadecimal digits that nobody can give who does not know the sandbox's seed. The real ones look like an HMAC-SHA1.
    static func signature(for use: Use, of path: String, until expires: String, _ call: Call) -> String {
        String(
            Draw(secretOf: call.sandbox.id, seed: call.sandbox.idSeed, signatureName, call.tenant.id, use.rawValue, path, expires).hex
                .prefix(
                    40))
    }

    /// Refuses a call whose query does not open a path for a use.
    static func check(_ call: Call, for use: Use, of path: String) throws {
        guard let signature = call.query(signatureName), let expires = call.query(expiryName) else {
            let missing = [signatureName, expiryName].filter { call.query($0) == nil }
            throw Refusal("url-invalid", "the URL has no \(missing.joined(separator: " and no "))")
        }
        guard signature.isSame(as: Self.signature(for: use, of: path, until: expires, call)) else {
            for other in Use.allCases where signature.isSame(as: Self.signature(for: other, of: path, until: expires, call)) {
                throw Refusal("url-invalid", "the signature is that of the file's \(other), not of its \(use)")
            }
            let isKnown = call.sandbox.owner(of: signature) != nil
            throw Refusal(
                "url-invalid",
                isKnown ? "the signature was issued for another path or expiry" : "the signature is none that was issued in this sandbox")
        }
        // Anyone who knows the seed can sign what was never issued.
        guard let end = expires.integer(in: 0...Timestamp.latest.seconds).map(Timestamp.init(seconds:)) else {
            throw Refusal("url-expired", "the URL expired at no time")
        }
        if call.now.seconds >= end.seconds { throw Refusal("url-expired", "the URL expired \((call.now - end).words) ago") }
    }
}
