package import SparringContract
package import SparringJSON

/// Messages that come with one that is sent unprompted.
package struct CompanyVariation: Sendable {
    /// Messages before it.
    package private(set) var before: [JSON] = []
    /// It comes twice.
    package private(set) var isTwice = false
    package private(set) var changes: [VariedPlace] = []

    /// - Parameters:
    ///   - body: as it goes out.
    ///   - unasked: messages of the channel that may come at any time.
    package init(_ subject: VariationSubject, _ body: JSON, by view: SchemaView, unasked: [(name: String, body: JSON)]) {
        let odd = OddValue(body, view)
        if body.object != nil, odd.isOdd, let pick = subject.pick(.unknownMessage, "before", of: 1) {
            before.append(odd.value(pick.word))
            changes.append(VariedPlace(pick.id, at: "", "before it: a message of an unknown kind, \(odd.words(pick.word))"))
        }
        if !unasked.isEmpty, let pick = subject.pick(.unasked, "before", of: unasked.count) {
            before.append(unasked[pick.index].body)
            changes.append(VariedPlace(pick.id, at: "", "before it: \(unasked[pick.index].name), which nobody asked for"))
        }
        if let pick = subject.pick(.repeats, "twice", of: 1) {
            isTwice = true
            changes.append(VariedPlace(pick.id, at: "", "sent twice"))
        }
    }
}
