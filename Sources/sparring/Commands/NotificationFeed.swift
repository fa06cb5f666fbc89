import ArgumentParser
import SparringJSON

/// The notifications that come to a device.
struct NotificationFeed {
    private let sandbox: RemoteSandbox
    private let device: String

    init(_ sandbox: RemoteSandbox, _ device: String) { (self.sandbox, self.device) = (sandbox, device) }

    /// - Throws: for bounds that nothing can have.
    static func check(since: Int?, limit: Int?) throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        if let since, since < 0 { throw ValidationError("--since must be 0 or more.") }
    }

    /// Prints notifications as they come.
    ///
    /// - Parameters:
    ///   - first: the number to begin with.
    ///   - limit: how many are printed; nil: there is no end.
    ///   - deliver: what is to be done with each before it is printed.
    /// - Throws: ``CommandFailure``.
    func follow(from first: Int, limit: Int?, deliver: (JSON) async throws -> Void = { _ in }) async throws {
        var (next, left) = (first, limit ?? .max)
        while left > 0 {
            let page = try await sandbox.call(.waitForNotifications, ["device": device, "since": next, "timeout": "10s"]).json
            next = try sandbox.server.next(after: page)
            for notification in (page["notifications"]?.array ?? []).prefix(left) {
                try await deliver(notification)
                try Terminal.print(sandbox.connection.json ? notification.text : Self.text(notification))
                left -= 1
            }
        }
    }

    /// A notification in a line.
    static func text(_ notification: JSON) -> String {
        func part(_ name: String) -> String { notification.plain(name, or: "-") }
        let parts = [
            Table.indented(part("number"), 6), part("time"), "badge \(part("badge"))", part("consumer"), part("backendService"),
            part("text"),
        ]
        return Terminal.printable(parts.joined(separator: "  "))
    }
}
