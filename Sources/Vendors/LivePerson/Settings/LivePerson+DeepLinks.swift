import SparringVendorKit

/// Handlers of the tag "DeepLinks" (LivePerson reference 11): what the brand's domain says of its apps.
extension LivePerson {
    /// Apple's file. An app in the modern form stands there once with all its ids, one in the legacy form once for each.
    func readAppleAppSiteAssociation(_ call: Call) -> Decision {
        let links = call.settings(of: self).deepLinks
        guard !links.apple.isEmpty || !links.webcredentials.isEmpty || !links.appclips.isEmpty else {
            return unconfigured("apple, webcredentials and appclips", call)
        }
        func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
        var details: [JSON] = []
        for app in links.apple {
            if let components = app.components {
                details.append(.members(["appIDs": texts(app.appIDs), "components": components, "defaults": app.defaults]))
            }
            if let paths = app.paths { details += app.appIDs.map { ["appID": .string($0), "paths": texts(paths)] } }
        }
        let isLegacy = links.apple.contains { $0.paths != nil }
        let file: JSON = .members([
            "applinks": details.isEmpty ? nil : .members(["apps": isLegacy ? [] : nil, "details": .array(details)]),
            "webcredentials": links.webcredentials.isEmpty ? nil : ["apps": texts(links.webcredentials)],
            "appclips": links.appclips.isEmpty ? nil : ["apps": texts(links.appclips)],
        ])
        return serve("apple-association-served", file, call)
    }

    /// Google's file: a statement for each app, and for each site that shares something with the domain.
    func readAssetLinks(_ call: Call) -> Decision {
        let links = call.settings(of: self).deepLinks
        guard !links.android.isEmpty || !links.web.isEmpty else { return unconfigured("android and web", call) }
        func statement(_ relations: [String], _ target: JSON) -> JSON {
            ["relation": .array(relations.map { .string($0) }), "target": target]
        }
        let apps = links.android.map { app in
            statement(
                app.relations,
                [
                    "namespace": "android_app", "package_name": .string(app.packageName),
                    "sha256_cert_fingerprints": .array(app.fingerprints.map { .string($0) }),
                ])
        }
        let sites = links.web.map { statement($0.relations, ["namespace": "web", "site": .string($0.site)]) }
        return serve("asset-links-served", .array(apps + sites), call)
    }

    /// An answer with a file, as by a web server. It has no date, because the time of the configuration's last change is not known.
    private func serve(_ name: String, _ file: JSON, _ call: Call) -> Decision {
        var answer = Answer(name, file, cause: "as account \(call.tenant.id) has it")
        answer.file = ServedFile()
        return .answer(answer)
    }

    /// A domain without apps has no such file.
    private func unconfigured(_ what: String, _ call: Call) -> Decision {
        .refusal(Refusal("no-apps", "account \(call.tenant.id) has nothing in deepLinks under \(what)"))
    }
}
