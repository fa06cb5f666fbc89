internal import CMicrohttpd
import Glibc
import HTTPTypes
import SparringLocks

// What libmicrohttpd calls, on a listener's own thread. `context` is the listener, retained for as long as its daemon runs.

/// Before anything else of a request: the raw target. What is returned becomes the request's context.
func onTarget(_ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?)
    -> UnsafeMutableRawPointer?
{
    guard let context, let target, let connection else { return nil }
    let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
    listener.flow.exchangeBegan()
    if listener.name != nil { listener.heard(Int(bitPattern: sparring_connection_context(connection))) }
    let exchange = Exchange(target: String(cString: target), listener: listener, connection: connection)
    // +1 for the request's life, taken back in onCompleted, which follows every onTarget.
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// Called with the head, with each piece of the body, when the body is whole, and after each resumption.
func onAccess(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let connection, let method, let version, let size, let pointer = request?.pointee else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
    let phase = exchange.state.withLock { $0.phase }
    if case .delivering(.upgrade) = phase { exchange.listener.flow.socketBegan() }
    exchange.wasResumed()
    switch phase {
    case .fresh:
        let head = exchange.readHead(connection, method: String(cString: method), version: String(cString: version))
        return exchange.begin(head, on: connection)
    case .reading(let limit):
        return exchange.take(piece, size, limit: limit)
    case .proceeding(.body, let limit):
        // The bytes that were held are offered again.
        exchange.state.withLock { state in
            state.body = []
            state.bodyExceededLimit = false
            state.phase = .reading(limit: limit)
        }
        return exchange.take(piece, size, limit: limit)
    case .awaitingBody(let limit):
        if piece.isEmpty { return exchange.wait() }
        // What is left unread here libmicrohttpd offers again when the connection is resumed, even if nothing else comes.
        exchange.read(piece, limit: limit)
        return exchange.hold(.body, limit: limit)
    case .proceeding(.start, let limit):
        exchange.state.withLock { $0.phase = .reading(limit: limit) }
        return .YES
    case .delivering(let delivery):
        exchange.state.withLock { $0.phase = .answering }
        return exchange.perform(delivery, on: connection)
    case .ending(let ending): return exchange.end(ending)
    case .paused(let response, let transmission): return exchange.send(response, transmission, on: connection)
    case .held, .waiting, .answering: return .YES
    }
}

/// The end of a request, whatever it was.
func onCompleted(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ code: MHD_RequestTerminationCode
) {
    guard let pointer = request?.pointee else { return }
    request?.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    if exchange.hasUpgraded() {
        exchange.listener.flow.socketEnded()
    } else {
        exchange.complete(code)
        exchange.listener.flow.exchangeEnded()
    }
}

/// A connection opens or closes: each is given a number, kept where the pointer would be.
func onConnection(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ socket: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ code: MHD_ConnectionNotificationCode
) {
    guard let context else { return }
    let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
    switch code {
    case .CONNECTION_NOTIFY_STARTED:
        let number = listener.flow.connectionOpened()
        socket?.pointee = UnsafeMutableRawPointer(bitPattern: number)
        listener.took(number)
    case .CONNECTION_NOTIFY_CLOSED:
        listener.webSockets.connectionClosed(Int(bitPattern: socket?.pointee))
        listener.lost(Int(bitPattern: socket?.pointee))
        listener.reportUntoldRejection()
    @unknown default: break
    }
}

func onLog(_ context: UnsafeMutableRawPointer?, _ message: UnsafePointer<CChar>?) {
    guard let context, let message else { return }
    Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().logged(String(cString: message))
}
