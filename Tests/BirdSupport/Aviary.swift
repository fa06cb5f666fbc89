import Foundation
import HTTPTypes
import ParrotVendor
package import SparringAdmin
package import SparringEngine
package import SparringJSON
import SparringSandbox
package import SparringTestKit
package import Support

/// Servers whose vendors are ``Parrot`` and ``Magpie``, so that these tests know no real vendor.
package enum Aviary {
    package static let tenants: JSON.Object = ["parrot": ["flock": "macaws"], "magpie": ["hoard": "shinies"]]

    /// Runs `body` against a new server whose sandbox `default` has a flock and a hoard.
    ///
    /// - Parameters:
    ///   - contracts: in place of these vendors' own.
    ///   - configure: changes the options before the start.
    package static func run<Value>(
        _ speed: TestServer.Speed = .socket, seed: Int64 = 1, database: String? = nil,
        clock: JSON? = ["mode": "frozen", "now": "2026-01-01T00:00:00Z"], tenants: JSON.Object = tenants, contracts: Contracts? = nil,
        configure: (inout Server.Options) -> Void = { _ in }, _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        try await TestServer.run(
            speed, seed: seed, database: database, clock: clock, tenants: tenants, cast: contracts?.cast() ?? cast.get(),
            configure: configure, body)
    }

    package static let vendors: [any Vendor] = [parrot(), Magpie()]

    package static let cast = Result { try Contracts().cast() }

    /// The text of each contract.
    package struct Contracts {
        package var calls = ParrotFiles.contract("openapi")
        package var messages = ParrotFiles.contract("asyncapi")
        package var magpie = Magpie.contract()
        package var admin = ["parrot": BirdAdmin.contract(of: "parrot"), "magpie": BirdAdmin.contract(of: "magpie")]

        package init() {}

        /// A folder of them, with the admin API's, the parrot's rules and what a flock can be configured with.
        package func folder() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            for file in ["admin.openapi.yaml", "shared.schema.yaml"] {
                try FileManager.default.copyItem(atPath: Repository.folder("contracts/\(file)"), toPath: folder.file(file))
            }
            _ = try folder.write(calls, to: "parrot.openapi.yaml")
            _ = try folder.write(messages, to: "parrot.asyncapi.yaml")
            for kind in ["behaviour", "tenant.schema"] { _ = try folder.write(ParrotFiles.contract(kind), to: "parrot.\(kind).yaml") }
            _ = try folder.write(magpie, to: "magpie.openapi.yaml")
            for (vendor, text) in admin { _ = try folder.write(text, to: "\(vendor).admin.openapi.yaml") }
            return folder
        }

        package func cast() throws -> Cast {
            let folder = try folder()
            defer { withExtendedLifetime(folder) {} }
            return try Cast(folder: folder.path) { _ in vendors }
        }
    }
}

extension TestServer {
    package func issueTicket(_ bird: String) async throws -> TestAnswer {
        try await send(.post, "/parrot/tickets", json: ["flock": "macaws", "bird": .string(bird)])
    }

    /// A socket of a bird's that has a ticket.
    package func openCage(_ bird: String, lane: String? = nil) async throws -> SocketClient {
        let issued = try await issueTicket(bird)
        guard let ticket = issued.json?["ticket"]?.string else { throw ToolError("no ticket: \(issued.text)") }
        return try await SocketClient(
            port: addresses.port, target: "/?ticket=\(ticket)", headers: lane.map { [("X-Sparring-Lane", $0)] } ?? [])
    }

    /// The entries of an operation, once there are so many.
    package func journal(of operation: String, atLeast count: Int = 1) async throws -> [JSON] {
        var found: [JSON] = []
        try await until {
            found = try await journal("?operation=\(operation)")
            return found.count >= count
        }
        return found
    }
}

extension SocketClient {
    package func perch(_ bird: String, as type: String = "Perch", _ more: JSON = [:]) {
        var payload: JSON = ["eventType": .string(type), "bird": .string(bird)]
        for (name, value) in more.object ?? [:] { payload[name] = value }
        send(["action": "authorize", "eventId": "e-\(bird)" as JSON, "payload": payload])
    }

    package func say(_ text: String, as bird: String? = nil) {
        var payload: JSON = ["eventType": "Say", "text": .string(text)]
        if let bird { payload["as"] = .string(bird) }
        send(["action": "event", "payload": payload])
    }
}
