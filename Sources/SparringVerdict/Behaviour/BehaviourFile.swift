import SparringContract
import SparringJSON

/// What a vendor's good client does: `contracts/<vendor>.behaviour.yaml`.
public struct BehaviourFile: Sendable {
    static let suffix = ".behaviour.yaml"

    public let vendor: String
    public let rules: [Rule]
    public let unobservable: [Unobservable]

    /// - Throws: ``ContractError`` with file and line.
    init(parsing text: String, file: String, vendor: String, _ vocabulary: Vocabulary) throws(ContractError) {
        let document = try YAMLDocument(parsing: text, file: file)
        self.vendor = vendor
        do throws(ConfigurationError) {
            let whole = try Declaration(document.json, at: .root, known: ["behaviour", "about", "rules", "unobservable"])
            guard try whole.text("behaviour") == vendor else { throw whole.error("behaviour", "the file is \(vendor)'s") }
            rules = try Self.rules(whole, vendor, vocabulary)
            unobservable = try Self.unobservable(whole, vendor)
        } catch {
            throw document.error(at: error.pointer, error.message)
        }
    }

    private static let common = ["rule", "says", "source", "fidelity", "platforms"]
    private static let forms: [any RuleForm.Type] = [
        RetryRule.self, StopsRule.self, NeverRule.self, OrderRule.self, FollowRule.self, EventuallyRule.self, OnceRule.self,
        FreshCredentialRule.self, NoReuseRule.self, OneAtATimeRule.self, AscendingRule.self, ReconnectRule.self, CleanLogoutRule.self,
    ]

    private static func rules(_ whole: Declaration, _ vendor: String, _ vocabulary: Vocabulary) throws(ConfigurationError) -> [Rule] {
        var rules: [Rule] = []
        for (index, json) in try whole.list("rules").enumerated() {
            let pointer = JSONPointer(tokens: ["rules", String(index)])
            let declared = try Declaration(json, at: pointer, known: common + forms.map { $0.word })
            let name = try declared.text("rule")
            guard isName(name) else {
                throw declared.error("rule", "'\(name)' is no name of up to 100 small letters, digits and hyphens")
            }
            guard !rules.contains(where: { $0.name == name }) else { throw declared.error("rule", "rule '\(name)' stands here twice") }
            let given = forms.filter { json[$0.word] != nil }
            guard let form = given.first, given.count == 1 else {
                throw ConfigurationError(pointer, "one of \(forms.map { $0.word }.joined(separator: ", ")) should stand here")
            }
            let body = try Declaration(json[form.word] ?? [:], at: pointer.appending(form.word), known: form.members)
            rules.append(
                Rule(
                    name: name, vendor: vendor, says: try declared.text("says"), source: try declared.text("source"),
                    fidelity: try declared.word("fidelity", among: ["verified", "inferred", "assumed"]) ?? "verified",
                    platforms: try declared.texts("platforms"), form: try form.init(body, vocabulary)))
        }
        return rules
    }

    private static func isName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == UInt8(ascii: "-") }
    }

    private static func unobservable(_ whole: Declaration, _ vendor: String) throws(ConfigurationError) -> [Unobservable] {
        var all: [Unobservable] = []
        for (index, json) in try whole.list("unobservable").enumerated() {
            let declared = try Declaration(
                json, at: JSONPointer(tokens: ["unobservable", String(index)]), known: ["says", "source", "because"])
            all.append(
                Unobservable(
                    vendor: vendor, says: try declared.text("says"), source: try declared.text("source"),
                    because: try declared.text("because")))
        }
        return all
    }
}
