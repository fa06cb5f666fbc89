import SparringJSON

/// The kinds of clients that a vendor's rules distinguish, and what shows on the network of which kind one is.
///
/// ```yaml
/// clients:
///   platforms:
///     - platform: ios
///       known-by: { calls: liveperson.registerPush, with: { body:/pushType: APNS } }
///   flows:
///     - flow: code
///       known-by: { calls: liveperson.Login.*, with: { body:/code: "*" } }
/// ```
struct Clients: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case platform, flow
    }

    struct Trait: Sendable {
        let kind: Kind
        let name: String
        let shows: [Selector]
        /// Platforms that rules which name none are not about.
        let isApart: Bool
        /// A server of the client's: it says nothing of the platform of the app.
        let isBeside: Bool
    }

    let traits: [Trait]

    init(_ whole: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        let clients = try whole.mapping("clients", known: ["platforms", "flows"])
        var traits: [Trait] = []
        for kind in Kind.allCases {
            for item in try clients?.items(kind.rawValue + "s", known: [kind.rawValue, "known-by", "apart", "beside"]) ?? [] {
                try PlaceCheck(vocabulary: vocabulary).verify(item.json["known-by"] ?? [:], at: item.pointer.appending("known-by"))
                traits.append(
                    Trait(
                        kind: kind, name: try item.text(kind.rawValue), shows: try Selector.list("known-by", item, vocabulary),
                        isApart: try item.flag("apart") ?? false, isBeside: try item.flag("beside") ?? false))
            }
        }
        self.traits = traits
    }

    func names(_ kind: Kind) -> [String] { traits.filter { $0.kind == kind }.map(\.name) }
}

/// The kind of a run's client: what was said of it, or else what it showed.
struct ClientKind: Sendable {
    private let traits: [Clients.Trait]
    private let said: [Clients.Kind: String]
    private var shown: [Clients.Kind: Set<String>] = [:]
    /// The traits that may show at each place and have not shown yet, by their number.
    private var interest: [EventPlace: [Int]] = [:]

    init(_ clients: [Clients], platform: String?, flow: String?) {
        traits = clients.flatMap(\.traits)
        said = [Clients.Kind.platform: platform, .flow: flow].compactMapValues { $0 }
    }

    mutating func take(_ event: Event, at place: EventPlace) {
        guard event.kind == .call || event.kind == .mark else { return }
        let open = event.kind == .mark ? Array(traits.indices) : interested(in: place)
        for index in open where traits[index].shows.contains(where: { $0.matches(event) }) {
            shown[traits[index].kind, default: []].insert(traits[index].name)
            interest.removeAll()
        }
    }

    private mutating func interested(in place: EventPlace) -> [Int] {
        if let known = interest[place] { return known }
        let found = traits.indices.filter { index in
            let trait = traits[index]
            return shown[trait.kind]?.contains(trait.name) != true && trait.shows.contains { $0.concerns(place) }
        }
        interest[place] = found
        return found
    }

    /// Empty where nothing shows it.
    func known(_ kind: Clients.Kind) -> Set<String> { said[kind].map { [$0] } ?? shown[kind] ?? [] }

    /// Why a rule says nothing of such a client; nil where it does.
    func exemption(from rule: Rule) -> String? {
        let known = known(.platform)
        let apart = Set(traits.filter { $0.kind == .platform && $0.isApart }.map(\.name))
        guard !rule.platforms.isEmpty else {
            guard !known.isEmpty, known.isSubset(of: apart) else { return nil }
            return "it does not apply to such a client (\(known.sorted().joined(separator: ", ")))"
        }
        let asked = rule.platforms.joined(separator: ", ")
        if known.isEmpty { return "it applies to \(asked), and the calls do not show on which platform the client runs; set --platform" }
        // Where clients of several platforms call, it would have to be known for each call which client made it.
        let beside = Set(traits.filter { $0.kind == .platform && $0.isBeside }.map(\.name))
        let apps = known.subtracting(beside.subtracting(rule.platforms))
        return !apps.isEmpty && apps.isSubset(of: Set(rule.platforms))
            ? nil : "it applies to \(asked), and the client's platform is \(known.sorted().joined(separator: ", "))"
    }

    /// Why a scenario does not expect something of such a client; nil where it does.
    func exemption(fromFlows flows: [String], orPlatforms platforms: [String]) -> String? {
        func others(_ names: [String], than kind: Clients.Kind) -> String? {
            let known = known(kind)
            return names.isEmpty || known.isEmpty || !known.isDisjoint(with: names) ? nil : known.sorted().joined(separator: ", ")
        }
        if let others = others(flows, than: .flow) {
            return "the scenario expects it for the \(flows.joined(separator: " or ")) flow, and the client uses \(others)"
        }
        if let others = others(platforms, than: .platform) {
            return "the scenario expects it for \(platforms.joined(separator: " or ")), and the client's platform is \(others)"
        }
        return nil
    }
}
