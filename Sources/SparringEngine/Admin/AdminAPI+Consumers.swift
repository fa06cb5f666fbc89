import SparringContract
import SparringJSON

/// Operations of the tag "Consumers".
extension AdminAPI {
    private var directories: [any ConsumerDirectory] { world.vendors.compactMap { $0.vendor as? any ConsumerDirectory } }

    func listConsumers(_ call: Call) async throws -> Answer {
        let sandbox = try sandbox(call)
        let known = directories.compactMap { directory in sandbox.tenant(of: directory.name).map { (directory, $0) } }
        let consumers = try await store.read { db in
            try known.flatMap { directory, tenant in try directory.consumers(of: tenant, in: sandbox, db) }
        }
        return Answer("consumers", ["consumers": .array(consumers)])
    }

    func signOutConsumer(_ call: Call) async throws -> Answer {
        let sandbox = try sandbox(call)
        let (directory, tenant) = try vendor(meantBy: call, among: directories, in: sandbox, that: "signs consumers out") { $0.name }
        let consumer = call.body["consumer"]?.string ?? ""
        do {
            let done = try await intervene(call, of: consumer, sandbox, tenant) { intervention, db in
                let done = try directory.signOut(call.body, intervention, db)
                return (done, "\(consumer) was signed out: \(done.joined(separator: "; "))")
            }
            return Answer("signed-out", ["done": .array(done.map { .string($0) })])
        } catch let error as ConfigurationError {
            throw Problem(name: "configuration-invalid", detail: error.description, members: Self.violation(error))
        }
    }
}
