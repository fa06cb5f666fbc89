import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Brands of two sandboxes are worlds of their own, whatever their customers and threads are called.
@Suite struct ChatIsolationTests {
    private static let customers = 8

    @Test func `customers and threads that are called the same in two sandboxes share nothing`() async throws {
        try await ChatScene.run { scene in
            let other = ChatScene(server: scene.server, brand: "2772", sandbox: "other")
            let tenants = ChatScene.tenants(brand: ["brandId": "2772"]).merging(["identity": ["tenantId": "other-brand"]]) { $1 }
            let clock: JSON = ["mode": "frozen", "now": "2027-06-01T00:00:00Z"]
            let made = try await scene.server.send(
                .post, "/__admin/sandboxes", json: ["name": "other", "seed": 2, "clock": clock, "tenants": .object(tenants)])
            try #require(made.status == 201, "\(made.text)")
            try await scene.arm("cxone.sendMessage sending-message-failed every=2 per=lane")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for scene in [scene, other] {
                    for number in 0..<Self.customers { group.addTask { try await Self.talk(scene, number) } }
                }
                try await group.waitForAll()
            }
            for (scene, year) in [(scene, "2026"), (other, "2027")] {
                let entries = try await scene.server.journal("?limit=10000", sandbox: scene.sandbox)
                let messages = entries.filter { $0["operation"] == "cxone.sendMessage" }
                #expect(messages.count == Self.customers * 4)
                let numbers = entries.compactMap { $0["number"]?.integer }
                #expect(numbers == Array(1...Int64(entries.count)))
                #expect(messages.count { $0["faults"] != nil } == (year == "2026" ? Self.customers * 2 : 0))
                for entry in entries {
                    #expect(entry["sandboxTime"]?.string?.hasPrefix(year) == true)
                    if let body = entry["request"]?["body"]?.string { #expect(body.contains("\"id\":\(scene.brand)")) }
                }
            }
        }
    }

    /// Writes four times, and finds in the thread what was taken, and nothing else.
    private static func talk(_ scene: ChatScene, _ number: Int) async throws {
        let chatter = try await scene.chatter(.single, "u\(number)")
        let isStruck = scene.sandbox == "default"
        for message in 0..<4 {
            let answer = try await chatter.say("\(scene.brand) \(message)", number * 10 + message, in: number)
            #expect((answer.errorWords != nil) == (isStruck && message % 2 == 0), "\(answer.text)")
        }
        let data = try await chatter.send("RecoverThread", ["thread": Chatter.thread(number)])["postback"]?["data"]
        let texts = data?["messages"]?.array?.map { $0["messageContent"]?["payload"]?["text"]?.string }
        #expect(texts == (isStruck ? [3, 1] : [3, 2, 1, 0]).map { "\(scene.brand) \($0)" })
    }
}
