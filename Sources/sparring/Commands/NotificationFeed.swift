import SparringJSON

/// What comes to a device, from a number on.
struct NotificationFeed {
    private let server: AdminClient
    private let (sandbox, device): (String, String)
    private var since: Int

    init(_ server: AdminClient, _ sandbox: String, _ device: String, since: Int) {
        self.server = server
        self.since = since
        (self.sandbox, self.device) = (sandbox, device)
    }

    /// Waits for some; empty if none came for a while.
    ///
    /// - Throws: ``CommandFailure``.
    mutating func next() async throws -> [JSON] {
        let page = try await server.call(.waitForNotifications, in: sandbox, ["device": device, "since": since, "timeout": "10s"]).json
        guard let following = page["next"]?.integer(in: 0...Int.max) else {
            throw CommandFailure.foreign(server.baseURL, "with a page that has no 'next'")
        }
        since = following
        return page["notifications"]?.array ?? []
    }
}
