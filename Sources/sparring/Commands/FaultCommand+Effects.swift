import ArgumentParser
import Foundation
import SparringContract
import SparringJSON
import SparringSandbox

extension FaultCommand {
    /// The vocabulary; needs no server.
    struct Effects: LocalCommand {
        static let configuration = CommandConfiguration(
            commandName: "effects",
            abstract: "List the effects that faults can have.",
            discussion: """
                Without WHERE, it lists all effects; with WHERE, those that can strike there, including the vendor's refusals.
                  sparring fault effects liveperson.Login.*
                """)

        @Argument(help: "vendor.operationId, vendor.Tag.*, *.Tag.*, vendor.* or *") var place: String?
        @Flag(help: "Print JSON.") var json = false
        @Option(help: "Folder of the contracts. Default: the one that came with this binary.") var contracts: String?

        func perform() async throws {
            let vocabulary = FaultVocabulary(try Resources.vendorContracts(contracts))
            let effects: [FaultVocabulary.Effect]
            do throws(FaultRefused) { effects = try vocabulary.effects(at: place) } catch { throw ValidationError(error.description) }
            try Terminal.print(json ? JSON.array(effects.map(\.json)).text : Self.text(effects))
        }

        static func text(_ effects: [FaultVocabulary.Effect]) -> String {
            var lines: [String] = []
            for effect in effects where !effect.isRefusal {
                lines.append(effect.word.padding(toLength: max(26, effect.word.count + 2), withPad: " ", startingAt: 0) + effect.summary)
                if !effect.parameters.isEmpty { lines.append("    " + effect.parameters.joined(separator: " | ")) }
                if !effect.phases.isEmpty { lines.append("    phase=" + effect.phases.joined(separator: "|")) }
            }
            let refusals = effects.filter(\.isRefusal).map(\.word)
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
