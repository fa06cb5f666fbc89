/// An answer or a message that a lane is about to get.
package struct VariationSubject: Sendable {
    package let variations: Variations
    /// The vendor's name.
    package let vendor: String
    /// `vendor.id` of the operation or the message.
    package let point: String
    package let lane: String
    /// Its position among those of its kind that the lane gets, counted from 1.
    package let ordinal: Int

    package init(_ variations: Variations, vendor: String, point: String, lane: String, ordinal: Int) {
        (self.variations, self.vendor, self.point, self.lane, self.ordinal) = (variations, vendor, point, lane, ordinal)
    }

    package func pick(_ family: VariationFamily, _ place: String, of choices: Int) -> VariationPick? {
        variations.pick(family, .sent(point: point, lane: lane, ordinal: ordinal), place, of: choices)
    }

    /// For what has to be the same wherever it is sent.
    package func pick(_ family: VariationFamily, everywhere key: String, of choices: Int) -> VariationPick? {
        variations.pick(family, .value(vendor: vendor), key, of: choices)
    }
}

/// A change that was made, for people.
package struct VariedPlace: Sendable, Equatable {
    package var id: VariationID
    /// The place, as a JSON Pointer into the body; empty: not in the body, or all of it.
    package var place: String
    package var words: String

    package init(_ id: VariationID, at place: String, _ words: String) { (self.id, self.place, self.words) = (id, place, words) }
}
