package import GRDB

extension Sandbox {
    /// Arms a fault now.
    package func arm(_ fault: Fault, _ db: Database) throws -> FaultTable.Armed {
        try faults.arm(fault, at: clock.now, sandbox: id, db)
    }
}
