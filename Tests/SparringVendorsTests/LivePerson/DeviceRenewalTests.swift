import GRDB
import HTTPTypes
import LivePersonVendor
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Devices that LivePerson pushes to, in the inbox of all vendors.
@Suite struct DeviceRenewalTests {
    @Test func `a push to a token that its device no longer has does not arrive, until the app registers the new one`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene)
            try await phone.register()
            try await phone.proactive("before")
            #expect(try await phone.notifications().count == 1)
            let renewed = try await server.admin(.post, "devices/of:\(phone.subject)/token", ["token": "phone-9"], sandbox: scene.sandbox)
            #expect(renewed == ["token": "phone-9"])

            try await phone.proactive("lost")
            func inbox() async throws -> [JSON?] {
                try await server.admin(.get, "devices/phone-9/notifications", sandbox: scene.sandbox)["notifications"]?.array?
                    .map { $0["text"] } ?? []
            }
            #expect(try await inbox() == ["Brand: before"], "what came before the renewal came along")
            try await until {
                try await server.journal("?operation=liveperson.deliverPush", sandbox: scene.sandbox).contains {
                    $0["cause"]?.string?.contains("now has the token 'phone-9'") == true
                }
            }

            var again = phone
            again.device = "phone-9"
            try await again.register()
            try await again.proactive("after")
            try await until { try await inbox() == ["Brand: before", "Brand: after"] }
        }
    }

    @Test func `a device without its owner's name is that of the only consumer who has one`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            func renew() async throws -> (status: Int, text: String) {
                let answer = try await server.send(
                    .post, "/__admin/sandboxes/\(scene.sandbox)/devices/of:*/token", json: ["token": "phone-9"])
                return (answer.status, answer.text)
            }
            let early = try await renew()
            #expect(early.status == 404 && early.text.contains("no device is registered for any consumer"), "\(early)")
            try await Phone(scene).register()
            let done = try await renew()
            #expect(done.status == 200 && done.text.contains("phone-9"), "\(done)")
            for (subject, device) in [("ada", "phone-3"), ("eve", "phone-2")] {
                try await Phone(scene, subject, device: device).register()
            }
            let several = try await renew()
            #expect(several.status == 404 && several.text.contains("2 consumers have devices"), "\(several)")
            #expect(several.text.contains("of:ada") && several.text.contains("of:eve"), "\(several)")
        }
    }

    /// The database comes from a build that is older than the engine's devices.
    @Test func `devices and notifications of an older database are taken over`() async throws {
        try await TemporaryFolder.database { database in
            var shown: (devices: JSON, notifications: JSON) = ([:], [:])
            func look(_ server: TestServer) async throws -> (devices: JSON, notifications: JSON) {
                (try await server.admin(.get, "devices"), try await server.admin(.get, "devices/phone-1/notifications"))
            }
            try await TestServer.run(.pipeline, database: database) { server in
                let phone = try await Phone(try await Scene(server))
                try await phone.register()
                try await phone.proactive("hello")
                _ = try await phone.notifications()
                shown = try await look(server)
            }
            let posted = try #require(
                try Dump.read(database) { db in
                    try String.fetchAll(db, sql: "SELECT CAST(record AS TEXT) FROM journal WHERE operation = 'liveperson.deliverPush'")
                }.compactMap { try? JSON(parsing: $0) }.first?["request"]?["body"]?.string)
            try Dump.change(database) { db in
                try db.execute(
                    sql: """
                        CREATE TABLE liveperson_push_device (sandbox TEXT, token TEXT, app TEXT, push_type TEXT, owner TEXT, owner_subject TEXT);
                        INSERT INTO liveperson_push_device SELECT sandbox, token, app, push_type, owner, consumer FROM device;
                        CREATE TABLE liveperson_push_notification (
                          sandbox TEXT, device TEXT, number INTEGER, time INTEGER, consumer TEXT, posted TEXT);
                        """)
                try db.execute(
                    sql: """
                        INSERT INTO liveperson_push_notification
                        SELECT sandbox, device, number, time, content ->> 'consumer', ? FROM device_notification
                        """, arguments: [posted])
                try db.execute(
                    sql: """
                        DROP TABLE device; DROP TABLE device_notification;
                        DELETE FROM grdb_migrations WHERE identifier IN ('engine.devices.1', 'liveperson.pusher.2');
                        """)
            }
            try await TestServer.run(.pipeline, database: database) { server in
                let after = try await look(server)
                #expect(after.devices == shown.devices && after.notifications == shown.notifications, "\(after)")
                #expect(after.notifications["notifications"]?.array?.count == 1)
            }
        }
    }
}
