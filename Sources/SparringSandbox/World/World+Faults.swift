import SparringJSON
import SparringJournal

/// Faults as they are given: as texts, or as JSON.
extension World {
    /// Arms faults given as texts.
    ///
    /// - Throws: ``FaultRefused``; none is armed then.
    public func arm(_ texts: [String], in id: String) async throws {
        guard let sandbox = sandbox(id) else { throw ToolError("there is no sandbox '\(id)'") }
        let faults = try texts.map { try faultReader.read(text: $0) }
        try await sandbox.write(sandbox.entry(.fault, cause: "armed: \(texts.joined(separator: "; "))")) { db, _ in
            for fault in faults { _ = try sandbox.arm(fault, db) }
        }
    }

    /// Reads the faults of a sandbox that is to be.
    func faults(_ given: [JSON]) throws(ChangeError) -> [Fault] {
        var faults: [Fault] = []
        for (index, fault) in given.enumerated() {
            do throws(FaultRefused) { faults.append(try faultReader.read(fault)) } catch {
                throw .fault(["faults", String(index)], error)
            }
        }
        return faults
    }
}
