extension JSON {
    /// RFC 7396: members of the patch replace, null removes, objects merge.
    public func merging(_ patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? [:]
        for (name, change) in changes {
            members[name] = change.isNull ? nil : (members[name] ?? [:]).merging(change)
        }
        return .object(members)
    }
}
