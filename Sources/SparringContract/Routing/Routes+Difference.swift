public import HTTPTypes
internal import SparringJSON

extension Routes {
    /// The difference between a call and an operation whose path it has: `needs the query v=2.0`, `needs the method POST`,
    /// `has a slash at the end`. Nil where the path itself differs.
    public func difference(from operation: ContractOperation, method: HTTPRequest.Method, target: String) -> String? {
        guard !operation.isMessage, let target = try? RequestTarget(target) else { return nil }
        for template in [operation.template] + operation.aliases {
            if let words = Self.difference(from: operation, at: template, method, target) { return words }
        }
        return nil
    }

    /// Whether a call that fits no operation is surely meant for this one: one segment of its path is misspelt.
    public func isMisspelling(of operation: ContractOperation, method: HTTPRequest.Method, target: String) -> Bool {
        guard !operation.isMessage, operation.method == method, let path = (try? RequestTarget(target))?.segments else { return false }
        return ([operation.template] + operation.aliases).contains { template in
            guard template.segments.count == path.count else { return false }
            let wrong = zip(template.segments, path).filter { !$0.isMet(by: $1) }
            guard wrong.count == 1, wrong[0].0.parameter == nil else { return false }
            return Nearest.isMisspelling(
                String(decoding: wrong[0].1, as: UTF8.self), of: String(decoding: wrong[0].0.prefix, as: UTF8.self))
        }
    }

    private static func difference(
        from operation: ContractOperation, at template: PathTemplate, _ method: HTTPRequest.Method, _ target: RequestTarget
    ) -> String? {
        var (path, words): ([ArraySlice<UInt8>], [String]) = (target.segments, [])
        if path.count == template.segments.count + 1, path.last?.isEmpty == true {
            path.removeLast()
            words.append("has a slash at the end")
        }
        guard template.fits(path) else { return nil }
        let query = target.query.map { PercentCoding.fields($0) } ?? []
        let missing = operation.queryDemands.filter { !$0.isMet(by: query) }
        if !missing.isEmpty { words.append("needs the query " + missing.map(\.words).joined(separator: "&")) }
        if operation.method != method { words.append("needs the method \(operation.method)") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
