public import Foundation
public import HTTPTypes
public import SparringAdmin
public import SparringEngine
import SparringHTTP
public import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox
import SparringVendors

/// A whole Sparring inside the test process, on free ports. Clients reach it over the wire; the test steers it without one.
public final class SparringServer: Sendable {
    public let server: Server
    public var engine: Engine { server.engine }
    public let addresses: Addresses

    /// The folder of the contracts and fixtures that belong to this library: the checkout that it was built in.
    public static let home = Cast.home

    private static let scenarios = home.appendingPathComponent("fixtures/scenarios").path
    /// The first server that has them checks them for all others: a suite may start a thousand.
    private static let scenariosAreChecked = Mutex(false)

    private static let launchWithTLS = Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sparring-ca-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let authority = try LocalAuthority.load(or: folder.path)
        var launch = ServerLaunch()
        try launch.serveTLS(on: 0, with: authority)
        launch.ports.extraPorts = try authority.defectivePorts(hosts: launch.certificateHosts)
        return launch
    }

    /// Starts a server without a sandbox.
    ///
    /// - Parameters:
    ///   - tls: opens a port for TLS too, and one for each TLS defect; the authority is ``certificateAuthority``.
    ///   - configure: changes the options before the start.
    ///   - prepare: what is to be there before the first call, such as a sandbox.
    /// - Throws: what keeps it from starting: a contract, the database, no free port.
    public convenience init(
        tls: Bool = false, configure: (inout Server.Options) -> Void = { _ in }, prepare: (Server) async throws -> Void = { _ in }
    ) async throws {
        try await self.init(tls: tls, cast: nil, configure: configure, prepare: prepare)
    }

    /// - Parameter cast: in place of the vendors that Sparring has.
    package init(
        tls: Bool, cast: Cast?, configure: (inout Server.Options) -> Void, prepare: (Server) async throws -> Void
    ) async throws {
        var launch = tls ? try Self.launchWithTLS.get() : ServerLaunch()
        launch.options.version = "test"
        launch.options.contracts = Cast.folder
        launch.options.scenarios = Self.scenarios
        launch.options.page = Cast.page
        configure(&launch.options)
        launch.options.vendors = launch.options.vendors.flatMap { AllVendors.only(Array($0)) }
        (server, addresses) = try await launch.start {
            try Self.make($0, cast)
        } prepare: { server, _ in
            try await prepare(server)
        }
    }

    private static func make(_ options: Server.Options, _ cast: Cast?) throws -> Server {
        guard options.contracts == Cast.folder, options.overlays.isEmpty, options.vendors == nil else {
            return try Server(options, vendors: cast?.make ?? { try Cast.vendors($0, only: options.vendors) })
        }
        let areShipped = cast == nil && options.scenarios == scenarios
        let cast = try cast ?? Cast.shipped.get()
        let server = try Server(
            options, contracts: cast.contracts, behaviours: cast.behaviours,
            scenariosAreChecked: areShipped && scenariosAreChecked.withLock(\.self), vendors: cast.make)
        if areShipped { scenariosAreChecked.withLock { $0 = true } }
        return server
    }

    /// `http://127.0.0.1:40001`.
    public var url: String { addresses.baseURL }
    /// `https://localhost:40002`; nil without TLS.
    public var tlsURL: String? { addresses.tlsBaseURL }
    /// The certificate authority of the TLS ports, in PEM.
    public static var certificateAuthority: String { get throws { try launchWithTLS.get().options.certificateAuthority ?? "" } }

    /// Ends it, and what waits in it.
    public func stop() async { try? await engine.stop(grace: .milliseconds(100)) }

    /// Makes a sandbox: a world of its own, which no other test sees.
    ///
    /// - Parameters:
    ///   - scenario: the name of one that came with Sparring.
    ///   - seed: of all random values; the scenario's, or else another each time, when missing.
    ///   - clock: as the admin API takes it, such as `["mode": "frozen"]`; running when missing.
    ///   - tenants: configuration by vendor, such as `["liveperson": ["accountId": "12345678"]]`.
    ///   - faults: in their text form.
    ///   - label: the name of the test that it is for, which reports show.
    ///   - vary: what is varied of that which clients are sent: a seed, or text such as `7:V5,V12`; nothing when missing.
    /// - Throws: ``SparringProblem`` with what is wrong, and where.
    public func sandbox(
        scenario: String? = nil, seed: Int64? = nil, clock: JSON? = nil, tenants: JSON? = nil, faults: [String] = [],
        label: String? = nil, vary: JSON? = nil
    ) async throws -> SparringSandbox {
        let made = try await admin(
            .post, "sandboxes",
            .members([
                "scenario": scenario.map { .string($0) }, "seed": seed.map { .integer($0) }, "clock": clock, "tenants": tenants,
                "faults": .array(faults.map { .string($0) }), "label": label.map { .string(String($0.prefix(200))) }, "vary": vary,
            ]))
        return SparringSandbox(made, of: self)
    }

    /// Calls the admin API without a socket.
    ///
    /// - Parameter path: below `/__admin/`.
    /// - Throws: ``SparringProblem`` for every answer that is no success.
    @discardableResult
    public func admin(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        var headers: HTTPFields = [.host: "127.0.0.1:\(addresses.port)"]
        if body != nil { headers[.contentType] = "application/json" }
        let head = RequestHead(method: method, target: "/__admin/" + path, headers: headers, connection: 1, arrival: .now)
        guard case .answer(let response) = await engine.answer(Request(head: head, body: body?.bytes ?? [])),
            case .bytes(let bytes) = response.body
        else { throw SparringProblem(status: 0, text: "\(method) \(path) was not answered") }
        guard response.status < 300 else { throw SparringProblem(status: response.status, text: String(decoding: bytes, as: UTF8.self)) }
        return bytes.isEmpty ? .null : try JSON(parsing: bytes)
    }
}

/// The problem that the admin API reported instead of doing what it was asked for.
public struct SparringProblem: Error, Sendable, CustomStringConvertible {
    public var status: Int
    /// Its problem document (RFC 9457).
    public var text: String
    public var description: String { "\(status) \(text)" }
}
