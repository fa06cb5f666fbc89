public import SparringSandbox
package import SparringJournal

/// Does what falls due under its name.
public protocol DueOwner: Sendable {
    /// The same as `DueItem.vendor`.
    var name: String { get }

    /// Does what is due. One transaction makes the changes, removes the item and writes the journal entry, so that they take effect exactly once even if the
    /// process is killed. If this throws, the item is given up, and the journal says why.
    func perform(_ task: DueTask) async throws
}

/// Something that has fallen due and is being done.
public struct DueTask: Sendable {
    public let item: DueItem
    public let sandbox: Sandbox
    public let addresses: Addresses
    /// The item's lane, or the item's name if the sandbox does not keep that lane apart.
    public let lane: String
    /// Its position in the lane.
    public let ordinal: Int
    let work: SandboxClock.Work
    let outbound: any OutboundCalls

    /// An entry that says it is done, now.
    package func entry() -> JournalEntry {
        JournalEntry(
            kind: .due, operation: item.name, lane: lane, ordinal: ordinal, causedBy: item.causedBy, sandboxTime: sandbox.clock.now,
            arrival: sandbox.moment(.now))
    }
}
