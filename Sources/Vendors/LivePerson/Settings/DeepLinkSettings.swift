import SparringVendorKit

/// The apps that may open the brand's links: an account's member `deepLinks`. The shapes that are served are Apple's and Google's, not
/// LivePerson's (LivePerson reference 11).
struct DeepLinkSettings: Decodable, Sendable {
    /// Apps of Apple's platforms and the links they open.
    struct Apple: Decodable, Sendable {
        var appIDs: [String]
        /// The modern form, as it is served; nil: the legacy one only.
        var components: JSON?
        /// The defaults for matching the components' patterns, as they are served.
        var defaults: JSON?
        /// The legacy form (`*`, `NOT /x/*`); nil: the modern one only.
        var paths: [String]?
    }

    struct Android: Decodable, Sendable {
        var packageName: String
        var fingerprints: [String]
        var relations: [String]

        private enum CodingKeys: String, CodingKey {
            case packageName
            case fingerprints = "sha256CertFingerprints"
            case relations
        }
    }

    /// A site that shares something with the domain: namespace `web` of Google's Digital Asset Links.
    struct Site: Decodable, Sendable {
        /// Scheme and host, such as `https://brand.test`, which is all that Google compares.
        var site: String
        var relations: [String]
    }

    var apple: [Apple]
    /// Ids of the apps that may offer the brand's saved passwords.
    var webcredentials: [String]
    /// Ids of the brand's App Clips.
    var appclips: [String]
    var android: [Android]
    var web: [Site]

    func check() throws(ConfigurationError) {
        for (index, app) in apple.enumerated() { try app.check(at: JSONPointer(tokens: ["deepLinks", "apple", String(index)])) }
    }

    /// The settings of an account that was given none: an app of each kind, for both of which no key exists.
    static func example(fingerprint: String) -> JSON {
        [
            "apple": [["appIDs": ["TEAMID1234.test.brand.app"], "components": [["/": "*/chat/*", "comment": "opens the conversation"]]]],
            "webcredentials": ["TEAMID1234.test.brand.app"],
            "android": [["packageName": "test.brand.app", "sha256CertFingerprints": [.string(fingerprint)]]],
        ]
    }

    /// 64 hexadecimal digits as a certificate's fingerprint is written.
    static func fingerprint(ofHex hex: String) -> String {
        let digits = Array(hex.uppercased())
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<$0 + 2]) }.joined(separator: ":")
    }
}

extension DeepLinkSettings.Apple {
    fileprivate func check(at place: JSONPointer) throws(ConfigurationError) {
        for (index, component) in (components?.array ?? []).enumerated()
        where !["/", "?", "#"].contains(where: { component[$0] != nil }) {
            throw ConfigurationError(place.appending("components").appending(index), "a component has at least one of '/', '?' and '#'")
        }
        guard defaults == nil || components != nil else {
            throw ConfigurationError(place.appending("defaults"), "there are no components that they are for")
        }
        guard components != nil || paths != nil else {
            throw ConfigurationError(place, "there are neither components (the modern form) nor paths (the legacy one)")
        }
    }
}
