internal import CMicrohttpd
import Glibc
import HTTPTypes
import SparringJournal
import SparringLocks
import SparringLoop

// What libmicrohttpd calls, in a listener's turn. `context` is the listener, retained for as long as its daemon runs.

/// Before anything else of a request: the raw target. What is returned becomes the request's context.
func onTarget(_ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?)
    -> UnsafeMutableRawPointer?
{
    guard let context, let target, let connection, let client = ClientConnection.of(connection) else { return nil }
    let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
    listener.shared.flow.exchangeBegan()
    listener.heard(client)
    let exchange = Exchange(target: target, listener: listener, client: client, connection: connection)
    client.begin(exchange)
    sparring_forget_arguments(target)
    // +1 for the request's life, taken back in onCompleted, or when the connection is closed without that.
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// Called with the head, with each piece of the body, when the body is whole, and after each resumption.
func onAccess(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let connection, let url, let method, let version, let size, let pointer = request?.pointee else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
    let phase = exchange.state.withLock { state in
        // What is delivered is taken out, not copied.
        guard case .delivering = state.phase else { return state.phase }
        var phase = Exchange.Phase.answering
        swap(&phase, &state.phase)
        return phase
    }
    if case .delivering(.upgrade) = phase { exchange.listener.shared.flow.socketBegan() }
    exchange.wasResumed()
    switch phase {
    case .fresh:
        let head = exchange.readHead(connection, method, url, version)
        return exchange.begin(head, on: connection)
    case .reading(let limit):
        return exchange.take(piece, size, limit: limit)
    case .waiting: return exchange.wait()
    case .proceeding(.body, let limit):
        exchange.client.enter(.body)
        // The bytes that were held are offered again.
        exchange.state.withLock { state in
            state.body = ReceivedBody()
            state.bodyExceededLimit = false
            state.phase = .reading(limit: limit)
        }
        return exchange.take(piece, size, limit: limit)
    case .awaitingBody(let limit):
        if piece.isEmpty { return exchange.rest() }
        // What is left unread here libmicrohttpd offers again when the connection is resumed, even if nothing else comes.
        _ = exchange.read(piece, limit: limit)
        return exchange.hold(.body, limit: limit)
    case .proceeding(.start, let limit):
        exchange.client.enter(.body)
        exchange.state.withLock { $0.phase = .reading(limit: limit) }
        return .YES
    case .delivering(let delivery): return exchange.perform(delivery, on: connection)
    case .ending(let ending): return exchange.end(ending)
    case .paused(let response, let transmission): return exchange.send(response, transmission, on: connection)
    case .held, .answering: return .YES
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
    let isUpgraded = exchange.hasUpgraded()
    exchange.client.end(isUpgraded: isUpgraded)
    if isUpgraded {
        exchange.listener.shared.flow.socketEnded()
    } else {
        exchange.complete(code)
        exchange.listener.shared.flow.exchangeEnded()
    }
}

/// A connection opens or closes.
func onConnection(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ socket: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ code: MHD_ConnectionNotificationCode
) {
    guard let context, let connection else { return }
    let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
    switch code {
    case .CONNECTION_NOTIFY_STARTED:
        let descriptor = sparring_connection_descriptor(connection)
        let hop = listener.takeHop(descriptor)
        let client = ClientConnection(
            number: listener.shared.flow.connectionOpened(), descriptor: descriptor,
            handshake: listener.isTLS ? Handshake(connection, listener, host: hop?.tunnel) : nil, hop: hop, now: Arrival.monotonicNow)
        // +1 for the connection's life, taken back below.
        socket?.pointee = Unmanaged.passRetained(client).toOpaque()
        listener.took(client)
    case .CONNECTION_NOTIFY_CLOSED:
        guard let pointer = socket?.pointee else { return }
        socket?.pointee = nil
        let client = Unmanaged<ClientConnection>.fromOpaque(pointer).takeRetainedValue()
        let forgotten = client.close()
        if let forgotten {
            // libmicrohttpd 0.9.75 ends a connection without ending its request where it meets a second error while it answers one, as
            // for a Cookie of some hundred pairs: they take more memory than the connection has.
            forgotten.complete(.REQUEST_TERMINATED_WITH_ERROR, isForgotten: true)
            listener.shared.flow.exchangeEnded()
            Unmanaged.passUnretained(forgotten).release()  // the +1 of onTarget
        }
        _ = listener.takeUnsentHead()
        listener.shared.webSockets.value.connectionClosed(client.number)
        listener.lost(client)
        if forgotten == nil { listener.reportUntoldRejection() }
    @unknown default: break
    }
}

func onLog(_ context: UnsafeMutableRawPointer?, _ message: UnsafePointer<CChar>?) {
    guard let context, let message else { return }
    Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().logged(String(cString: message))
}
