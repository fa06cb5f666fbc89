// `Atomic` comes along with `Mutex`, so that nobody needs both modules.
@_exported public import Synchronization

#if !DEBUG && !SANITIZE_THREAD
    /// Guards a value that several threads use.
    public typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>

    extension Synchronization.Mutex where Value: ~Copyable {
        /// - Parameter rank: checked in debug builds only.
        @inlinable public init(_ initial: consuming sending Value, _ rank: LockRank) { self.init(initial) }
    }
#endif
