// `Atomic` comes along with `Mutex`, so that nobody needs both modules.
@_exported public import Synchronization

#if !SANITIZE_THREAD
    /// Guards a value that several threads use.
    public typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif
