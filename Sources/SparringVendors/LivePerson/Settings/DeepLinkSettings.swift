import SparringEngine
import SparringJSON

/// Which apps may open the brand's links: an account's member `deepLinks`. The shapes that are served are Apple's and Google's, not
/// LivePerson's (LivePerson reference 11).
struct DeepLinkSettings: Sendable {
    static let member = "deepLinks"

    /// Apps of Apple's platforms and the links they open.
    struct Apple: Sendable {
        var appIDs: [String]
        /// The modern form, as it is served; nil: the legacy one only.
        var components: JSON?
        /// The defaults for matching the components' patterns, as they are served.
        var defaults: JSON?
        /// The legacy form (`*`, `NOT /x/*`); nil: the modern one only.
        var paths: [String]?
    }

    struct Android: Sendable {
        var packageName: String
        var fingerprints: [String]
        var relations: [String]
    }

    /// A site that shares something with the domain: namespace `web` of Google's Digital Asset Links.
    struct Site: Sendable {
        /// Scheme and host, such as `https://brand.test`.
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

    init(_ json: JSON?) throws(ConfigurationError) {
        let place = JSONPointer(tokens: [Self.member])
        let members = try Members(json ?? [:], at: place, known: ["apple", "webcredentials", "appclips", "android", "web"])
        webcredentials = try Self.appIDs(members, "webcredentials") ?? []
        appclips = try Self.appIDs(members, "appclips") ?? []
        apple = []
        for (index, json) in (try members.array("apple") ?? []).enumerated() {
            apple.append(try Self.apple(json, at: place.appending("apple").appending(index)))
        }
        android = []
        for (index, json) in (try members.array("android") ?? []).enumerated() {
            android.append(try Self.android(json, at: place.appending("android").appending(index)))
        }
        web = []
        for (index, json) in (try members.array("web") ?? []).enumerated() {
            web.append(try Self.site(json, at: place.appending("web").appending(index)))
        }
    }

    /// What an account has that was given nothing: an app of each kind, for both of which no key exists.
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

    // MARK: Apple

    private static func apple(_ json: JSON, at place: JSONPointer) throws(ConfigurationError) -> Apple {
        let members = try Members(json, at: place, known: ["appIDs", "components", "defaults", "paths"])
        guard let appIDs = try appIDs(members, "appIDs"), !appIDs.isEmpty else { throw members.error("appIDs", "an app must be named") }
        let components = try members.array("components")
        for (index, component) in (components ?? []).enumerated() {
            try check(component: component, at: place.appending("components").appending(index))
        }
        let defaults = try members.object("defaults").map { JSON.object($0) }
        if let defaults {
            let flags = try Members(defaults, at: place.appending("defaults"), known: ["caseSensitive", "percentEncoded"])
            for name in ["caseSensitive", "percentEncoded"] { _ = try flags.bool(name) }
            guard components != nil else { throw members.error("defaults", "there are no components that they are for") }
        }
        let paths = try members.strings("paths")
        for (index, path) in (paths ?? []).enumerated() {
            let pattern = path.hasPrefix("NOT ") ? String(path.dropFirst(4)) : path
            guard pattern.hasPrefix("/") || pattern.hasPrefix("*") else {
                throw ConfigurationError(
                    place.appending("paths").appending(index), "'\(path)' is neither a path nor '*', with or without 'NOT ' before it")
            }
        }
        guard components != nil || paths != nil else {
            throw ConfigurationError(place, "there are neither components (the modern form) nor paths (the legacy one)")
        }
        return Apple(appIDs: appIDs, components: components.map { .array($0) }, defaults: defaults, paths: paths)
    }

    private static func check(component: JSON, at place: JSONPointer) throws(ConfigurationError) {
        let members = try Members(
            component, at: place, known: ["/", "?", "#", "exclude", "comment", "caseSensitive", "percentEncoded"])
        for name in ["/", "#", "comment"] { _ = try members.string(name) }
        for name in ["exclude", "caseSensitive", "percentEncoded"] { _ = try members.bool(name) }
        if let query = members.object["?"], query.string == nil, query.object?.values.allSatisfy({ $0.string != nil }) != true {
            throw members.error("?", "\(query.text) is neither a pattern nor an object of patterns")
        }
        guard ["/", "?", "#"].contains(where: { members.object[$0] != nil }) else {
            throw ConfigurationError(place, "a component has at least one of '/', '?' and '#'")
        }
    }

    private static func appIDs(_ members: Members, _ name: String) throws(ConfigurationError) -> [String]? {
        let ids = try members.strings(name)
        for (index, id) in (ids ?? []).enumerated() where !isAppID(id) {
            throw ConfigurationError(
                members.pointer.appending(name).appending(index),
                "'\(id)' is not a team's id of ten capital letters and digits, a dot and a bundle id, as in TEAMID1234.test.brand.app")
        }
        return ids
    }

    private static func isAppID(_ id: String) -> Bool {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 2 && parts[0].utf8.count == 10 && parts[0].utf8.allSatisfy { isDigit($0) || isCapital($0) }
            && parts.dropFirst().allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "-") }
            }
    }

    // MARK: Android

    private static func android(_ json: JSON, at place: JSONPointer) throws(ConfigurationError) -> Android {
        let members = try Members(json, at: place, known: ["packageName", "sha256CertFingerprints", "relations"])
        let name = try members.string("packageName") ?? ""
        guard isPackageName(name) else {
            throw members.error("packageName", "'\(name)' is not a package's name, as in test.brand.app")
        }
        let fingerprints = try members.strings("sha256CertFingerprints") ?? []
        guard !fingerprints.isEmpty else { throw members.error("sha256CertFingerprints", "an app needs a certificate's fingerprint") }
        for (index, fingerprint) in fingerprints.enumerated() where !isFingerprint(fingerprint) {
            throw ConfigurationError(
                place.appending("sha256CertFingerprints").appending(index),
                "'\(fingerprint)' is not 32 bytes in hexadecimal, in capitals and with colons between, as keytool prints them")
        }
        return Android(packageName: name, fingerprints: fingerprints, relations: try relations(members, "handle_all_urls"))
    }

    /// - Throws: if the site has more than a scheme and a host, which is all that Google compares.
    private static func site(_ json: JSON, at place: JSONPointer) throws(ConfigurationError) -> Site {
        let members = try Members(json, at: place, known: ["site", "relations"])
        let site = try members.string("site") ?? ""
        guard site.wholeMatch(of: /https?:\/\/[A-Za-z0-9.-]+(:[0-9]{1,5})?/) != nil else {
            throw members.error("site", "'\(site)' is not a site's scheme and host, as in https://brand.test")
        }
        return Site(site: site, relations: try relations(members, "get_login_creds"))
    }

    private static func relations(_ members: Members, _ usual: String) throws(ConfigurationError) -> [String] {
        let relations = try members.strings("relations") ?? ["delegate_permission/common.\(usual)"]
        guard !relations.isEmpty else { throw members.error("relations", "a statement is about a relation") }
        return relations
    }

    private static func isPackageName(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 2
            && parts.allSatisfy { part in
                part.utf8.first.map(isLetter) == true && part.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "_") }
            }
    }

    private static func isFingerprint(_ text: String) -> Bool {
        let bytes = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return bytes.count == 32
            && bytes.allSatisfy { $0.count == 2 && $0.allSatisfy { isDigit($0) || UInt8(ascii: "A")...UInt8(ascii: "F") ~= $0 } }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    private static func isCapital(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { isCapital(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
}
