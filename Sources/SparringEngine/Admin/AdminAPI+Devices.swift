import GRDB
import HTTPTypes
import SparringContract
import SparringJSON
import SparringJournal

/// Operations of the tag "Devices".
extension AdminAPI {
    private var senders: [any PushSender] { world.vendors.compactMap { $0.vendor as? any PushSender } }

    func sendPush(_ call: Call) async throws -> Answer {
        let sandbox = try sandbox(call)
        let (sender, tenant) = try vendor(meantBy: call, among: senders, in: sandbox, that: "sends pushes") { $0.name }
        let consumer = call.body["consumer"]?.string ?? ""
        do {
            let done = try await intervene(call, of: consumer, sandbox, tenant) { intervention, db in
                let done = try sender.push(call.body, intervention, db)
                return (done, "a push was asked for: \(done.joined(separator: "; "))")
            }
            return Answer("push-taken", ["done": .array(done.map { .string($0) })])
        } catch let error as ConfigurationError {
            throw Problem(name: "configuration-invalid", detail: error.description, members: Self.violation(error))
        }
    }

    func listDevices(_ call: Call) async throws -> Answer {
        let sandbox = try sandbox(call)
        let senders = senders
        let devices = try await store.read { db in try senders.flatMap { try $0.devices(in: sandbox.id, db) } }
        return Answer("devices", ["devices": .array(devices)])
    }

    func listNotifications(_ call: Call) async throws -> Answer {
        let sandbox = try sandbox(call)
        let limit = call.number(query: "limit") ?? 1000
        guard let found = try await read(call, sandbox, limit: limit) else { throw await unknownDevice(call, sandbox) }
        return page(found, call)
    }

    /// Returns as soon as so many are there; the device need not be known yet.
    func waitForNotifications(_ call: Call) async throws -> Answer {
        let sandbox = try sandbox(call)
        let count = call.number(query: "count") ?? 1
        let timeout = min(call.query("timeout").flatMap { Duration(text: $0) } ?? .seconds(5), .seconds(300))
        let end = try await sandbox.journal.waits.wait(for: timeout, onHangUp: call.onHangUp) {
            let found = try await self.read(call, sandbox, limit: max(count, 1000)) ?? []
            return found.count >= count ? Optional(found) : .none
        }
        if let found = try found(end, in: sandbox) { return page(found, call) }
        let seen = try await read(call, sandbox, limit: count)
        throw Problem(
            name: "wait-timed-out",
            detail: "\(seen?.count ?? 0) of \(count) notifications came to device \(call.path("device").quoted) within \(timeout.words)"
                + (seen == nil ? "; no such device was ever registered" : ""),
            members: ["seen": .integer(Int64(seen?.count ?? 0)), "nearest": .array([])])
    }

    /// Goes on until the reader leaves, the sandbox is deleted or the server stops; the device need not be known yet.
    func streamNotifications(_ call: Call) throws -> Answer {
        let sandbox = try sandbox(call)
        let last = call.request.headers[.lastEventID]?.integer(in: Call.numbers)
        let since = last?.addingClamped(1) ?? call.number(query: "since") ?? 0
        guard !sandbox.journal.waits.areFull else { throw tooManyWaits(sandbox) }
        let stream = streams.open { [self] events in
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
        return Answer("notification-stream", body: .stream(stream), headers: [.cacheControl: "no-store"])
    }

    func readNotification(_ call: Call) async throws -> Answer {
        let notification = try await notification(call)
        guard call.query("form") == "apns" else { return Answer("notification", notification.json) }
        return Answer("apns-form", try simulatorFile(notification))
    }

    func readSimulatorFile(_ call: Call) async throws -> Answer {
        Answer("simulator-file", try simulatorFile(try await notification(call)))
    }

    private func simulatorFile(_ notification: DeviceNotification) throws -> JSON {
        guard let file = notification.simulatorFile else {
            throw Problem(name: "no-such-form", detail: "the device is no iOS device: there is no .apns file for it")
        }
        return file
    }

    private func notification(_ call: Call) async throws -> DeviceNotification {
        let sandbox = try sandbox(call)
        let number = call.number(path: "number")
        guard let found = try await read(call, sandbox, since: number, limit: 1) else { throw await unknownDevice(call, sandbox) }
        guard let notification = found.first, notification.number == number else {
            throw Problem(name: "notification-unknown", detail: "device \(call.path("device").quoted) has no notification \(number)")
        }
        return notification
    }

    private func read(_ call: Call, _ sandbox: Sandbox, since: Int? = nil, limit: Int) async throws -> [DeviceNotification]? {
        let senders = senders
        let since = since ?? call.number(query: "since") ?? 0
        let device = call.path("device")
        return try await store.read { db in
            for sender in senders {
                if let found = try sender.notifications(on: device, in: sandbox.id, since: since, limit: limit, db) { return found }
            }
            return nil
        }
    }

    private func page(_ found: [DeviceNotification], _ call: Call) -> Answer {
        let since = call.number(query: "since") ?? 0
        let next = found.last?.number.addingClamped(1) ?? max(since, 1)
        return Answer("notifications", ["notifications": .array(found.map(\.json)), "next": .integer(Int64(next))])
    }

    private func unknownDevice(_ call: Call, _ sandbox: Sandbox) async -> Problem {
        let senders = senders
        let device = call.path("device")
        let known = try? await store.read { db in
            try senders.flatMap { try $0.devices(in: sandbox.id, db) }.compactMap { $0["token"]?.string }
        }
        return Problem(
            name: "device-unknown", detail: "no device \(device.quoted) was ever registered in sandbox '\(sandbox.id)'",
            members: Self.nearest(Nearest.words(to: device, in: known ?? [])))
    }
}

extension HTTPField.Name {
    /// WHATWG HTML §9.2.4.
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
