import Foundation
import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Operations of the tag "Server".
extension AdminAPI {
    func health(_ call: AdminCall) async throws(AdminProblem) -> Answer {
        if let failure = await lastingFailure() { throw problem(failure) }
        if call.query("accepting") == "true", let drain = drain.underWay {
            throw AdminProblem(
                "not-accepting", "this server takes no new sandboxes",
                members: [
                    "reason": .string("it has drained since \(drain.since)"), "since": .string(drain.since.description),
                    "unrecorded": .integer(Int64(store.unrecorded.total)), "internalErrors": .integer(Int64(metrics.internalErrors)),
                ])
        }
        let vendors = vendors.all.map { vendor -> JSON in
            [
                "name": .string(vendor.name), "title": .string(vendor.contract.title),
                "operations": .integer(Int64(vendor.contract.operations.count)),
            ]
        }
        return Answer(
            "healthy",
            .members([
                "status": "ok", "node": world.node.map { .string($0.name) }, "accepting": .bool(isAccepting),
                "draining": drain.underWay?.json, "unrecorded": .integer(Int64(store.unrecorded.total)),
                "internalErrors": .integer(Int64(metrics.internalErrors)), "vendors": .array(vendors),
                "tlsPort": call.addresses.tlsPort.map { .integer(Int64($0)) },
                "proxyPort": call.addresses.proxyPort.map { .integer(Int64($0)) },
                "tlsDefects": call.addresses.tlsDefectsJSON,
            ]))
    }

    func version() -> Answer {
        Answer(
            "version",
            .members(["name": "sparring", "version": .string(options.version), "node": world.node.map { .string($0.name) }]))
    }

    /// Why the database cannot be written. If nobody has tried since a write failed, this tries.
    private func lastingFailure() async -> StoreCondition.Failure? {
        guard let failure = store.condition.failure else { return nil }
        if !failure.isFinal { try? await store.tryWriting() }
        return store.condition.failure
    }

    private func problem(_ failure: StoreCondition.Failure) -> AdminProblem {
        var members: JSON.Object = [
            "reason": .string(failure.reason), "since": .string(failure.since.description),
            "unrecorded": .integer(Int64(store.unrecorded.total)), "internalErrors": .integer(Int64(metrics.internalErrors)),
        ]
        if failure.isFinal { members["final"] = true }
        return AdminProblem("store-failing", "nothing can be written since \(failure.since): \(failure.reason)", members: members)
    }

    func readMetrics() async throws -> Answer {
        let entries = try await store.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM journal") ?? 0 }
        return Answer(
            "metrics",
            body: .text(
                metrics.text(
                    node: world.node?.name,
                    counters: [
                        (
                            "sparring_unrecorded_total", "Calls and events that could not be written to the database.",
                            store.unrecorded.total
                        ),
                        ("sparring_internal_errors_total", "Errors of Sparring's own.", metrics.internalErrors),
                    ],
                    gauges: [
                        ("sparring_store_failing", "1 while the database cannot be written.", store.condition.failure == nil ? 0 : 1),
                        ("sparring_accepting", "1 while new sandboxes are taken.", isAccepting ? 1 : 0),
                        ("sparring_sockets", "Open sockets.", world.sandboxes.reduce(0) { $0 + $1.openSockets.count }),
                        ("sparring_sandboxes", "Sandboxes that exist.", world.count),
                        (
                            "sparring_waits", "Calls that wait for a journal to grow.",
                            world.sandboxes.reduce(0) { $0 + $1.journal.waits.count }
                        ),
                        ("sparring_journal_entries", "Entries in all journals.", entries),
                        ("sparring_stream_bytes", "Bytes that readers of streams have not taken yet.", streams.waiting),
                        ("sparring_resident_bytes", "Memory of the process that is in use.", Self.residentBytes),
                    ])))
    }

    func certificateAuthority() throws -> Answer {
        guard let pem = options.certificateAuthority else {
            throw AdminProblem("tls-disabled", "this server was started without a TLS port")
        }
        return Answer("certificate-authority", body: .text(pem))
    }

    /// The CA as Apple's devices install it (Apple, Configuration Profile Reference, Certificate payload `com.apple.security.root`).
    func certificateProfile() throws -> Answer {
        guard let pem = options.certificateAuthority else {
            throw AdminProblem("tls-disabled", "this server was started without a TLS port")
        }
        return Answer("certificate-profile", body: .text(CertificateProfile(pem).text))
    }

    /// Composed or read each time, as editors ask for it seldom.
    func schema(_ call: AdminCall) throws -> Answer {
        let kind = call.path("schema")
        if FileManager.default.fileExists(atPath: "\(options.contracts)/\(kind).schema.yaml") {
            return Answer("schema", try FileSchema(kind, in: options.contracts, contract, vendors, behaviours).json)
        }
        let name = "schemas/\(kind).schema.json"
        guard let bytes = FileManager.default.contents(atPath: "\(options.contracts)/\(name)") else {
            throw AdminProblem("schema-unknown", "the folder of the contracts has no \(name)")
        }
        return Answer("schema", try JSON(parsing: bytes))
    }

    func listUnplaced(_ call: AdminCall) async throws -> Answer {
        let limit = call.number(query: "limit") ?? 100
        let unplaced = unplaced
        return Answer("unplaced", ["entries": .array(try await store.read { try unplaced.read(limit: limit, $0) })])
    }

    func clearUnplaced() async throws -> Answer {
        let unplaced = unplaced
        try await store.write { try unplaced.clear($0) }
        return Answer("cleared")
    }

    /// The second field of `/proc/self/statm` counts pages (proc(5)).
    private static var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first?.integer(in: 0...Int.max)
        else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
