import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Operations of the tag "Devices".
extension AdminAPI {
    func listDevices(_ sandbox: Sandbox) async throws -> Answer {
        return Answer(
            "devices", ["devices": .array(try await store.read { [self] db in try devices(of: sandbox, tenants(of: sandbox), db) })])
    }

    func devices(of sandbox: Sandbox, _ tenants: [(any Vendor, Tenant)], _ db: Database) throws -> [JSON] {
        try sandbox.devices.devices(db).map { device in
            let registrations = try tenants.flatMap { vendor, tenant in
                try vendor.registrations(on: device.token, of: tenant, db)
            }
            return .members([
                "token": .string(device.token), "vendor": device.vendor.map { .string($0) }, "appId": .string(device.app),
                "pushType": .string(device.pushType), "consumer": device.consumer.map { .string($0) },
                "registrations": .array(registrations),
                "notifications": .integer(Int64(try sandbox.devices.count(on: device.token, db))),
                "renewed": device.renewed.map { .string($0) },
            ])
        }
    }

    /// A push that no vendor has sent, such as the brand's own.
    func notifyDevice(_ call: AdminCall) async throws -> Answer {
        let (named, payload) = (call.path("device"), call.body["payload"] ?? [:])
        let number = try await change(call, Cause("a push from no vendor came to device \(named)", code: Cause.foreignPush)) {
            db, sandbox in
            let token = try Self.token(named, sandbox, db)
            let known = try sandbox.devices.device(token, db)
            if let renewed = known?.renewed { throw Self.renewed(token, renewed) }
            let device = Device(
                token: token, app: call.body["appId"]?.string ?? known?.app ?? "",
                pushType: call.body["pushType"]?.string ?? known?.pushType ?? "APNS",
                vendor: known?.vendor, owner: known?.owner, consumer: known?.consumer)
            if known == nil { try sandbox.devices.put(device, db) }
            let content = JSON.members([
                "appId": .string(device.app), "pushType": .string(device.pushType), "text": call.body["text"], "payload": payload,
            ])
            var file: JSON?
            if device.pushType.uppercased().hasPrefix("APN") {
                file = payload
                file?["Simulator Target Bundle"] = .string(device.app)
            }
            return try sandbox.devices.append(content, simulatorFile: file, to: token, at: sandbox.clock.now, db)
        }
        return Answer("notified", ["number": .integer(Int64(number))])
    }

    func renewDeviceToken(_ call: AdminCall) async throws -> Answer {
        let named = call.path("device")
        let cause = Cause("device \(named) got a new token", code: Cause.newPushToken)
        let renewed = try await change(call, cause, details: { ["token": .string($0.new), "renewed": .string($0.old)] }) { db, sandbox in
            let old = try Self.token(named, sandbox, db)
            let devices = try sandbox.devices.devices(db)
            guard let device = devices.first(where: { $0.token == old }) else {
                throw Self.unknownDevice(old, sandbox, devices)
            }
            if let renewed = device.renewed { throw Self.renewed(old, renewed) }
            let ordinal = devices.count { $0.renewed != nil } + 1
            let token = call.body["token"]?.string ?? Draw(seed: sandbox.idSeed, "device token", old, String(ordinal)).hex
            guard !devices.contains(where: { $0.token == token }) else {
                throw AdminProblem("token-taken", "a device already has, or had, the token \(token.quoted)")
            }
            try sandbox.devices.renew(device, as: token, db)
            return (old: old, new: token)
        }
        return Answer("renewed", ["token": .string(renewed.new)])
    }

    /// Characters of the shortest beginning that means a token.
    private static let shortestToken = 4

    /// A device by its token, or by the beginning of one that no other token shares. `of:ada` is ada's device, of several the first by its token: the author of a
    /// scenario knows no token. `of:*` is that of the only consumer who has one: the author of a scenario does not know how a client's user is called either.
    private static func token(_ named: String, _ sandbox: Sandbox, _ db: Database) throws -> String {
        let devices = try sandbox.devices.devices(db)
        guard named.hasPrefix("of:") else {
            guard named.count >= shortestToken, !devices.contains(where: { $0.token == named }) else { return named }
            let meant = devices.filter { $0.token.hasPrefix(named) }
            guard meant.count < 2 else {
                throw AdminProblem(
                    "device-unknown", "\(meant.count) devices have a token that begins with \(named.quoted)",
                    nearest: meant.prefix(5).map(\.token))
            }
            return meant.first?.token ?? named
        }
        let owned = devices.filter { $0.consumer != nil && $0.renewed == nil }
        let consumer = String(named.dropFirst("of:".count))
        let meant = consumer == "*" ? owned : owned.filter { $0.consumer == consumer }
        let owners = Set(owned.compactMap(\.consumer)).sorted()
        guard let device = meant.first else {
            let whose = consumer == "*" ? "any consumer" : consumer.quoted
            throw AdminProblem("device-unknown", "no device is registered for \(whose)", nearest: owners.map { "of:" + $0 })
        }
        guard consumer != "*" || owners.count == 1 else {
            throw AdminProblem(
                "device-unknown", "\(owners.count) consumers have devices: name one of them instead of '*'",
                nearest: owners.prefix(5).map { "of:" + $0 })
        }
        return device.token
    }

