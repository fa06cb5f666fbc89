import SparringJSON

extension JSON {
    /// How many values it is made of.
    var leaves: Int {
        switch self {
        case .object(let members): members.values.reduce(0) { $0 + $1.leaves }
        case .array(let items): items.reduce(0) { $0 + $1.leaves }
        default: 1
        }
    }

    /// The weight of differences (``Difference/weight``) beyond which another value is not what became of it, but another one.
    var mostDifference: Int { leaves == 1 ? 0 : 1 + leaves / 2 }
}
