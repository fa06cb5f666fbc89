import HTTPTypes
import SparringClient
import SparringContract
import SparringHTTP
import SparringJSON
import SparringLocks
import SparringSandbox

/// Stands between a client and the vendors' own servers: calls go there, and come back with Sparring's address in place of theirs.
final class Relay: Sendable {
    private let options: RelayOptions
    /// The vendor's ends of relayed sockets.
    private let sockets = Mutex<[ObjectIdentifier: (end: ClientSocket, addresses: RelayAddresses, host: String)]>([:])

    init(_ options: RelayOptions) { self.options = options }

    func covers(_ operation: ContractOperation) -> Bool { options.targets.target(of: operation) != nil }

    // MARK: Calls

    /// The handler that passes a call on in place of the vendor's code; nil where it is not passed on.
    ///
    /// - Parameters:
    ///   - head: as it came; of a message, that of the opening.
    ///   - body: as it came, or the message.
    ///   - contract: of the operation's vendor.
    ///   - receive: takes what comes on a socket that the call opens.
    func handler(
        for operation: ContractOperation, _ head: RequestHead, _ body: [UInt8], _ contract: Contract, _ base: ClientBase,
        receive: @escaping @Sendable (ClientSocket.Event, Socket) -> Void
    ) -> Handler? {
        if operation.isMessage { return messageHandler(body) }
        guard let target = options.targets.target(of: operation, at: head.authority) else { return nil }
        let addresses = addresses(base, target, contract)
        return .prepare(
            { [self] call in
                if let socket = call.socket {
                    return await open(socket, head, target, addresses) { receive($0, socket) }
                }
                return await send(head, body, target, addresses)
            }
        ) { _, _, relayed in .answer(Answer(relayed: relayed)) }
    }

    /// The destination of a call that no operation fits: to the only vendor that there is, or to the one whose host is called.
    ///
    /// - Returns: nil where such calls are not passed on.
    func target(ofUnknown head: RequestHead) -> VendorTargets.Target? {
        guard options.passesUnknown else { return nil }
        if let named = options.targets.all.first(where: { $0.authority == head.authority }) { return named }
        let whole = options.targets.all.filter { $0.part == nil }
        return whole.count == 1 ? whole[0] : nil
    }

    /// - Parameter contract: of the target's vendor.
    func pass(
        _ head: RequestHead, _ body: [UInt8], to target: VendorTargets.Target, _ contract: Contract?, _ base: ClientBase
    ) async -> RelayedAnswer {
        await send(head, body, target, addresses(base, target, contract))
    }

    private func addresses(_ base: ClientBase, _ target: VendorTargets.Target, _ contract: Contract?) -> RelayAddresses {
        // The proxy brings the client back whatever host it calls.
        let isProxied = Authority(URIParts(base.url)?.authority ?? "").map { base.addresses.emulates(host: $0.host) } ?? false
        return isProxied
            ? RelayAddresses()
            : RelayAddresses(
                own: base.url, serviceHost: base.serviceHost, target, of: options.targets, hosts: contract?.vendorHosts ?? [])
    }

    private func send(
        _ head: RequestHead, _ body: [UInt8], _ target: VendorTargets.Target, _ addresses: RelayAddresses
    ) async -> RelayedAnswer {
        let request = addresses.request(head.target, head.headers, body)
        var outgoing = HTTPClient.Request(
            head.method, target.url(request.target), headers: request.headers, body: request.body, tls: options.tls)
        outgoing.isProxied = true
        do throws(CallFailure) {
            let answer = try await HTTPClient(limits: .init(whole: .seconds(120), body: 64 << 20)).send(outgoing)
            let (headers, body) = addresses.answer(answer.headers, answer.body)
            return RelayedAnswer(kind: .answer(status: answer.status, headers, body), host: target.authority)
        } catch {
            return RelayedAnswer(kind: .failed(error.description), host: target.authority)
        }
    }

    // MARK: Sockets

    private func open(
        _ socket: Socket, _ head: RequestHead, _ target: VendorTargets.Target, _ addresses: RelayAddresses,
        _ receive: @escaping @Sendable (ClientSocket.Event) -> Void
    ) async -> RelayedAnswer {
        let request = addresses.request(head.target, head.headers, [])
        do throws(CallFailure) {
            switch try await ClientSocket.open(
                target.url(request.target), headers: request.headers, tls: options.tls, isProxied: true, receive)
            {
            case .open(let end, let headers):
                sockets.withLock { $0[ObjectIdentifier(socket)] = (end, addresses, target.authority) }
                var fields = HTTPFields()
                if let protocols = headers[.secWebSocketProtocol] { fields[.secWebSocketProtocol] = protocols }
                return RelayedAnswer(kind: .answer(status: 101, fields, []), host: target.authority)
            case .refused(let status, let headers, let body):
                let answer = addresses.answer(headers, body)
                return RelayedAnswer(kind: .answer(status: status, answer.headers, answer.body), host: target.authority)
            }
        } catch {
            return RelayedAnswer(kind: .failed(error.description), host: target.authority)
        }
    }

    private func messageHandler(_ bytes: [UInt8]) -> Handler {
        .decide { [self] call in
            guard let socket = call.socket, let host = say(bytes, on: socket) else {
                return .answer(Answer(relayed: RelayedAnswer(kind: .sent, host: "nobody")))
            }
            return .answer(Answer(relayed: RelayedAnswer(kind: .sent, host: host)))
        }
    }

    func carries(_ socket: Socket) -> Bool { sockets.withLock { $0[ObjectIdentifier(socket)] != nil } }

    /// Passes a client's message on.
    ///
    /// - Returns: the host that got it; nil where the socket is not relayed.
    @discardableResult
    func say(_ bytes: [UInt8], on socket: Socket, isBinary: Bool = false) -> String? {
        guard let relayed = sockets.withLock({ $0[ObjectIdentifier(socket)] }) else { return nil }
        if isBinary { relayed.end.send(binary: bytes) } else { relayed.end.send(text: relayed.addresses.message(toVendor: bytes)) }
        return relayed.host
    }

    /// A vendor's message as it goes to the client.
    func message(_ bytes: [UInt8], on socket: Socket) -> [UInt8] {
        sockets.withLock { $0[ObjectIdentifier(socket)]?.addresses }?.message(toClient: bytes) ?? bytes
    }

    /// The client has left.
    func leave(_ socket: Socket, _ code: Int?) {
        guard let relayed = sockets.withLock({ $0.removeValue(forKey: ObjectIdentifier(socket)) }) else { return }
        if let code { relayed.end.close(code == 1005 ? nil : code) } else { relayed.end.abort() }
    }
}
