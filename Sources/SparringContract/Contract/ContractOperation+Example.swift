import HTTPTypes
import SparringJSON

extension ContractOperation {
    /// The target of a call that needs nothing but its target: the examples of its required parameters, with another tenant in the path.
    ///
    /// - Returns: nil for any other operation than such a GET.
    public func exampleTarget(ofTenant tenant: String) -> String? {
        guard method == .get, !isMessage, !opensSocket else { return nil }
        let names = self.tenant.compactMap { source -> String? in
            if case .path(let name) = source.location { name } else { nil }
        }
        let required = parameters.filter(\.required)
        guard !names.isEmpty, required.allSatisfy({ $0.location != .header && $0.example != nil }) else { return nil }
        func value(of parameter: ContractParameter) -> String {
            names.contains(parameter.name) ? tenant : parameter.example.map { $0.string ?? $0.text } ?? ""
        }
        let inPath = required.filter { $0.location == .path }.map { ($0.name, value(of: $0)) }
        let query = PercentCoding.form(required.filter { $0.location == .query }.map { ($0.name, value(of: $0)) })
        let path = path(Dictionary(inPath) { first, _ in first })
        return query.isEmpty ? path : path + (path.contains("?") ? "&" : "?") + query
    }
}
