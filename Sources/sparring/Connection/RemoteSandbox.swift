import SparringJSON

/// A sandbox of a running server, and how what the server answers is printed.
struct RemoteSandbox {
    let name: String
    let server: AdminClient
    let connection: ConnectionOptions

    /// Calls an operation, see ``AdminClient/call(_:in:_:body:timeout:)``.
    @discardableResult
    func call(
        _ operation: AdminCall, _ values: [String: (any CustomStringConvertible)?] = [:], body: JSON? = nil
    ) async throws -> AdminAnswer {
        try await server.call(operation, in: name, values, body: body)
    }

    /// Calls an operation and prints its answer.
    func show(
        _ operation: AdminCall, _ values: [String: (any CustomStringConvertible)?] = [:], body: JSON? = nil, as text: (JSON) -> String
    ) async throws {
        try connection.show(try await call(operation, values, body: body), as: text)
    }

    /// Calls an operation whose answer has no body, and says what was done.
    func call(
        _ operation: AdminCall, _ values: [String: (any CustomStringConvertible)?] = [:], body: JSON? = nil, saying done: String
    ) async throws {
        try await call(operation, values, body: body)
        try connection.confirm(done)
    }

    // MARK: Acts

    /// Calls a vendor's admin operation by its name.
    ///
    /// - Parameter vendor: may be left out where only one has the operation.
    func act(_ operation: String, _ with: JSON, of vendor: String?) async throws -> AdminAnswer {
        try await call(.act, body: .members(["operation": .string(operation), "vendor": vendor.map(JSON.string), "with": with]))
    }

    /// Performs an act, and prints what was done.
    func perform(_ act: String, _ with: JSON, of vendor: VendorOption) async throws {
        try connection.show(try await self.act(act, with, of: vendor.name)) { json in
            // A push is said already where it was decided.
            Self.done(json) + (json["delivery"] == "socket" ? " (by socket)" : "")
        }
    }

    /// The effects of an act, a line each.
    static func done(_ answer: JSON) -> String { answer.texts("done").map(Terminal.printable).joined(separator: "\n") }
}
