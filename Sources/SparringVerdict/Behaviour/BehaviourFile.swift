import SparringContract
import SparringJSON

/// The behaviour of a vendor's good client: `contracts/<vendor>.behaviour.yaml`.
package struct BehaviourFile: Sendable {
    static let suffix = ".behaviour.yaml"

    package let vendor: String
    package private(set) var rules: [Rule]
    /// The numbers and schedules that the vendor leaves to the app.
    package let policies: [Policy]
    package let unobservable: [Unobservable]
    /// The documents that its rules rest on.
    package let sources: [Source]
    let clients: Clients
    /// The marks that its rules know, and those that are only kept in the journal.
    let marks: [String]
    /// The rules as they are declared, for other values of the policies.
    private let declared: [JSON]
    private let vocabulary: Vocabulary

    /// - Throws: ``ContractError`` with file and line.
    init(parsing text: String, file: String, vendor: String, _ vocabulary: Vocabulary) throws(ContractError) {
        try self.init(try YAMLDocument(parsing: text, file: file), vendor: vendor, vocabulary)
    }

    init(_ document: YAMLDocument, vendor: String, _ vocabulary: Vocabulary) throws(ContractError) {
        self.vendor = vendor
        self.vocabulary = vocabulary
        do throws(ConfigurationError) {
            let whole = try Declaration(
                document.json, at: .root,
                known: ["$schema", "behaviour", "about", "clients", "policies", "marks", "rules", "unobservable", "sources"])
            guard try whole.text("behaviour") == vendor else { throw whole.error("behaviour", "the file is \(vendor)'s") }
            clients = try Clients(whole, vocabulary)
            marks = try whole.texts("marks")
            policies = try whole.items("policies", known: ["policy", "says", "source", "value", "counts"])
                .map { item throws(ConfigurationError) in try Policy(item, vendor: vendor) }
            declared = try whole.list("rules")
            rules = try Self.rules(declared, vendor, PolicyValues(policies, given: [:]), clients, vocabulary)
            for index in rules.indices {
                rules[index].summary.file = vendor + Self.suffix
                rules[index].summary.line = document.line(at: JSONPointer(tokens: ["rules", String(index)]))
            }
            unobservable = try Self.unobservable(whole, vendor)
            sources = try Self.sources(whole)
        } catch {
            throw document.error(at: error.pointer, error.message)
        }
    }

    /// The same rules with other values of policies.
    ///
    /// - Parameter given: by name, as ``Policy/read(_:at:)`` has read them.
    func with(_ given: [String: JSON]) throws(ConfigurationError) -> BehaviourFile {
        guard !given.isEmpty else { return self }
        var file = self
        file.rules = try Self.rules(declared, vendor, PolicyValues(policies, given: given), clients, vocabulary)
        for index in rules.indices { file.rules[index].summary = rules[index].summary }
        return file
    }

    private static let common = ["rule", "says", "source", "fidelity", "platforms", "advice", "doubt"]
    private static let forms: [any RuleForm.Type] = [
        RetryRule.self, StopsRule.self, NeverRule.self, OrderRule.self, FollowRule.self, EventuallyRule.self, OnceRule.self,
        FreshCredentialRule.self, NoReuseRule.self, OneAtATimeRule.self, AscendingRule.self, TellsRule.self, ReconnectRule.self,
        CleanLogoutRule.self,
        RateRule.self, SocketsRule.self,
    ]

    private static func rules(
        _ list: [JSON], _ vendor: String, _ policies: PolicyValues, _ clients: Clients, _ vocabulary: Vocabulary
    ) throws(ConfigurationError) -> [Rule] {
        var rules: [Rule] = []
        for (index, json) in list.enumerated() {
            let pointer = JSONPointer(tokens: ["rules", String(index)])
            let declared = try Declaration(json, at: pointer, known: common + forms.map { $0.word })
            let name = try declared.text("rule")
            guard name.isName(atMost: 100) else {
                throw declared.error("rule", "'\(name)' is not a name of up to 100 lower-case letters, digits and hyphens")
            }
            guard !rules.contains(where: { $0.name == name }) else { throw declared.error("rule", "rule '\(name)' is declared twice") }
            let given = forms.filter { json[$0.word] != nil }
            guard let form = given.first, given.count == 1 else {
                throw ConfigurationError(pointer, "expected one of \(forms.map { $0.word }.joined(separator: ", "))")
            }
            let place = pointer.appending(form.word)
            let body = try Declaration(policies.filling(json[form.word] ?? [:], at: place), at: place, known: form.members)
            try PlaceCheck(vocabulary: vocabulary).verify(json[form.word] ?? [:], at: place)
            let platforms = try declared.texts("platforms")
            for platform in platforms where !clients.names(.platform).contains(platform) {
                let hint = Nearest.hint(for: platform, in: clients.names(.platform))
                throw declared.error("platforms", "'\(platform)' is not one of the platforms under 'clients'\(hint)")
            }
            let summary = RuleSummary(
                name: name, vendor: vendor, kind: form.word, says: try declared.text("says"), source: try declared.text("source"),
                fidelity: try declared.word("fidelity", among: ["verified", "inferred", "assumed"]) ?? "verified", platforms: platforms)
            rules.append(
                Rule(
                    summary: summary, isAdvice: try declared.flag("advice") ?? false, isDoubt: try declared.flag("doubt") ?? false,
                    excuses: excuses(body), form: try form.init(body, vocabulary)))
        }
        return rules
    }

    /// The marks among what ends a rule's demands.
    private static func excuses(_ body: Declaration) -> [String] {
        let ends = ["unless", "until", "gaveUp"].compactMap { body.json[$0] }.flatMap { $0.array ?? [$0] }
        let marks = ends.compactMap { $0["mark"] }.flatMap { $0.array ?? [$0] }.compactMap(\.string)
        return marks.reduce(into: []) { marks, mark in if !marks.contains(mark) { marks.append(mark) } }
    }

    private static func sources(_ whole: Declaration) throws(ConfigurationError) -> [Source] {
        try whole.items("sources", known: ["source", "says", "url"]).map { item throws(ConfigurationError) in
            let url = try item.optionalText("url")
            if let url, !url.hasPrefix("https://") { throw item.error("url", "\(url.quoted) is not an https URL") }
            return Source(name: try item.text("source"), says: try item.text("says"), url: url)
        }
    }

    private static func unobservable(_ whole: Declaration, _ vendor: String) throws(ConfigurationError) -> [Unobservable] {
        try whole.items("unobservable", known: ["says", "source", "because"]).map { item throws(ConfigurationError) in
            Unobservable(
                vendor: vendor, says: try item.text("says"), source: try item.text("source"), because: try item.text("because"))
        }
    }
}
