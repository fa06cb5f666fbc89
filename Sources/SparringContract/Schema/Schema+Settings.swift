package import SparringJSON

extension Schema {
    /// A value of a tenant's configuration that is a length of time or a whole number.
    package struct Setting: Sendable {
        package let place: JSONPointer
        /// Otherwise a whole number.
        package let isSpan: Bool
    }

    /// The lengths of time and whole numbers that a configuration may have, apart from those in lists and in members with any names.
    package var settings: [Setting] {
        var found: [Setting] = []
        collect(from: index, at: .root, besides: [], into: &found)
        return found.sorted { $0.place.description < $1.place.description }
    }

    private func collect(from schema: Int, at place: JSONPointer, besides outer: Set<Int>, into found: inout [Setting]) {
        guard !outer.contains(schema) else { return }
        let schemas = library.rules.inPlace([schema])
        if schemas.contains(where: { library.rules[$0].string.format == .timeSpan }) {
            return found.append(Setting(place: place, isSpan: true))
        }
        if schemas.contains(where: { library.rules[$0].types == .integer }) { return found.append(Setting(place: place, isSpan: false)) }
        for (name, member) in Dictionary(schemas.flatMap { library.rules[$0].object.properties }, uniquingKeysWith: { first, _ in first }) {
            collect(from: member, at: place.appending(name), besides: outer.union([schema]), into: &found)
        }
    }
}
