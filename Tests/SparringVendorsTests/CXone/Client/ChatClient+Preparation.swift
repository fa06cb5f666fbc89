import HTTPTypes
import SparringJSON
import SparringJournal
import Support

/// "Application Becomes Active", "Application Enters Background" and "View Page" of the event diagrams.
extension ChatClient {
    /// The app starts, with what the device kept.
    func start() async throws {
        try await hangUp()
        (channel, conversation, page, welcome, isShowingChat) = (nil, nil, nil, nil, false)
        try await mark("started")
        try await prepare()
    }

    private var visitorPath: String { "/web-analytics/1.0/tenants/\(brand)/visitors/\(device.visitor ?? "")" }
    var channelPath: String { "/chat/1.0/brand/\(brand)/channel/\(mode.channel)" }

    /// Prepares the chat; whatever fails resets it, and the user tries again.
    func prepare() async throws {
        for attempt in 0..<8 where channel == nil && !isRefused {
            if attempt > 0 { try await stage.pass(5) }
            guard let answer = try await call(.get, channelPath), let json = answer.json else { continue }
            isRefused = json["error"]?["errorCode"] == "SdkVersionNotSupported"
            guard !isRefused, answer.status == 200 else { continue }
            if device.visitor == nil { device.visitor = freshID() }
            destination = freshID()
            if platform.isMobile {
                let fingerprint: JSON = ["os": .string(platform == .ios ? "iOS" : "Android"), "deviceToken": "token-1"]
                let body: JSON = ["customerIdentity": identity, "browserFingerprint": fingerprint]
                guard try await call(.put, visitorPath, body) != nil else { continue }
            }
            let fields = json["preContactForm"]?["customFields"]?.array ?? []
            let required = fields.filter { $0["isRequired"] == true }.compactMap { $0["definition"] }
            channel = Channel(
                isSignedIn: json["isAuthorizationEnabled"] == true, isSecured: json["settings"]?["securedSessions"] == true,
                form: Dictionary(
                    uniqueKeysWithValues: required.map {
                        ($0["ident"]?.string ?? "", $0["values"]?.array?.first?["name"]?.string ?? "4711")
                    }))
        }
    }

    /// The user leaves while the configuration is under way.
    func startAndLeave() async throws {
        try await mark("started")
        _ = try await call(.get, channelPath, timeOut: 1)
        try await mark("backgrounded")
        try await stage.pass(10)
        try await prepare()
    }

    /// The user leaves the app, with the page and the chat that are shown, and comes back to them.
    func leaveAndReturn() async throws {
        let wasShowing = isShowingChat
        try await mark("backgrounded", page.map { ["page": .string($0.title)] } ?? [:])
        try await endPage()
        isShowingChat = false
        try await hangUp()
        try await stage.pass(20)
        if wasShowing { try await openChat() }
    }

    // MARK: Pages

    func view(_ title: String) async throws {
        guard channel != nil, platform.isMobile else { return }
        try await endPage()
        try await report("PageView", ["title": .string(title), "url": .string("https://shop.example/\(title)")])
        page = (title, try stage.now())
    }

    private func endPage() async throws {
        guard let page else { return }
        let spent = Int64(try stage.now() - page.since)
        self.page = nil
        try await report("TimeSpentOnPage", ["title": .string(page.title), "timeSpentOnPage": .integer(spent)])
    }

    /// Reports an event in the current visit. Where that has expired a new one begins, and is reported first. Failures are ignored.
    private func report(_ type: String, _ data: JSON) async throws {
        let now = try stage.now()
        let isExpired = device.visit.map { now >= $0.expiry } ?? true
        let visit = isExpired ? freshID() : device.visit?.id ?? ""
        device.visit = (visit, now + 1800)
        if isExpired { try await send("VisitorVisit", [:], visit) }
        try await send(type, data, visit)
    }

    private func send(_ type: String, _ data: JSON, _ visit: String) async throws {
        let time = Timestamp(milliseconds: Int64(try stage.now() * 1000)).description
        let event: JSON = [
            "id": .string(freshID()), "type": .string(type), "visitId": .string(visit), "destination": ["id": .string(destination)],
            "createdAtWithMilliseconds": .string(time), "data": data,
        ]
        _ = try await call(.post, "\(visitorPath)/events", event)
    }

    var identity: JSON { ["idOnExternalPlatform": .string(device.customer)] }
}
