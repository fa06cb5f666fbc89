import SparringJSON

/// How people name the rules of several vendors: `vendor.rule`, or the rule alone if only one vendor declares it.
package struct RuleNames: Sendable {
    /// Why a name does not lead to one rule.
    package struct Refused: Error, Sendable {
        package var words: String
    }

    private let rules: [Rule]

    package init(_ rules: [Rule]) { self.rules = rules }

    package func rule(_ name: String) throws(Refused) -> Rule {
        let meant = rules.filter { $0.qualifiedName == name || $0.name == name }
        if meant.count == 1 { return meant[0] }
        if meant.count > 1 {
            throw Refused(words: "'\(name)' is a rule of several vendors: \(meant.map(\.qualifiedName).joined(separator: ", "))")
        }
        let known = name.contains(".") ? rules.map(\.qualifiedName) : rules.map(\.name)
        // Looser than a typing error: the vendor may be another.
        let near = Nearest.words(to: name, in: known).prefix(3).map { "'\($0)'" }
        let hint = near.isEmpty ? "; `sparring verify --list` lists them" : " (did you mean \(Nearest.choice(of: near))?)"
        throw Refused(words: "there is no rule '\(name)'\(hint)")
    }

    /// The shortest name that means this rule and no other.
    package func shortName(of rule: Rule) -> String {
        rules.count { $0.name == rule.name } > 1 ? rule.qualifiedName : rule.name
    }
}
