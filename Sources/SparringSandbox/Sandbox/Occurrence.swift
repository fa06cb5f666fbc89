public import SparringJournal

/// Something that happens on an ``Occasion``, and offers what the occasion has.
public protocol Occurrence {
    var occasion: Occasion { get }
}

extension Occurrence {
    @inlinable public var sandbox: Sandbox { occasion.sandbox }
    @inlinable public var tenant: Tenant { occasion.tenant }
    @inlinable public var now: Timestamp { occasion.now }
    @inlinable public var origin: JournalEntry.Origin { occasion.origin }
    @inlinable public var outbox: Outbox { occasion.outbox }
    /// The lane that it belongs to.
    @inlinable public var lane: String { occasion.origin.lane }
    /// Its position in its lane, counted from 1.
    @inlinable public var ordinal: Int { occasion.origin.ordinal }

    /// A draw that depends only on the seed, the lane, the position in it and the purpose.
    @inlinable public func draw(_ purpose: String) -> Draw { occasion.draw(purpose) }
    @inlinable public func secret(_ purpose: String) -> Draw { occasion.secret(purpose) }
}
