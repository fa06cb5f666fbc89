import OrderedCollections
import SparringJSON

extension JSON {
    /// A JOSE header: `fixed`, then `defaults`, then `extra`, whose members replace defaults of the same name but nothing that is fixed.
    static func header(_ fixed: JSON, _ defaults: JSON, _ extra: JSON) -> JSON {
        fixed.merging(defaults).merging(extra).merging(fixed)
    }

    /// This object with the members of another; where both have one, it stays in its place and takes the other's value.
    func merging(_ other: JSON) -> JSON {
        var merged = self
        for (name, value) in other.object ?? [:] { merged[name] = value }
        return merged
    }
}
