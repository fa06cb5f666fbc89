import Glibc

/// HTTP/1.1 on loopback or elsewhere, plain and TLS side by side, served by libmicrohttpd.
public final class HTTPServer: Sendable {
    public struct Options: Sendable {
        /// Addresses to listen on. An IPv6 address is left out where the machine has none, unless it is the only one.
        public var addresses = ["127.0.0.1", "::1"]
        /// 0 lets the system choose; every address has the same one.
        public var port = 0
        /// nil: no TLS.
        public var tlsPort: Int?
        public var identity: ServerIdentity?
        /// Open connections of one listener.
        public var connectionLimit = 8192
        /// A connection on which nothing moves for this long is closed; whole seconds.
        public var idleTimeout: Duration = .seconds(75)
        /// Bytes that a request's line and headers, and the answer's headers, may take together; above it the client gets 431 or 414.
        /// libmicrohttpd clears so much memory for each request.
        public var headLimit = 16 * 1024

        public init() {}
    }

    public let port: Int
    public let tlsPort: Int?
    /// The addresses really listened on.
    public let addresses: [String]

    private let listeners: [Listener]
    private let hangUps: HangUpWatch
    private let flow: Flow

    /// Starts to listen; requests may be handled before this returns.
    public init(_ options: Options, handler: any RequestHandler) throws(HTTPServerError) {
        var options = options
        options.connectionLimit = min(options.connectionLimit, Self.descriptorLimit(wanted: options.connectionLimit + 256) - 256)
        let hangUps = try HangUpWatch()
        let flow = Flow()
        var listeners: [Listener] = []
        do throws(HTTPServerError) {
            let plain = try Self.bind(options.addresses, port: options.port)
            port = plain.port
            for address in plain.addresses {
                listeners.append(
                    try Listener(
                        socket: ListeningSocket(address: address, port: plain.port), identity: nil, options: options, handler: handler,
                        hangUps: hangUps, flow: flow))
            }
            addresses = plain.addresses
            if let wanted = options.tlsPort, let identity = options.identity {
                let secure = try Self.bind(plain.addresses, port: wanted)
                tlsPort = secure.port
                for address in secure.addresses {
                    listeners.append(
                        try Listener(
                            socket: ListeningSocket(address: address, port: secure.port), identity: identity, options: options,
                            handler: handler, hangUps: hangUps, flow: flow))
                }
            } else {
                tlsPort = nil
            }
        } catch {
            for listener in listeners { listener.stop() }
            throw error
        }
        self.listeners = listeners
        self.hangUps = hangUps
        self.flow = flow
        hangUps.start()
    }

    /// Stops in order: takes no more connections, waits for the exchanges in flight, and after `grace` calls `release`, which must see to
    /// it that every exchange still waiting is answered; then closes what is left.
    public func stop(grace: Duration, release: @escaping @Sendable () -> Void) async {
        for listener in listeners { listener.quiesce() }
        let releasing = Task {
            try await Task.sleep(for: grace)
            release()
        }
        await flow.drain()
        releasing.cancel()
        for listener in listeners { listener.stop() }
        hangUps.stop()
    }

    /// Finds one port that is free on every address. Where the system chooses it for the first, the others may find it taken: then
    /// another is tried.
    private static func bind(_ addresses: [String], port: Int) throws(HTTPServerError) -> (addresses: [String], port: Int) {
        var attempt = 0
        while true {
            attempt += 1
            var bound: [String] = []
            var chosen = port
            do throws(HTTPServerError) {
                for address in addresses {
                    do throws(HTTPServerError) {
                        chosen = try ListeningSocket(address: address, port: chosen).port
                        bound.append(address)
                    } catch .cannotBind(_, _, let number)
                        where address.contains(":") && (number == EADDRNOTAVAIL || number == EAFNOSUPPORT) && addresses.count > 1
                    {
                        continue  // a machine without IPv6
                    }
                }
                guard !bound.isEmpty else { throw .badAddress(addresses.joined(separator: ", ")) }
                return (bound, chosen)
            } catch .cannotBind(let address, let refused, let number) {
                if port == 0, number == EADDRINUSE, attempt < 20 { continue }
                throw .cannotBind(address: address, port: refused, number)
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

/// What a TLS listener shows: PEM texts, the certificate followed by those that lead to its root.
public struct ServerIdentity: Sendable {
    public var keyPEM: String
    public var certificatePEM: String

    public init(keyPEM: String, certificatePEM: String) {
        self.keyPEM = keyPEM
        self.certificatePEM = certificatePEM
    }
}
