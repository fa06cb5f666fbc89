import SparringContract
import SparringJSON

/// Members that come and go.
extension BodyVariation {
    mutating func varied(_ members: JSON.Object, _ view: SchemaView, _ place: String) -> JSON {
        if members.isEmpty, pick(.listForObject, place, of: 1, "{} → []") != nil { return [] }
        var result = JSON.Object(minimumCapacity: members.count + 1)
        for (name, value) in members {
            let (inner, at) = (view.member(name), Self.place(place, name))
            if mayGo(name, inner, from: view) {
                if pick(.absent, at, of: 1, "removed") != nil { continue }
                if pick(.null, at, of: 1, "→ null") != nil {
                    result[name] = .null
                    continue
                }
            }
            result[name] = varied(value, inner, at)
        }
        addLists(to: &result, members, view, place)
        varyToken(&result, members, view, place)
        varyKeys(&result, members, place)
        if !view.isMap, let pick = subject.pick(.unknownMember, place, of: Self.unknownValues.count) {
            let (name, value) = ("sparring_\(pick.word)", Self.unknownValues[pick.index])
            note(pick, at: place, "added \(name): \(value.text)")
            result[name] = value
        }
        return .object(result)
    }

    /// Values of unknown members, the simplest first.
    private static let unknownValues: [JSON] = ["7f3", 0, true, .null, ["sparring": "7f3"], ["7f3"]]

    /// A client can do without the member.
    private func mayGo(_ name: String, _ member: SchemaView, from view: SchemaView) -> Bool {
        !member.isSilent && member.use != .steers && member.use != .opaque && view.mayLack(name)
    }

    /// Lists that the contract knows and the body lacks, with nothing in them.
    private mutating func addLists(to result: inout JSON.Object, _ members: JSON.Object, _ view: SchemaView, _ place: String) {
        for name in view.certainMembers.subtracting(members.keys).sorted() {
            let (inner, at) = (view.member(name), Self.place(place, name))
            guard inner.isList, inner.use != .steers, inner.mayHave(items: 0) else { continue }
            if pick(.sizes, at, of: 1, "added []") != nil { result[name] = [] }
        }
    }
}
