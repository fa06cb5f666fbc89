import ArgumentParser
import Foundation
import SparringContract
import SparringJSON
import SparringSandbox

extension FaultCommand {
    /// The vocabulary; needs no server.
    struct Effects: LocalCommand {
        static let abstract = "List the effects that faults can have."
        static let discussion = """
            Without WHERE, it lists all effects; with WHERE, those that can strike there, including the vendor's refusals.
              sparring fault effects liveperson.Login.*
            """

        @Argument(help: "vendor.operationId, vendor.Tag.*, *.Tag.*, vendor.* or *") var place: String?
        @Flag(help: "Print JSON.") var json = false
        @Option(help: "Folder of the contracts. Default: the one that came with this binary.") var contracts: String?

        func perform() async throws {
            let vocabulary = FaultVocabulary(try Resources.vendorContracts(contracts))
            let effects: [FaultVocabulary.Effect]
            do throws(FaultRefused) { effects = try vocabulary.effects(at: place) } catch { throw ValidationError(error.description) }
            let list = effects.map(\.json)
            try Terminal.print(json ? JSON.array(list).text : Self.text(list))
        }

        /// - Parameter effects: as the admin API lists them.
        static func text(_ effects: [JSON]) -> String {
            var lines: [String] = []
            for effect in effects where effect["refusal"] == nil {
                let word = effect["effect"]?.string ?? ""
                lines.append(Table.padded(word, max(26, word.count + 2)) + (effect["summary"]?.string ?? ""))
                let (parameters, phases) = (effect.texts("parameters"), effect.texts("phases"))
                if !parameters.isEmpty { lines.append("    " + parameters.joined(separator: " | ")) }
                if !phases.isEmpty { lines.append("    phase=" + phases.joined(separator: "|")) }
            }
            let refusals = effects.filter { $0["refusal"] != nil }.compactMap { $0["effect"]?.string }
            if !refusals.isEmpty { lines += ["", "the vendor's refusals: " + refusals.joined(separator: ", ")] }
            return (lines + ["", "behind each: " + FaultVocabulary.conditions.joined(separator: " ")]).joined(separator: "\n")
        }
    }
}

extension Resources {
    /// Those of the vendors, read for a command that needs no server.
    static func vendorContracts(_ folder: String?) throws -> [Contract] {
        try Contract.load(directory: try locate(contracts: folder).contracts).filter { $0.vendor != "admin" }
    }
}
