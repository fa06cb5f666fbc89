/// All schemas of one contract. They name each other by number, so that schemas may contain themselves without a cycle of objects.
final class SchemaLibrary: Sendable {
    /// Safe without a lock: only `ContractReader` writes, within `Contract.init`, when nobody else has the library; afterwards it is only read.
    nonisolated(unsafe) var rules: [SchemaRules] = []
    /// The place of each schema. Safe for the same reason.
    nonisolated(unsafe) var places: [ContractPlace] = []
    /// Whether any member has another name on the wire than in Sparring's own code. Safe for the same reason.
    nonisolated(unsafe) var hasStandIns = false
}
