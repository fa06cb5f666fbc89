public import HTTPTypes
internal import SparringJSON

extension Routes {
    /// What keeps a call from being an operation whose path it has: `needs the query v=2.0`, `needs the method POST`, `has a slash at the end`. Nil where the path itself
    /// differs.
    public func difference(from operation: ContractOperation, method: HTTPRequest.Method, target: String) -> String? {
        guard let route = route(of: operation), let target = try? RequestTarget(target) else { return nil }
        var (path, words): ([ArraySlice<UInt8>], [String]) = (target.segments, [])
        if path.count == operation.template.segments.count + 1, path.last?.isEmpty == true {
            path.removeLast()
            words.append("has a slash at the end")
        }
        guard path.count == operation.template.segments.count, route.fits(path) else { return nil }
        let query = target.query.map { PercentCoding.fields($0) } ?? []
        let missing = operation.queryDemands.filter { !$0.isMet(by: query) }
        if !missing.isEmpty { words.append("needs the query " + missing.map(\.words).joined(separator: "&")) }
        if operation.method != method { words.append("needs the method \(operation.method)") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
