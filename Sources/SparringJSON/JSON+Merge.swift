extension JSON {
    /// An object with what others have and it does not.
    public func filled(_ others: JSON.Object) -> JSON { .object(others.merging(object ?? [:]) { $1 }) }

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
