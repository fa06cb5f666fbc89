public import HTTPTypes
public import SparringJSON

extension Routes {
    /// The actions of an overlay that would turn a call into the operation: another path, another method, no constant in the query. None where the call's path
    /// has too little in common with the operation's to tell which part is which parameter.
    public func actions(making operation: ContractOperation, fit method: HTTPRequest.Method, target: String) -> [JSON] {
        guard let target = try? RequestTarget(target), operation.channel == nil else { return [] }
        let verb = JSONPathText.member(operation.method.rawValue.lowercased())
        // An alias is not moved: it follows its operation's path.
        let isAlias = operation.aliases.contains { $0.fits(target.segments) }
        guard operation.place.path.hasSuffix(verb),
            let path = isAlias ? operation.pathTemplate : operation.template.moved(to: target.segments)
        else { return [] }
        var item = String(operation.place.path.dropLast(verb.utf8.count))
        var actions: [JSON] = []
        if path != operation.pathTemplate {
            let moved = "$.paths" + JSONPathText.member(path)
            actions += [.update("$.paths", .object([path: [:]])), .copy(moved, of: item), .remove(item)]
            item = moved
        }
        if method != operation.method {
            let name = method.rawValue.lowercased()
            actions += [
                .update(item, .object([name: [:]])), .copy(item + JSONPathText.member(name), of: item + verb), .remove(item + verb),
            ]
        }
        let query = target.query.map { PercentCoding.fields($0) } ?? []
        let final = item + JSONPathText.member(method.rawValue.lowercased())
        for demand in operation.queryDemands where !demand.isMet(by: query) {
            actions.append(.remove(final + JSONPathText.member("x-query") + JSONPathText.member(demand.name)))
        }
        return actions
    }
}

extension PathTemplate {
    /// The template for a path that was called: its segments, with the parameters in their places. Where it has more or fewer segments, a place is known from the front
    /// or from the end, by the literal segments that lie between. Nil where a parameter's place is not known.
    fileprivate func moved(to path: [ArraySlice<UInt8>]) -> String? {
        var names = [String?](repeating: nil, count: path.count)
        for (index, segment) in segments.enumerated() where segment.parameter != nil {
            let fromEnd = path.count - segments.count + index
            let isKnownFromFront = zip(segments[..<index], path).allSatisfy { $0.fits($1) }
            let isKnownFromEnd = zip(segments[(index + 1)...].reversed(), path.reversed()).allSatisfy { $0.fits($1) }
            let place = path.count == segments.count || isKnownFromFront ? index : isKnownFromEnd ? fromEnd : -1
            guard names.indices.contains(place), names[place] == nil else { return nil }
            names[place] = segment.text
        }
        return "/" + zip(path, names).map { segment, name in name ?? String(decoding: segment, as: UTF8.self) }.joined(separator: "/")
    }
}

extension PathTemplate.Segment {
    fileprivate func fits(_ text: ArraySlice<UInt8>) -> Bool { parameter != nil || prefix.elementsEqual(text) }

    /// The segment as written in the template.
    fileprivate var text: String {
        String(decoding: prefix, as: UTF8.self) + (parameter.map { "{\($0)}" } ?? "") + String(decoding: suffix, as: UTF8.self)
    }
}
