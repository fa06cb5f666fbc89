import SparringVendorKit

/// Handlers of the tag "DomainLookup" (CSDS, LivePerson reference 2).
extension LivePerson {
    /// Every service that clients are known to ask for (LivePerson reference 2.4).
    private static let services = [
        "predictiveDialer", "leStorage", "accountCreation", "leBilling", "coApp", "asyncMessagingEnt", "leIntegration", "loggos",
        "liveEngageUI", "visitorFeed", "agentVep", "asyncMessaging", "adminArea", "engHistDomain", "accountConfigReadWrite", "mobileVisit",
        "coBrowse", "liveEngageVep", "pusherInt", "leBiMstr", "keyService", "provisionGW", "msgHist", "connectionPanel", "conversationVep",
        "vssDomain", "agent", "appKeyManagement", "leDataReporting", "batchelor", "lpEng", "idp", "etool", "mobileChat", "smt",
        "openPlatform", "redirect", "acCdnDomain", "mTag", "staticContent", "leBackofficeInt", "liveEngage", "interactionPlatform",
        "accountConfigReadOnly", "visitManager", "nlp", "tokenizer", "pusher", "leCdnDomain", "swift", "sentinel", "facadeMsg",
        "agentManagerWorkspace", "faasGW", "messagingRestApiDomain", "runtimeFormLogic", "msdkgw", "msgEwtAPI", "rtbf",
        "agentActivityDomain", "shiftstatus",
    ]

    private static let known = Set(services)

    func lookUpService(_ call: Call) -> Decision {
        let service = call.path("serviceName")
        guard let host = host(of: service, call) else { return unknown(service) }
        return .answer("service-found", ["service": .string(service), "account": .string(call.tenant.id), "baseURI": .string(host)])
    }

    func lookUpAllServices(_ call: Call) -> Decision {
        .answer("services-found", ["baseURIs": .array(serviceLocations(call))])
    }

    /// Every service of an account with its host; the agents' login tells them too.
    func serviceLocations(_ call: Call) -> [JSON] {
        let further = call.settings(of: self).services.keys.filter { !Self.known.contains($0) }.sorted()
        return (Self.services + further).map { service in
            ["service": .string(service), "account": .string(call.tenant.id), "baseURI": .string(host(of: service, call) ?? "")]
        }
    }

    func lookUpServiceScript(_ call: Call) -> Decision {
        let service = call.path("serviceName")
        guard let host = host(of: service, call) else { return unknown(service) }
        return .answer("service-found", ["ResultSet": ["lpData": [["lpServer": .string(host)]]]])
    }

    func lookUpAllServicesScript(_ call: Call) -> Decision {
        .answer("services-found", ["ResultSet": ["lpData": ["baseURIs": .array(serviceLocations(call))]]])
    }

    func listConnectors(_ call: Call) -> Decision {
        let connectors = call.settings(of: self).connectors.map { connector -> JSON in
            ["id": connector.id, "name": .string(connector.name), "configuration": ["jsMethodName": .string(connector.jsMethodName)]]
        }
        return .answer("connectors-found", .array(connectors))
    }

    /// A bare host: clients put `https://` or `wss://` before it. Nil for a service that LivePerson has not.
    private func host(of service: String, _ call: Call) -> String? {
        if let configured = call.settings(of: self).services[service] { return configured }
        return Self.known.contains(service) ? call.serviceHost : nil
    }

    private func unknown(_ service: String) -> Decision {
        let nearest = Nearest.words(to: service, in: Self.services).first
        return .refusal(Refusal("service-unknown", "there is no service '\(service)'" + (nearest.map { "; nearest: \($0)" } ?? "")))
    }
}
