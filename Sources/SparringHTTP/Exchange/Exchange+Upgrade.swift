internal import CMicrohttpd
import Glibc
import HTTPTypes
import SparringLocks
import SparringLoop

/// How an exchange becomes a WebSocket, on the loop.
extension Exchange {
    /// Queues the 101. If something is in the way, the upgrade learns of it.
    func begin(_ upgrade: WebSocketUpgrade, on connection: OpaquePointer) -> MHD_Result {
        let head = request.head
        if let refusal = WebSocketHandshake.refusal(of: head) {
            listener.shared.flow.socketEnded()
            upgrade.failed("the request is no WebSocket handshake: \(refusal.status)")
            return queue(refusal, on: connection)
        }
        state.withLock { $0.upgrade = .begun(upgrade) }
        guard let handle = MHD_create_response_for_upgrade(onUpgrade, nil) else { return .NO }
        defer { MHD_destroy_response(handle) }
        // libmicrohttpd puts in Connection.
        _ = MHD_add_response_header(handle, "Upgrade", "websocket")
        _ = MHD_add_response_header(handle, "Sec-WebSocket-Accept", WebSocketHandshake.accept(head.headers[.secWebSocketKey] ?? ""))
        if add(upgrade.headers, to: handle), MHD_queue_response(connection, 101, handle) == .YES { return .YES }
        let reason = "the upgrade's header fields cannot be sent"
        failUpgrade(reason)
        return refuse(reason, on: connection)
    }

    /// The 101 is out: the exchange is over, the socket begins.
    func upgraded(to socket: Int32, extra: [UInt8], handle: OpaquePointer) {
        let begun = state.withLock { state in
            defer { state.upgrade = .done }
            return state.upgrade
        }
        let upgraded = UpgradedConnection(
            number: client.number, isTLS: listener.isTLS, descriptor: descriptor, on: listener.shared.loop, handle: handle
        ) { [listener] in listener.expect() }
        guard case .begun(let upgrade) = begun else { return upgraded.end() }
        tell(.sent)
        listener.shared.webSockets.value.adopt(socket, upgraded, upgrade, extra: extra)
        listener.shared.flow.exchangeEnded()
    }

    /// Whether the exchange had become a socket, whose end the completed callback then tells.
    func hasUpgraded() -> Bool { state.withLock { if case .done = $0.upgrade { true } else { false } } }

    /// The exchange was broken off; an upgrade that had begun has failed.
    func failUpgrade(_ reason: String) {
        guard case .begun(let upgrade) = state.withLock({ $0.upgrade.take() }) else { return }
        listener.shared.flow.socketEnded()
        upgrade.failed(reason)
    }
}

/// Called by libmicrohttpd when the 101 has been handed to the socket.
private func onUpgrade(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ request: UnsafeMutableRawPointer?, _ extra: UnsafePointer<CChar>?,
    _ extraSize: Int, _ socket: Int32, _ handle: OpaquePointer?
) {
    guard let request, let handle else { return }
    let bytes = Array(UnsafeRawBufferPointer(start: extra, count: extra == nil ? 0 : extraSize))
    Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue().upgraded(to: socket, extra: bytes, handle: handle)
}
