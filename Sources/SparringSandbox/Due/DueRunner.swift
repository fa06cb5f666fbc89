/// Does what has fallen due in any sandbox, and journals that it did.
package protocol DueRunner: Sendable {
    /// Returns when the item has been done and removed, or has failed.
    ///
    /// - Parameter work: the item's work on its sandbox's clock; the caller ends it.
    func run(_ item: DueItem, of dueWork: DueWork, _ work: SandboxClock.Work) async
}
