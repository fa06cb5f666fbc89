public import SparringContract
package import SparringHTTP
public import SparringJSON
import SparringJournal
import SparringLocks
public import SparringSandbox

/// Contracts, vendors, store, world and pipeline behind one HTTP server; what belongs to no tenant is its host's.
public final class Engine: Sendable {
    public let world: World
    public let contracts: [Contract]
    private let store: Store
    private let vendors: Vendors
    private let pipeline: Pipeline
    private let dueOwners: [any DueOwner]
    private let outboundClient: OutboundClient
    private let server = Mutex<HTTPServer?>(nil)
    private let isRunningDueWork = Atomic(false)

    /// - Parameter host: answers the operations that are no tenant's, and does what falls due under its name.
    package init(_ parts: EngineParts, host: any OperationHost & DueOwner) {
        contracts = parts.contracts
        (world, vendors, store) = (parts.world, parts.vendors, parts.store)
        outboundClient = OutboundClient(callsAbroad: parts.options.callsAbroad)
        pipeline = Pipeline(
            parts, host: host, outboundClient: outboundClient,
            addresses: Addresses(port: 0, tlsPort: nil, hosts: ["localhost", "127.0.0.1", "::1"], advertised: nil))
        dueOwners = parts.vendors.all + [host]
    }

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - options: ports, TLS and limits of the listeners.
    ///   - hosts: names, beside loopback's, under which this server is known.
    ///   - advertised: what is put into URLs; nil: what each client used.
    ///   - proxied: hosts that the forward proxy serves beside those of the contracts.
    /// - Returns: the addresses by which it can be reached.
    @discardableResult
    package func serve(
        _ options: HTTPServer.Options, hosts: [String] = [], advertised: AdvertisedAddress? = nil, proxied: [ServerHost] = []
    ) throws -> Addresses {
        SchedulingDelay.begin()
        let server = try HTTPServer(options, handler: pipeline, on: store.loop)
        if server.connectionLimit < options.connectionLimit {
            pipeline.notice(
                "each port serves \(server.connectionLimit) connections at once, not \(options.connectionLimit): "
                    + "the process may not open more files (ulimit -n)")
        }
        let names = ["localhost", "127.0.0.1", "::1"] + hosts + (advertised.map { [$0.host] } ?? []) + server.addresses
        var addresses = Addresses(
            port: server.port, tlsPort: server.tlsPort, tlsDefects: server.extraPorts, hosts: Set(names.map { $0.lowercased() }),
            advertised: advertised)
        addresses.proxyPort = server.proxyPort
        if server.proxyPort != nil { addresses.emulated = contracts.flatMap(\.vendorHosts) + proxied }
        pipeline.addresses.change(to: addresses)
        self.server.withLock { $0 = server }
        runDueWork()
        return addresses
    }

    /// The settings that a client needs to reach a sandbox's tenants, by vendor, in the vendors' order.
    public func published(_ sandbox: Sandbox, _ addresses: Addresses) -> [(vendor: String, JSON)] {
        let addresses = addresses.meeting(tlsDefect: sandbox.tlsDefect)
        return vendors.all.compactMap { vendor in sandbox.tenant(of: vendor.name).map { (vendor.name, vendor.published($0, addresses)) } }
    }

    /// The target of a GET that a newcomer can try: of the first vendor that brands sign in to.
    public func exampleCall(in sandbox: Sandbox) -> String? {
        for vendor in vendors.all where !(vendor.vendor is any CredentialIssuer) {
            guard let tenant = sandbox.tenant(of: vendor.name) else { continue }
            for operation in vendor.contract.operations {
                if let target = operation.exampleTarget(ofTenant: tenant.id) { return target }
            }
        }
        return nil
    }

    /// Takes a request straight into the pipeline, without a socket.
    package func answer(_ request: Request) async -> Delivery {
        await withCheckedContinuation { continuation in answer(request) { delivery, _ in continuation.resume(returning: delivery) } }
    }

    /// The same for a caller who does not wait, with the name of the answer in the contract; nil: it has none.
    package func answer(_ request: Request, _ deliver: @escaping @Sendable (Delivery, _ name: String?) -> Void) {
        runDueWork()
        pipeline.take(Incoming(request) { deliver($0.delivery, $0.answer?.name) })
    }

    /// The addresses that the engine gives out and takes for its own, whether it listens there or not.
    package var addresses: Addresses {
        get { pipeline.addresses.current }
        set { pipeline.addresses.change(to: newValue) }
    }

    /// Returns once everything is written that was to be written by now.
    package func settle() async throws { try await store.write { _ in } }

    /// Not before the first call can come: what is due may call this server.
    private func runDueWork() {
        let isRunning = isRunningDueWork.exchange(true, ordering: .acquiringAndReleasing)
        guard !isRunning else { return }
        world.runDueWork(
            by: DueDispatcher(world, owners: dueOwners, outbound: pipeline, metrics: pipeline.metrics) { [pipeline] in
                pipeline.addresses.current
            })
    }

    /// Calls `body` with the reason once nothing can be written to the database any more: the server is of no use then, and should stop.
    public func onStoreEnded(_ body: @escaping @Sendable (String) -> Void) { store.condition.onEnd(body) }

    /// Nothing can be written to the database any more.
    public var hasStoreEnded: Bool { store.condition.isEnded }

    /// Stops in order. Calls that wait for journal entries are released at once, and requests in flight are answered. After `grace`, injected delays and
    /// outbound calls are cut short. Then the store is closed.
    public func stop(grace: Duration = .seconds(5)) async throws {
        pipeline.host.end()
        for sandbox in world.sandboxes {
            sandbox.journal.waits.end()
            sandbox.endPolls("the server stops")
        }
        if let server = server.withLock({ $0.take() }) {
            let (world, outboundClient) = (world, outboundClient)
            await server.stop(grace: grace) {
                for sandbox in world.sandboxes {
                    await sandbox.clock.release(within: Self.releaseTime)
                    sandbox.journal.waits.end()
                }
                outboundClient.release.release()
            }
        }
        outboundClient.release.release()
        world.runDueWork(by: nil)
        for sandbox in world.sandboxes {
            await sandbox.clock.release(within: Self.releaseTime)
            sandbox.settleJournal()
        }
        try store.close()
        // Where no HTTP server has closed them: they hold the pipeline.
        for sandbox in world.sandboxes {
            for socket in sandbox.openSockets where socket.end() { sandbox.sockets.remove(socket) }
        }
    }

    /// The time in which everything that a stop releases in a sandbox comes to its end, one thing after the other. Only what hangs needs so long.
    private static let releaseTime = Duration.seconds(2)

    /// Leaves no file behind that nobody asked for: the process is about to end, whatever is still being done. What has been acknowledged is in
    /// the database.
    public func abandon() { store.abandon() }
}
