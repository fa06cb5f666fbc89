import HTTPTypes
import SparringJSON
import Support
import Testing

extension Incident {
    static let others = [
        Incident("domain-lookup-fails-once") { stage async throws in
            #expect(try await stage.lookUp().status == 503)
            #expect(try await stage.lookUp().status == 200)
        },
        Incident("domain-lookup-fails-for-ever") { stage async throws in
            for _ in 1...6 {
                #expect(try await stage.lookUp().status == 503)
                try await stage.advance("1h")
            }
        },
        Incident("engagement-without-details") { stage async throws in
            let answer = try await Visitor(stage.scene).fetch()
            #expect(answer.status == 201 && answer.json?["engagementDetails"] == nil, "\(answer.text)")
            #expect(answer.json?["visitorId"]?.string != nil && answer.json?["sessionId"]?.string != nil)
        },
        Incident("monitoring-loads-the-account") { stage async throws in
            var visitor = Visitor(stage.scene)
            for _ in 1...2 {
                let answer = try await visitor.fetch()
                #expect(answer.status == 500)
                let vid = answer.json?["message"]?.string?.firstMatch(of: /^Loading account: acme, vid: (\S+)$/)?.output.1
                visitor.vid = String(try #require(vid, "\(answer.text)"))
            }
            let answer = try await visitor.fetch()
            #expect(answer.status == 201 && answer.json?["visitorId"]?.string == visitor.vid)
        },
        Incident("monitoring-down-for-good") { stage async throws in
            let visitor = Visitor(stage.scene)
            for _ in 1...7 { #expect(try await visitor.fetch().status == 503) }
        },
        Incident("gateway-says-502-without-a-body") { stage async throws in
            func round() async throws -> [Int] {
                var statuses: [Int] = []
                let token = try await stage.scene.mint(["form": "jwt"])
                for _ in 1...40 {
                    let answer = try await stage.scene.signIn(.v2, token: token)
                    if answer.status == 502 { #expect(answer.body.isEmpty && answer.headers[.contentType] == nil) }
                    statuses.append(answer.status)
                }
                return statuses
            }
            let first = try await round()
            #expect(Set(first) == [200, 502])
            try await stage.server.admin(.post, "reset")
            #expect(try await round() == first)
        },
        Incident("one-call-in-five-is-reset") { stage async throws in
            func round() async throws -> String {
                var pattern = ""
                let token = try await stage.scene.mint(["form": "jwt"])
                for _ in 1...40 {
                    do { pattern += try await stage.signIn(token) == "200" ? "." : "?" } catch Disturbed.reset { pattern += "x" }
                }
                return pattern
            }
            let first = try await round()
            #expect(Set(first) == [".", "x"])
            try await stage.server.admin(.post, "reset")
            #expect(try await round() == first)
        },
    ]
}
