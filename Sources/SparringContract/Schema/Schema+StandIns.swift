public import SparringJSON

/// Members that have other names on the wire than in Sparring's own code (`x-stands-for`).
extension Schema {
    public var hasStandIns: Bool { library.hasStandIns && !StandIns(library.rules).found(in: [index]).isEmpty }

    /// A value from the wire, as the code knows it, without what stands for other parts of the request.
    func canonical(_ value: JSON) -> (value: JSON, moved: [(place: RequestPlace, value: JSON)]) {
        guard library.hasStandIns else { return (value, []) }
        var standIns = StandIns(library.rules)
        let result = standIns.canonical(value, [index])
        return (result, standIns.moved)
    }

    /// A value that the code has made, as it goes over the wire.
    public func onWire(_ value: JSON) -> JSON {
        library.hasStandIns ? StandIns(library.rules).onWire(value, [index]) : value
    }

    /// The place on the wire of the value that the code knows at `pointer`. A token `*` is any item.
    public func onWire(_ pointer: JSONPointer) -> JSONPointer {
        library.hasStandIns ? JSONPointer(tokens: StandIns(library.rules).onWire(pointer.tokens[...], [index])) : pointer
    }

    /// One that stands for another part of the request: its place in the document.
    var movedMember: String? {
        guard library.hasStandIns else { return nil }
        let found = StandIns(library.rules).found(in: [index]).first { library.rules[$0].standsFor?.name == nil }
        return found.map { library.places[$0].path.description }
    }

    /// The other parts of the request that members stand for.
    var movedPlaces: [RequestPlace] {
        guard library.hasStandIns else { return [] }
        return StandIns(library.rules).found(in: [index]).compactMap { schema in
            if case .place(let place)? = library.rules[schema].standsFor { place } else { nil }
        }
    }

    func pointer(standingFor place: RequestPlace) -> JSONPointer? {
        library.hasStandIns ? StandIns(library.rules).pointer(standingFor: place, [index]).map(JSONPointer.init(tokens:)) : nil
    }
}