    /// Changes devices, and journals it.
    ///
    /// - Parameter details: what the entry has besides the call's body.
    private func change<Value: Sendable>(
        _ call: AdminCall, _ cause: Cause, details: @escaping @Sendable (Value) -> JSON = { _ in [:] },
        _ change: @escaping @Sendable (Database, Sandbox) throws -> Value
    ) async throws -> Value {
        let sandbox = try sandbox(call)
        return try await sandbox.write(sandbox.entry(.configuration, cause: cause)) { db, entry in
            try call.alongside?(db)
            let value = try change(db, sandbox)
            entry.note(call.asked)
            entry.details = entry.details?.merging(details(value))
            return value
        }
    }

    private static func renewed(_ old: String, _ new: String) -> AdminProblem {
        AdminProblem("device-unknown", "the device with the token \(old.quoted) now has the token \(new.quoted)", nearest: [new])
    }

    func listNotifications(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let limit = call.number(query: "limit") ?? 1000
        guard let found = try await read(call, sandbox, limit: limit) else { throw await unknownDevice(call, sandbox) }
        return page(found, call)
    }

    /// Returns as soon as so many are there; the device need not be known yet.
    func waitForNotifications(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let count = call.number(query: "count") ?? 1
        let end = try await sandbox.journal.waits.wait(for: call.timeout, onHangUp: call.onHangUp) {
            let found = try await self.read(call, sandbox, limit: max(count, 1000)) ?? []
            return found.count >= count ? Optional(found) : .none
        }
        if let found = try found(end, in: sandbox) { return page(found, call) }
        let seen = try await read(call, sandbox, limit: count)
        var late = json(seen ?? [], call)
        late["timedOut"] = true
        late["detail"] = .string(
            "\(seen?.count ?? 0) of \(count) notifications arrived at device \(call.path("device").quoted) within \(call.timeout.words)"
                + (seen == nil ? "; no such device was ever registered" : ""))
        return Answer("wait-timed-out", late)
    }

    /// Goes on until the reader leaves, the sandbox is deleted or the server stops; the device need not be known yet.
    func streamNotifications(_ call: AdminCall, _ sandbox: Sandbox) throws -> Answer {
        let since = call.lastEventID?.addingClamped(1) ?? call.number(query: "since") ?? 0
        return try stream("notification-stream", of: sandbox) { [self] events in
            var next = since
            while !Task.isCancelled {
                let end = try await sandbox.journal.waits.wait(for: .seconds(15)) {
                    let found = try await self.read(call, sandbox, since: next, limit: 1000) ?? []
                    return found.isEmpty ? Optional<[DeviceNotification]>.none : found
                }
                switch end {
                case .found(let found):
                    for notification in found { events.send("notification", id: notification.number, notification.json) }
                    if let last = found.last { next = last.number.addingClamped(1) }
                case .timedOut: events.keepAlive()
                case .abandoned, .released, .refused: return
                }
            }
        }
    }

    func readNotification(_ call: AdminCall) async throws -> Answer {
        let notification = try await notification(call)
        guard call.query("form") == "apns" else { return Answer("notification", notification.json) }
        return Answer("apns-form", try simulatorFile(notification))
    }

    func readSimulatorFile(_ call: AdminCall) async throws -> Answer {
        Answer("simulator-file", try simulatorFile(try await notification(call)))
    }

    private func simulatorFile(_ notification: DeviceNotification) throws -> JSON {
        guard let file = notification.simulatorFile else {
            throw AdminProblem("no-such-form", "the device is not an iOS device: there is no .apns file for it")
        }
        return file
    }

    private func notification(_ call: AdminCall) async throws -> DeviceNotification {
        let sandbox = try sandbox(call)
        let number = call.number(path: "number")
        guard let found = try await read(call, sandbox, since: number, limit: 1) else { throw await unknownDevice(call, sandbox) }
        guard let notification = found.first, notification.number == number else {
            throw AdminProblem("notification-unknown", "device \(call.path("device").quoted) has no notification \(number)")
        }
        return notification
    }

    private func read(_ call: AdminCall, _ sandbox: Sandbox, since: Int? = nil, limit: Int) async throws -> [DeviceNotification]? {
        let since = since ?? call.number(query: "since") ?? 0
        let device = call.path("device")
        return try await store.read { db in
            // A person may have no device yet, as a token may not be registered yet: what waits goes on.
            let device = device.hasPrefix("of:") ? (try? Self.token(device, sandbox, db)) ?? device : try Self.token(device, sandbox, db)
            guard try sandbox.devices.device(device, db) != nil else { return nil }
            return try sandbox.devices.notifications(on: device, since: since, limit: limit, db)
        }
    }

    private func page(_ found: [DeviceNotification], _ call: AdminCall) -> Answer { Answer("notifications", json(found, call)) }

    private func json(_ found: [DeviceNotification], _ call: AdminCall) -> JSON {
        let since = call.number(query: "since") ?? 0
        let next = found.last?.number.addingClamped(1) ?? max(since, 1)
        return ["notifications": .array(found.map(\.json)), "next": .integer(Int64(next))]
    }

    private func unknownDevice(_ call: AdminCall, _ sandbox: Sandbox) async -> AdminProblem {
        Self.unknownDevice(call.path("device"), sandbox, (try? await store.read { try sandbox.devices.devices($0) }) ?? [])
    }

    private static func unknownDevice(_ token: String, _ sandbox: Sandbox, _ known: [Device]) -> AdminProblem {
        AdminProblem(
            "device-unknown", "no device \(token.quoted) was ever registered in sandbox '\(sandbox.id)'", unknown: token,
            known: known.map(\.token))
    }
}
