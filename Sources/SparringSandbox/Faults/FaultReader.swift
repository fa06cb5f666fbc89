package import SparringContract
package import SparringJSON

/// Reads faults in both of their forms and checks them against the contracts: a fault that could never strike is refused.
package struct FaultReader: Sendable {
    let points: [FaultPoint]

    package init(_ contracts: [Contract]) {
        points = contracts.flatMap { contract -> [FaultPoint] in
            let sockets = contract.channels.flatMap { [$0.opener] + $0.pollers }
            return contract.operations.map { FaultPoint($0) } + contract.channels.flatMap { $0.sent.map { FaultPoint($0) } }
                + sockets.map { FaultPoint(socketsOf: $0) }
        }
    }

    private init(points: [FaultPoint]) { self.points = points }

    /// The same for a sandbox that answers calls beside the contracts.
    package func adding(_ stubs: [ContractOperation]) -> FaultReader {
        stubs.isEmpty ? self : FaultReader(points: points + stubs.map { FaultPoint($0) })
    }

    /// `vendor.id` of every operation and notification of the contracts.
    package var names: [String] { points.filter { !$0.isSocket }.map(\.qualifiedName) }

    /// `WHERE EFFECT key=value …`
    func read(text: String) throws(FaultRefused) -> Fault {
        let words = try FaultWords.split(text)
        guard words.count >= 2 else {
            throw FaultRefused("'\(text)' is not of the form WHERE EFFECT key=value …, such as: *.Login.* token-expired times=2")
        }
        var parameters: [(String, String)] = []
        for word in words.dropFirst(2) {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw FaultRefused("'\(word)' is not of the form key=value")
            }
            parameters.append((String(word[..<equals]), String(word[word.index(after: equals)...])))
        }
        return try read(place: words[0], effect: words[1], parameters)
    }

    /// `{"where":…,"effect":…,"key":value …}`, or `{"fault":"WHERE EFFECT key=value …"}`, or the text alone.
    package func read(_ json: JSON) throws(FaultRefused) -> Fault {
        if let text = json.string ?? json["fault"]?.string { return try read(text: text) }
        guard let members = json.object, let place = json["where"]?.string, let effect = json["effect"]?.string else {
            throw FaultRefused("a fault has 'where' and 'effect', or 'fault' with its text form")
        }
        var parameters: [(String, String)] = []
        for (name, value) in members where name != "where" && name != "effect" {
            switch value {
            case .string(let text): parameters.append((name, text))
            case .integer, .number: parameters.append((name, value.text))
            default: throw FaultRefused("'\(name)' is neither text nor a number")
            }
        }
        return try read(place: place, effect: effect, parameters)
    }

    private func read(place text: String, effect word: String, _ given: [(String, String)]) throws(FaultRefused) -> Fault {
        let place = try place(text)
        let covered = points.filter(place.covers)
        let parameters = try FaultParameters(effect: word, given)
        let effect = try effect(word, at: place, covered)
        // A misspelt name says more than what is missing because of it.
        try parameters.requireKnown(among: effect.parameters + Self.conditions)
        let (values, act) = try effect.read(parameters)
        let conditions = try parameters.read(Self.conditions)
        let match = Fault.Match(conditions)
        let fitting = covered.filter { match.fits($0) && !effect.phases(at: $0).isEmpty }
        let phase = try phase(
            conditions["phase"].flatMap(Fault.Phase.init(rawValue:)), of: effect, at: place, fitting.isEmpty ? covered : fitting)
        let phaseWritten = phase == effect.usualPhase ? [] : [(name: "phase", value: phase.rawValue)]
        let fault = Fault(
            place: place, effect: effect, act: act, phase: phase, match: match, trigger: Fault.Trigger(conditions),
            parameters: values.written + phaseWritten + conditions.written.filter { $0.name != "phase" })
        if phase.isEarly, !match.body.isEmpty || match.isOnMessage {
            throw FaultRefused("a fault with a condition on the body cannot strike \(phase.rawValue), when only the head is known")
        }
        guard covered.contains(where: fault.fits) else {
            if !match.isOnMessage, match.body.isEmpty, covered.contains(where: { $0.isSocket && effect.phases(at: $0).contains(phase) }) {
                throw FaultRefused("'\(word)' strikes messages at \(place), so it needs a condition on them, such as message=* for all")
            }
            let what = match.isOnMessage ? "messages" : "a body"
            throw FaultRefused("'\(word)' can strike nothing at \(place) that has \(what)")
        }
        return fault
    }

    /// The points that a place covers.
    func points(at place: String) throws(FaultRefused) -> [FaultPoint] { points.filter(try self.place(place).covers) }

    /// Places that a text could mean which is none: those of a tag or a vendor where it is their name, else those that are spelt like it.
    private func nearest(to text: String) -> [String] {
        let tagged = points.filter { $0.tag.lowercased() == text.lowercased() }
        guard tagged.isEmpty else { return Set(tagged.map { "\($0.vendor).\($0.tag).*" }).sorted() }
        let first = text.prefix { $0 != "." }
        if let vendor = points.first(where: { $0.vendor == first })?.vendor { return ["\(vendor).*"] }
        return spelt(like: text)
    }

    private func spelt(like text: String) -> [String] {
        Nearest.words(to: text, in: places.union(points.map { "\($0.vendor).*" }).sorted())
    }

    /// The operations, and the tags of each vendor.
    private var places: Set<String> { Set(points.flatMap { [$0.qualifiedName, "\($0.vendor).\($0.tag).*"] }) }

    /// The refusal of a place where nothing is: with the places that are spelt like it, else those of other vendors with the same name, else the vendors.
    private func nothing(at text: String, _ place: Fault.Target) -> FaultRefused {
        let reason = "there is no operation '\(text)'"
        guard place.vendor != nil else {
            let ofAny = Set(points.flatMap { ["*.\($0.id)", "*.\($0.tag).*"] })
            return FaultRefused(reason, nearest: Nearest.words(to: text, in: ofAny.sorted()))
        }
        let vendors = Set(points.map(\.vendor)).sorted()
        let like = spelt(like: text)
        guard like.isEmpty, let vendor = place.vendor, !vendors.contains(vendor) else { return FaultRefused(reason, nearest: like) }
        let others = vendors.map { "\($0)\(text.dropFirst(vendor.count))" }
        let known = places
        let same = others.filter { known.contains($0) }
        return same.isEmpty
            ? FaultRefused("\(reason): there is no vendor '\(vendor)'; there are \(vendors.joined(separator: ", "))")
            : FaultRefused(reason, nearest: same)
    }

    private func place(_ text: String) throws(FaultRefused) -> Fault.Target {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var place = Fault.Target()
        if let vendor = parts.first, vendor != "*" { place.vendor = vendor }
        switch parts.count {
        case 1 where text == "*": break
        case 2 where parts[1] == "*" && place.vendor != nil: break
        case 2 where parts[1] != "*" && !parts[1].isEmpty: place.operation = parts[1]
        case 3 where parts[2] == "*" && !parts[1].isEmpty: place.tag = parts[1] == "*" ? nil : parts[1]
        default:
            throw FaultRefused("'\(text)' is not vendor.operationId, vendor.Tag.*, *.Tag.*, vendor.* or *", nearest: nearest(to: text))
        }
        guard points.contains(where: place.covers) else {
            throw nothing(at: text, place)
        }
        return place
    }

    /// The parameters that every effect has besides its own.
    static let conditions = [phase] + Fault.Match.parameters + Fault.Trigger.parameters
    private static let phase = FaultParameter(
        "phase", .word(Fault.Phase.allCases.map(\.rawValue)), "When in the exchange it strikes. Default: what is usual for the effect.")

    /// A word of the vocabulary, one that the contract declares for the vendor's own, or the name of an unhappy answer.
    private func effect(_ word: String, at place: Fault.Target, _ covered: [FaultPoint]) throws(FaultRefused) -> FaultEffect {
        if let effect = FaultEffect.of(word) { return effect }
        let declared = covered.flatMap(\.vendorEffects)
        if let mine = declared.first(where: { $0.word == word }) { return .declared(mine) }
        let refusals = covered.reduce(into: Set<String>()) { $0.formUnion($1.refusals) }
        guard !refusals.contains(word) else { return .refusal(word) }
        let known = refusals.union(declared.map(\.word)).sorted() + FaultEffect.all.map(\.word)
        throw FaultRefused(
            "'\(word)' is neither an effect nor an unhappy answer of \(place)", nearest: Nearest.words(to: word, in: known))
    }

    private func phase(
        _ wanted: Fault.Phase?, of effect: FaultEffect, at place: Fault.Target, _ covered: [FaultPoint]
    ) throws(FaultRefused) -> Fault.Phase {
        let possible = effect.phases(at: covered)
        guard let first = possible.first else {
            let kinds = effect.kinds.map(\.rawValue).joined(separator: " or ")
            throw FaultRefused("'\(effect.word)' strikes only \(kinds), and \(place) has none")
        }
        guard let wanted else { return first }
        guard possible.contains(wanted) else {
            throw FaultRefused(
                "'\(effect.word)' cannot strike \(wanted.rawValue) at \(place), only \(possible.map(\.rawValue).joined(separator: ", "))")
        }
        return wanted
    }
}
