package import GRDB

extension Sandbox {
    /// Arms a fault now.
    package func arm(_ fault: Fault, _ db: Database) throws -> FaultTable.Armed {
        try faults.arm(fault, at: clock.now, sandbox: id, db)
    }

    /// Writes the counts of faults for something that is not tried again after a rollback, which takes the counts back.
    package func count(_ touched: [FaultTable.Touched], _ db: Database) throws {
        if touched.isEmpty { return }
        effects.onRollback { [faults] in faults.takeBack(touched) }
        try faults.write(touched, sandbox: id, store, db)
    }
}
