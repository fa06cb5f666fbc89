extension VerdictReport {
    public func junit() throws -> String { "" }
}
