import ArgumentParser
import SparringContract
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
        for (option, texts) in given {
            do throws(ConfigurationError) { _ = try Self.ids(texts) } catch { throw ValidationError("\(option): \(error.message)") }
        }
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

    /// The variations that are named, by their options.
    private var given: [(option: String, texts: [String])] { [("--vary-only", only), ("--vary-without", without)] }

    var namesVariations: Bool { !only.isEmpty || !without.isEmpty }

    /// - Parameters:
    ///   - contracts: of the operations and messages that can be varied.
    ///   - mayGrow: sandboxes may get stubs beside them, so that only another vendor, or a slip of the finger, is surely a mistake.
    /// - Throws: ``CommandFailure`` for a named variation of an operation that no contract has.
    func check(_ contracts: [Contract], mayGrow: Bool) throws {
        let (vendors, names) = (contracts.map(\.vendor), Self.names(of: contracts))
        for (option, texts) in given {
            for id in try Self.ids(texts) {
                switch id.subject {
                case .value(let vendor):
                    guard !vendor.contains("*"), !vendors.contains(vendor) else { continue }
                    throw Self.unknown("\(option): there is no vendor", vendor, in: vendors)
                case .sent(let point, _, _):
                    guard !point.contains("*"), !names.contains(point) else { continue }
                    let isOfVendor = vendors.contains { point.hasPrefix($0 + ".") }
                    if mayGrow, isOfVendor, Nearest.slip(of: point, in: names) == nil { continue }
                    throw Self.unknown("\(option): there is no operation or message", point, in: names)
                }
            }
        }
    }

    private static func unknown(_ words: String, _ name: String, in known: [String]) -> CommandFailure {
        CommandFailure(text: "\(words) '\(Terminal.printable(name))'\(Nearest.hint(for: name, in: known))", status: 64)
    }

    private static func names(of contracts: [Contract]) -> [String] {
        contracts.flatMap { contract -> [String] in
            let received = contract.channels.flatMap(\.received).map(\.qualifiedName)
            let sent = contract.channels.flatMap(\.sent).map(\.qualifiedName)
            return contract.operations.map(\.qualifiedName) + received + sent
        }
    }

    private static func ids(_ texts: [String]) throws(ConfigurationError) -> [VariationID] {
        var ids: [VariationID] = []
        for text in texts { ids.append(try VariationID(text)) }
        return ids
    }
}
