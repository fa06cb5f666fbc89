import Glibc
import SparringLocks
package import SparringLoop

/// HTTP/1.1 on loopback or elsewhere, plain and TLS side by side, served by libmicrohttpd.
package final class HTTPServer: Sendable {
    package struct Options: Sendable {
        /// Addresses to listen on. An IPv6 address is left out where the machine has none, unless it is the only one.
        package var addresses = ["127.0.0.1", "::1"]
        /// 0 lets the system choose; every address has the same one.
        package var port = 0
        /// nil: no TLS.
        package var tlsPort: Int?
        package var identity: ServerIdentity?
        /// Further TLS ports, of different names.
        package var extraPorts: [TLSPort] = []
        /// nil: there is no forward proxy.
        package var proxy: ForwardProxy?
        /// Open connections of one listener; fewer where the process may not open so many files: see ``HTTPServer/connectionLimit``.
        package var connectionLimit = 8192
        /// A connection on which nothing moves for this long is closed; whole seconds.
        package var idleTimeout: Duration = .seconds(75)
        /// How long a client may take until its head is whole, counted from its connection, TLS handshake included, and for a further request from
        /// its first byte; at most half as long again may pass before that is noticed. Then the connection is closed without an answer.
        package var headTimeout: Duration = .seconds(10)
        /// Bytes that a request's line and headers, and the answer's headers, may take together, with 64 more for each field of the request; above
        /// it the client gets 431 or 414, and where the answer's find no room, 500. libmicrohttpd clears so much memory for each request.
        package var headLimit = 16 * 1024
        /// Bytes that bodies of over 64 KiB, which are in private files until the handler has used them, may take on all connections together. Beyond it no further
        /// bytes of such a body are read until there is room.
        package var bodiesUnderWay = 1 << 30
        /// Bytes of such bodies, whole, that the handler is given at once; a single one may be longer. The others wait for their turn, which comes with an
        /// answer or with ``Exchange/finishBody()``.
        package var bodiesInHand = 32 << 20

        package init() {}
    }

    package var port: Int { ports.plain }
    package var tlsPort: Int? { ports.secure }
    /// nil where there is no forward proxy.
    package var proxyPort: Int? { ports.proxy }
    /// The numbers of the further TLS ports, by their names.
    package var extraPorts: [String: Int] { ports.extra }
    /// The addresses really listened on.
    package var addresses: [String] { ports.addresses }
    /// How many connections each of its listeners serves at once: ``Options/connectionLimit``, or what the limit of open files leaves of it
    /// (RLIMIT_NOFILE).
    package let connectionLimit: Int

    private let ports: Ports
    private let shared: Listener.Shared
    /// It has its loop to itself.
    private let ownsLoop: Bool
    private let stopping = Mutex<Task<Void, Never>?>(nil)

    /// Starts to listen; requests may be handled before this returns.
    ///
    /// - Parameter loop: on which all is done; nil: one of its own.
    package init(_ options: Options, handler: any RequestHandler, on loop: Loop? = nil) throws(HTTPServerError) {
        var options = options
        let affordable = max(16, Self.descriptorLimit(wanted: options.connectionLimit + 256) - 256)
        options.connectionLimit = min(options.connectionLimit, affordable)
        connectionLimit = options.connectionLimit
        ownsLoop = loop == nil
        let loop = if let loop { loop } else { try Self.makeLoop() }
        shared = Listener.Shared(options, handler: handler, on: loop)
        let begun = loop.perform { [shared, options] in
            Result { () throws(HTTPServerError) in try Self.listen(options, shared) }
        }
        do throws(HTTPServerError) { ports = try begun.get() } catch {
            if ownsLoop { loop.stop() }
            throw error
        }
    }

    /// The listeners of a server, and where they listen.
    private struct Ports: Sendable {
        let plain: Int
        let secure: Int?
        let extra: [String: Int]
        let proxy: Int?
        let addresses: [String]
        let listeners: [Listener]
        let stalled: LoopBound<[StalledPort]>
        let proxies: LoopBound<[ProxyPort]>
    }

    /// On the loop.
    private static func listen(_ options: Options, _ shared: Listener.Shared) throws(HTTPServerError) -> Ports {
        // Every port is bound before the first request can be handled.
        let plain = try bind(options.addresses, port: options.port, option: "--port")
        let addresses = plain.map(\.address)
        var secure: [ListeningSocket] = []
        if let wanted = options.tlsPort, options.identity != nil { secure = try bind(addresses, port: wanted, option: "--tls-port") }
        var extra: [(TLSPort, [ListeningSocket])] = []
        for wanted in options.extraPorts { extra.append((wanted, try bind(addresses, port: wanted.port, option: "--tls-port"))) }
        let proxied =
            try options.proxy.map { proxy throws(HTTPServerError) in
                try bind(addresses, port: proxy.port, option: "--proxy-port")
            } ?? []
        let numbers = Dictionary(extra.map { ($0.name, $1[0].port) }) { first, _ in first }
        let (port, tlsPort) = (plain[0].port, secure.first?.port)
        var listeners: [Listener] = []
        var stalled: [StalledPort] = []
        var proxies: [ProxyPort] = []
        do throws(HTTPServerError) {
            for socket in plain + secure {
                let certificates = socket.port == port ? nil : options.identity.map(ListenerCertificates.init)
                listeners.append(try Listener(socket: socket, certificates: certificates, options: options, shared: shared))
            }
            for (wanted, sockets) in extra {
                for socket in sockets {
                    switch wanted.kind {
                    case .stalledHandshake: stalled.append(StalledPort(socket, name: wanted.name, shared))
                    case .identity(let identity), .oldTLS(let identity):
                        let versions = if case .oldTLS = wanted.kind { TLSVersions.old } else { TLSVersions.usual }
                        listeners.append(
                            try Listener(
                                socket: socket, certificates: ListenerCertificates(identity), versions: versions, name: wanted.name,
                                options: options, shared: shared)
                        )
                    }
                }
            }
            proxies = try openProxy(proxied, options, shared, &listeners)
        } catch {
            for listener in listeners { listener.stop() }
            throw error
        }
        for listener in listeners { shared.loop.attach(listener) }
        for port in stalled { port.open() }
        for port in proxies { port.begin() }
        return Ports(
            plain: port, secure: tlsPort, extra: numbers, proxy: proxied.first?.port, addresses: addresses, listeners: listeners,
            stalled: LoopBound(on: shared.loop, stalled), proxies: LoopBound(on: shared.loop, proxies))
    }

    /// Opens two listeners without a socket, which serve the connections of the proxy.
    private static func openProxy(
        _ sockets: [ListeningSocket], _ options: Options, _ shared: Listener.Shared, _ listeners: inout [Listener]
    ) throws(HTTPServerError) -> [ProxyPort] {
        guard let proxy = options.proxy else { return [] }
        let plain = try Listener(socket: nil, certificates: nil, options: options, shared: shared)
        listeners.append(plain)
        let certificates = ListenerCertificates(LoopBound(on: shared.loop, NamedCertificates(proxy.authority)))
        let secure = try Listener(socket: nil, certificates: certificates, options: options, shared: shared)
        listeners.append(secure)
        let service = ProxyPort.Service(
            others: proxy.others, headTimeout: options.headTimeout, idleTimeout: options.idleTimeout, headLimit: options.headLimit,
            serves: { shared.handler.serves(host: $0, port: $1) },
            take: { descriptor, hop, isTLS in (isTLS ? secure : plain).take(descriptor, hop) })
        return sockets.map { ProxyPort($0, on: shared.loop, service) }
    }

    private static func makeLoop() throws(HTTPServerError) -> Loop {
        do { return try Loop() } catch { throw .system(error.call, error.number) }
    }

    /// Stops in order: tells with each answer that its connection ends, takes no more connections, closes the WebSockets with 1001, waits
    /// for the exchanges in flight and the WebSockets' close handshakes, and after `grace` calls `release`, upon which every exchange still
    /// waiting should be answered and every stream finished; a client that takes or sends nothing is not waited for after that.
    /// Stalls and requests that are held are closed then, paused and paced answers sent at once. Half a second later the connections of exchanges that
    /// have not been delivered are closed, and streams that have not been finished are broken off: their handler is not waited for. Then closes
    /// what is left.
    ///
    /// It returns half a minute after that at the latest, even where a method of a handler never returns; its thread and connections are left behind
    /// then. Called again it waits for the same end, and where `grace` is zero it does what ``hurry()`` does.
    package func stop(grace: Duration, release: @escaping @Sendable () async -> Void) async {
        let (task, isFirst) = stopping.withLock { stopping in
            if let stopping { return (stopping, false) }
            let task = Task { await end(grace: grace, release: release) }
            stopping = task
            return (task, true)
        }
        if !isFirst, grace <= .zero { hurry() }
        await task.value
    }

    /// Ends the grace of a ``stop(grace:release:)`` at once; called after that, the half second in which what was released may still be sent. Without a
    /// stop under way, of the next one.
    package func hurry() { shared.flow.hurry() }

    private func end(grace: Duration, release: @Sendable () async -> Void) async {
        // First, so that once a client has seen a connection refused, every later answer says that its connection ends.
        shared.flow.startDraining()
        shared.loop.run { [ports, shared] in
            for listener in ports.listeners { listener.quiesce() }
            for port in ports.stalled.value { port.quiesce() }
            for port in ports.proxies.value { port.quiesce() }
            shared.webSockets.value.goAway()
            shared.flow.partEnded()
        }
        _ = await shared.flow.partsEnd(1, within: .seconds(1))
        var isIdle = await shared.flow.becomesIdle(within: grace)
        if !isIdle {
            await release()
            cut()
            isIdle = await shared.flow.becomesIdle(within: .milliseconds(500))  // what was released is on its way to its clients
        }
        cut()
        if !isIdle { abandon() }
        if await !shared.flow.close(within: .seconds(1)) {
            // Whose request came after all were idle.
            abandon()
            guard await shared.flow.close(within: .seconds(5)) else { return }
        }
        // A handler's method may keep the loop.
        shared.loop.run { [ports, shared] in
            for port in ports.proxies.value { port.stop() }
            for listener in ports.listeners { listener.stop() }
            shared.discards.value.endAll()
            shared.flow.partEnded()
        }
        if await shared.flow.partsEnd(2, within: .seconds(10)), ownsLoop { shared.loop.stop() }
    }

    /// Waits for no client any more.
    private func cut() {
        shared.sleepers.release { $0.release() }
        shared.handshakes.release { $0.release() }
        shared.loop.run { [shared] in shared.webSockets.value.cut() }
    }

    /// Waits for the handler no more either.
    private func abandon() {
        for listener in ports.listeners { listener.waiting.release { $0.abandon() } }
    }

    /// Finds one port that is free on every address. Where the system chooses it for the first, the others may find it taken: then
    /// another is tried.
    private static func bind(_ addresses: [String], port: Int, option: String) throws(HTTPServerError) -> [ListeningSocket] {
        var attempt = 0
        while true {
            attempt += 1
            var bound: [ListeningSocket] = []
            do throws(HTTPServerError) {
                for address in addresses {
                    do throws(HTTPServerError) {
                        bound.append(try ListeningSocket(address: address, port: bound.first?.port ?? port, option: option))
                    } catch .cannotBind(_, _, _, let number)
                        where address.contains(":") && (number == EADDRNOTAVAIL || number == EAFNOSUPPORT) && addresses.count > 1
                    {
                        continue  // a machine without IPv6
                    }
                }
                guard !bound.isEmpty else { throw .badAddress(addresses.joined(separator: ", ")) }
                return bound
            } catch .cannotBind(let address, let refused, _, let number) {
                if port == 0, number == EADDRINUSE, attempt < 20 { continue }
                throw .cannotBind(address: address, port: refused, option: option, number)
            }
        }
    }

    /// Raises the limit of open descriptors as far as the system lets, and returns it.
    private static func descriptorLimit(wanted: Int) -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if limit.rlim_cur < UInt(wanted) {
            limit.rlim_cur = min(limit.rlim_max, UInt(wanted))
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return Int(min(limit.rlim_cur, 1 << 20))
    }
}
