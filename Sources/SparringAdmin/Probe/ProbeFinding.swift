package import SparringJSON

/// A result about an operation, or about one place of its answers.
package struct ProbeFinding: Sendable {
    /// Contract, vendor and Sparring, held against each other.
    package enum Meaning: String, Sendable, CaseIterable {
        /// Contract and Sparring are as the vendor is.
        case faithful
        /// The contract is as the vendor is, and Sparring is not.
        case sparringWrong = "sparring-wrong"
        /// Contract and Sparring are as the vendor was: it has changed, or does more than its documents say.
        case vendorAhead = "vendor-ahead"
        /// Sparring is as the vendor is, and its contract is not.
        case contractWrong = "contract-wrong"
        /// Nothing can be said.
        case unchecked = "could-not-check"

        package var words: String { rawValue.replacing("-", with: " ").replacing("sparring", with: "Sparring") }
    }

    package var meaning: Meaning
    /// `vendor.operation`, of a call or of a message.
    package var operation: String
    /// `answer body.items[*].id`; nil: the whole operation.
    package var place: String?
    /// The vendor's value and Sparring's; or the reason why nothing could be checked.
    package var words: String?
    /// The place where the contract says otherwise, such as `liveperson.openapi.yaml:12`.
    package var basis: String?

    /// The vendor's value, or the kind of difference: it distinguishes results at one place. Words would not do, since ids in them differ from call to call.
    var distinction: String?

    var key: [String?] { [operation, meaning.rawValue, place, meaning == .unchecked ? words : distinction] }

    package var json: JSON {
        .members([
            "meaning": .string(meaning.rawValue), "operation": .string(operation), "place": place.map { .string($0) },
            "words": words.map { .string($0) }, "basis": basis.map { .string($0) },
        ])
    }
}
