import ArgumentParser
import SparringJSON
import SparringVariation

/// The variation of what clients are sent.
struct VariationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Vary what clients receive, within what a vendor may change without notice. Takes a seed, or a seed with families, such as \
            7:V5,V12.
            """,
            valueName: "seed"))
    var vary: String?
    @Option(
        name: .customLong("vary-only"),
        help: ArgumentHelp("Only this variation; may be given several times. `sparring journal` shows the ids.", valueName: "id"))
    var only: [String] = []
    @Option(name: .customLong("vary-without"), help: ArgumentHelp("Leave this variation out; may be given several times.", valueName: "id"))
    var without: [String] = []
    @Flag(name: .customLong("vary-wild"), help: "Include the families of tier 3, which are arguably a vendor's fault.") var wild = false

    func validate() throws {
        if vary == nil, !only.isEmpty || !without.isEmpty || wild {
            throw ValidationError("--vary-only, --vary-without and --vary-wild need --vary, such as --vary 7")
        }
        if wild, vary?.contains(":") == true { throw ValidationError("--vary-wild cannot be used if --vary names the families") }
        do throws(ConfigurationError) { _ = try plan } catch { throw ValidationError("--vary: \(error.message)") }
    }

    /// Nil: nothing is varied.
    var plan: VariationPlan? {
        get throws(ConfigurationError) {
            guard let vary else { return nil }
            var plan = try VariationPlan(text: vary)
            if wild { plan.families = VariationPlan.wild }
            if !only.isEmpty { plan.only = try Self.ids(only) }
            plan.without = try Self.ids(without)
            return plan
        }
    }

    /// The form that the admin API takes.
    var form: JSON? {
        get throws(ConfigurationError) { try plan?.json }
    }

    private static func ids(_ texts: [String]) throws(ConfigurationError) -> [VariationID] {
        var ids: [VariationID] = []
        for text in texts { ids.append(try VariationID(text)) }
        return ids
    }
}
