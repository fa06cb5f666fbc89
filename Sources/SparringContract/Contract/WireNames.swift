internal import SparringJSON

/// The places on the wire of what Sparring's own code knows at other places (`x-stands-for`).
struct WireNames: Sendable {
    /// Those that stand for something.
    let parameters: [ContractParameter]
    /// The schemas of the body that have members which do, one for each media type or spelling.
    let bodies: [Schema]

    init(parameters: [ContractParameter], bodies: [Schema]) {
        self.parameters = parameters.filter { $0.standsFor != nil }
        self.bodies = bodies.filter(\.hasStandIns)
    }

    var isEmpty: Bool { parameters.isEmpty && bodies.isEmpty }

    /// The place itself where nothing stands for it.
    func onWire(_ place: RequestPlace) -> RequestPlace {
        if isEmpty { return place }
        for parameter in parameters where parameter.standsFor?.isSame(as: place) == true {
            return RequestPlace(parameter.location, parameter.name)
        }
        for body in bodies { if let pointer = body.pointer(standingFor: place) { return .body(pointer) } }
        guard case .body(let pointer) = place else { return place }
        return .body(bodies.lazy.map { $0.onWire(pointer) }.first { $0 != pointer } ?? pointer)
    }
}
