import HTTPTypes
import SparringJSON
import Support
import Testing

extension Incident {
    static let pushes = [
        Incident("pusher-down-for-31s") { stage async throws in
            let phone = try await Phone(stage.scene)
            for wait in [1, 2, 4, 8, 16] {
                #expect(try await phone.register().status == 503)
                try await stage.advance("\(wait)s")
            }
            #expect(try await phone.register().status == 201)
            let other = try await Phone(stage.scene, "grace", device: "phone-2")
            #expect(try await other.register().status == 503, "each consumer for themselves")
        },
        Incident("pusher-down-for-good") { stage async throws in
            let phone = try await Phone(stage.scene)
            for _ in 1...6 {
                #expect(try await phone.register().status == 503)
                #expect(try await phone.unregister().status == 503)
                #expect(try await phone.send(.get, "unread?appId=test.brand.app").status == 503)
                try await stage.advance("10m")
            }
        },
        Incident("registration-refused-as-expired") { stage async throws in
            let phone = try await Phone(stage.scene)
            #expect(try await phone.register().status == 401)
            #expect(try await Phone(stage.scene).register().status == 201)
        },
        Incident("unregister-fails-twice-at-sign-out") { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            for status in [503, 503, 204] { #expect(try await phone.unregister().status == status) }
            #expect(try await phone.isRegistered() == false)
        },
        Incident("unregister-lost") { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            for _ in 1...2 { await #expect(throws: Disturbed.closed) { try await phone.unregister() } }
            #expect(try await phone.isRegistered() == true)
            // The next user of the phone reads what is for the last.
            try await Phone(stage.scene, "eve").register()
            try await phone.proactive()
            #expect(try await phone.texts().count == 1)
            #expect(try await stage.scene.attempts().last?["findings"]?.array?.first?["code"] == "leak")
        },
        Incident("unregister-answer-lost") { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            await #expect(throws: Disturbed.reset) { try await phone.unregister() }
            #expect(try await phone.isRegistered() == false)
            #expect(try await phone.unregister().status == 204)
        },
        Incident("unread-count-fails-three-times") { stage async throws in
            let phone = try await Phone(stage.scene)
            for status in [500, 500, 500, 200] { #expect(try await phone.send(.get, "unread?appId=test.brand.app").status == status) }
        },
        Incident("push-arrives-30s-late") { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            try await phone.proactive("late")
            try await stage.advance("29s")
            #expect(try await phone.texts() == [])
            try await stage.advance("1s")
            #expect(try await phone.texts() == ["Brand: late"])
        },
        Incident("push-never-arrives") { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            try await phone.message("lost", 1)
            try await stage.advance("1m")
            #expect(try await phone.texts() == [])
            #expect(try await stage.scene.attempts().map { $0.cause.hasSuffix("given up") } == [false, false, false, true])
            #expect(try await phone.unread()?["total"] == 1)
        },
        Incident("push-token-changes") { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            try await stage.advance("60s")
            var renewed = phone
            renewed.device = "a-new-token"
            try await stage.advance("30s")
            #expect(try await renewed.texts() == [], "it went to the token that nobody has any more")
            try await renewed.register()
            try await renewed.proactive("again")
            #expect(try await renewed.texts() == ["Brand: again"])
        },
        Incident("push-of-the-brands-own") { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            try await stage.advance("90s")
            let notifications = try await phone.notifications()
            #expect(notifications.map { $0["text"] } == ["Twenty percent off", "Brand: Your parcel waits"])
            #expect(notifications.map { $0["payload"]?["brandId"] != nil } == [false, true])
        },
        Incident("duplicate-push") { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            try await phone.message("twice", 1)
            #expect(try await phone.texts() == ["Agent: twice"])
            try await stage.advance("10s")
            let notifications = try await phone.notifications()
            #expect(notifications.count == 2 && notifications[0]["payload"] == notifications[1]["payload"])
        },
    ]
}
