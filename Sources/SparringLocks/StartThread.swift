import Glibc

/// Runs `body` on a POSIX thread of its own, for what blocks.
///
/// Where the system has no thread to give at the moment (pthread_create(3), EAGAIN), it is asked again for a while.
package func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    // Detached from the beginning: after a failure there is nothing that could be detached.
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // +1 here, taken back by the thread.
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    var failure: Int32 = 0
    for _ in 0..<500 {
        var thread = pthread_t()
        failure = pthread_create(
            &thread, &attributes,
            { argument in
                Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, box)
        if failure == 0 { return }
        usleep(10_000)
    }
    fatalError("no thread can be started: \(String(cString: strerror(failure)))")
}
