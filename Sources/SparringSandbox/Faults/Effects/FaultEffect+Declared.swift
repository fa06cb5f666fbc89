import SparringContract

extension Fault {
    /// A misbehaviour that the vendor's own code carries out.
    package struct VendorEffect: Sendable {
        package var word: String
        package var parameters: [String: String]
    }
}

extension FaultEffect {
    /// An effect that a vendor's contract declares (`x-effects`), and the vendor's code has.
    static func declared(_ effect: DeclaredEffect) -> FaultEffect {
        let about = "Parameter of `\(effect.word)`, which contracts declare."
        let parameters = effect.parameters.sorted { $0.name < $1.name }.map {
            FaultParameter($0.name, .declared($0.values), about, isRequired: true)
        }
        return FaultEffect(
            effect.word, effect.summary, at: .declared, parameters,
            isOffered: { $0.vendorEffects.contains { $0.word == effect.word } }
        ) { given in
            let values = Dictionary(uniqueKeysWithValues: given.written)
            return { _, all in all.vendorEffects.append(Fault.VendorEffect(word: effect.word, parameters: values)) }
        }
    }
}
