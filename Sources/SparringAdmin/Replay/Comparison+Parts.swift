import SparringJSON

/// Objects member by member, and lists item by item.
extension Comparison {
    mutating func compare(_ members: JSON.Object, _ others: JSON.Object, at place: Place) {
        var left = others
        var missing: [(name: String, value: JSON)] = []
        for (name, member) in members where !(Self.hashes.contains(name) && left.removeValue(forKey: name) != nil) {
            if let other = left.removeValue(forKey: others[name] == nil ? correspondence.translate(name) : name) {
                compare(member, other, at: place.member(name))
            } else {
                missing.append((name, member))
            }
        }
        for (name, member) in missing {
            // Members that are named by ids.
            if Self.isID(name) || name.hasPrefix("«"), let other = left.keys.first(where: { Self.isID($0) && !correspondence.isUsed($0) }) {
                pair(name, other, .ids, at: place)
                if let value = left.removeValue(forKey: other) { compare(member, value, at: place.member(name)) }
            } else {
                differ(.missing, place.member(name), is: nil, recorded: member)
            }
        }
        for (name, other) in left {
            differ(.surplus, place.member(name), is: other, recorded: nil)
        }
    }

    /// Claims that are hashes of tokens, and so differ with them (OpenID Connect Core §3.3.2.11).
    private static let hashes: Set = ["at_hash", "c_hash", "s_hash"]

    /// Item by item; where one is left out or another came first, with the one that is most like it.
    mutating func compare(_ items: [JSON], _ others: [JSON], at place: Place) {
        let count = max(items.count, others.count)
        func item(_ index: Int) -> Place { place.item(index, of: count) }
        var left = Array(others.enumerated())
        var partners: [(index: Int, other: Int)] = []
        var rest: [Int] = []
        for (index, value) in items.enumerated() {
            let isEven = items.count == others.count
            guard
                let found = like(
                    value, among: left, preferring: isEven ? index : nil, atMost: isEven ? value.mostDifference : 0, at: item(index))
            else {
                rest.append(index)
                continue
            }
            partners.append((index, left.remove(at: found.place).offset))
            self = found.comparison
        }
        for index in rest {
            // In a list of the same length nothing is left out: what is unlike stands for it.
            let preferred = items.count == others.count ? left.firstIndex { $0.offset == index } : nil
            let limit = preferred == nil ? items[index].mostDifference : .max
            guard
                let found = like(
                    items[index], among: left, preferring: preferred == nil ? nil : index, atMost: limit, at: item(index))
            else {
                differ(.missing, item(index), is: nil, recorded: items[index])
                continue
            }
            partners.append((index, left.remove(at: found.place).offset))
            self = found.comparison
        }
        for (index, other) in left {
            differ(.surplus, item(index), is: other, recorded: nil)
        }
        var latest = -1
        for (index, other) in partners.sorted(by: { $0.index < $1.index }) {
            if other < latest {
                differ(.order, item(index), is: "item \(other)", recorded: "item \(index)", "is item \(other) of the replay")
            }
            latest = max(latest, other)
        }
    }

    /// The comparison with the item that is most like one; of several with the one at the preferred place, or the first.
    private func like(
        _ item: JSON, among others: [(offset: Int, element: JSON)], preferring preferred: Int?, atMost limit: Int, at place: Place
    ) -> (place: Int, comparison: Comparison)? {
        let first = others.firstIndex { $0.offset == preferred }
        var best: (place: Int, comparison: Comparison, weight: Int)?
        for index in [first].compactMap(\.self) + others.indices.filter({ $0 != first }) {
            var comparison = self
            comparison.compare(item, others[index].element, at: place)
            let weight = comparison.differences[differences.count...].reduce(0) { $0 + $1.weight }
            if weight < best?.weight ?? .max { best = (index, comparison, weight) }
            // Most lists differ nowhere.
            if weight == 0 || index == first && (weight <= limit || others.count > Self.mostTried) { break }
        }
        guard let best, best.weight <= limit else { return nil }
        return (best.place, best.comparison)
    }

    /// Items of the longest list in which one is looked for.
    private static let mostTried = 100
}
