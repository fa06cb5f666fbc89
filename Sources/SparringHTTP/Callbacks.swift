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
    switch exchange.state.withLock({ $0.phase }) {
    case .fresh:
        let head = exchange.readHead(connection, method: String(cString: method), version: String(cString: version))
        return exchange.begin(head, on: connection)
    case .reading(let limit):
        guard size.pointee == 0 else {
            exchange.read(UnsafeRawBufferPointer(start: data, count: size.pointee), limit: limit)
            size.pointee = 0
            return .YES
        }
        guard exchange.listener.flow.maySuspend() else {
            exchange.state.withLock { $0.cut = "the server stopped" }
            return .NO
        }
        MHD_suspend_connection(connection)
        exchange.state.withLock { $0.phase = .waiting }
        exchange.listener.handler.handle(exchange)
        return .YES
    case .delivering(let delivery):
        exchange.state.withLock { $0.phase = .answering }
        if case .upgrade = delivery { exchange.listener.flow.socketBegan() }
        exchange.listener.flow.resumed()
        return exchange.perform(delivery, on: connection)
    case .waiting, .answering: return .YES
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
    case .CONNECTION_NOTIFY_STARTED: socket?.pointee = UnsafeMutableRawPointer(bitPattern: listener.flow.connectionOpened())
    case .CONNECTION_NOTIFY_CLOSED:
        listener.webSockets.connectionClosed(Int(bitPattern: socket?.pointee))
        listener.reportUntoldRejection()
    @unknown default: break
    }
}

func onLog(_ context: UnsafeMutableRawPointer?, _ message: UnsafePointer<CChar>?) {
    guard let context, let message else { return }
    Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().logged(String(cString: message))
}
