import SparringContract
import SparringJSON

/// How many items lists have, and of what kind.
extension BodyVariation {
    mutating func varied(_ items: [JSON], _ view: SchemaView, _ place: String) -> JSON {
        if items.count == 1, case .object = items[0], pick(.objectForList, place, of: 1, "the only item for the list") != nil {
            return varied(items[0], view.item(0), place + "/0")
        }
        var result = items.enumerated().map { index, item in varied(item, view.item(index), "\(place)/\(index)") }
        resize(&result, view, place)
        if let index = items.firstIndex(where: { $0.object != nil }), view.mayHave(items: items.count + 1) {
            let odd = OddValue(items[index], view.item(index))
            if odd.isOdd, let pick = subject.pick(.oddItem, place, of: 3) {
                let at = [result.count, 0, result.count / 2][pick.index]
                result.insert(odd.value(pick.word), at: at)
                note(pick, at: place, "added at \(at): an item of an unknown kind, \(odd.words(pick.word))")
            }
        }
        return .array(result)
    }

    /// A list that may be absent says nothing that a client cannot do without.
    private mutating func resize(_ items: inout [JSON], _ view: SchemaView, _ place: String) {
        guard view.use == .shown, !items.isEmpty else { return }
        var sizes = [0, 1].filter { $0 < items.count && view.mayHave(items: $0) }
        if !view.hasUniqueItems { sizes += [items.count + 1, 100].filter { $0 > items.count && view.mayHave(items: $0) } }
        guard !sizes.isEmpty, let pick = subject.pick(.sizes, place, of: sizes.count) else { return }
        let size = sizes[pick.index]
        note(pick, at: place, "\(items.count) → \(size) items")
        items = (0..<size).map { items[$0 % items.count] }
    }
}
