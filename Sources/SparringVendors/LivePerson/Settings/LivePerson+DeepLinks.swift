import SparringEngine
import SparringJSON
import SparringSandbox

/// Handlers of the tag "DeepLinks" (reference 11): what the brand's domain says of its apps.
extension LivePerson {
    /// Apple's file. An app in the modern form stands there once with all its ids, one in the legacy form once for each.
    func readAppleAppSiteAssociation(_ call: Call) -> Decision {
        let links = call.settings(of: self).deepLinks
        guard !links.apple.isEmpty || !links.webcredentials.isEmpty else { return unconfigured("apple and webcredentials", call) }
        func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
        var details: [JSON] = []
        for app in links.apple {
            if let components = app.components { details.append(["appIDs": texts(app.appIDs), "components": components]) }
            if let paths = app.paths { details += app.appIDs.map { ["appID": .string($0), "paths": texts(paths)] } }
        }
        let isLegacy = links.apple.contains { $0.paths != nil }
        let file: JSON = .members([
            "applinks": details.isEmpty ? nil : .members(["apps": isLegacy ? [] : nil, "details": .array(details)]),
            "webcredentials": links.webcredentials.isEmpty ? nil : ["apps": texts(links.webcredentials)],
        ])
        return .answer(Answer("apple-association-served", file, cause: "as account \(call.tenant.id) has it"))
    }

    /// Google's file: a statement for each app.
    func readAssetLinks(_ call: Call) -> Decision {
        let apps = call.settings(of: self).deepLinks.android
        guard !apps.isEmpty else { return unconfigured("android", call) }
        let statements = apps.map { app -> JSON in
            [
                "relation": .array(app.relations.map { .string($0) }),
                "target": [
                    "namespace": "android_app", "package_name": .string(app.packageName),
                    "sha256_cert_fingerprints": .array(app.fingerprints.map { .string($0) }),
                ],
            ]
        }
        return .answer(Answer("asset-links-served", .array(statements), cause: "as account \(call.tenant.id) has it"))
    }

    /// A domain without apps has no such file.
    private func unconfigured(_ what: String, _ call: Call) -> Decision {
        .refusal(Refusal("no-apps", "account \(call.tenant.id) has nothing in \(DeepLinkSettings.member) under \(what)"))
    }
}
