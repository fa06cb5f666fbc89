import Foundation
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringJSON
import SparringTestKit
import Support
import Testing

/// The pusher, moved to other paths and given other names by the overlay that ships: what comes back, what faults do and what rules say stays the same.
@Suite struct PusherOverlayTests {
    private static let old = "/mock/pusher/account/"
    private static let transcripts = TranscriptTests.all.filter { text(of: $0).contains(old) }

    private static func text(of name: String) -> String {
        (try? String(contentsOfFile: Repository.folder("fixtures/transcripts") + "/" + name, encoding: .utf8)) ?? ""
    }

    private static let overlay = Result {
        try Overlay(file: Repository.folder("fixtures/overlays") + "/liveperson-pusher.overlay.yaml")
    }

    /// Read once, for all transcripts.
    private static let overlaid = Result {
        let vendors = try Cast.shipped.get().make
        return try Cast(folder: Repository.folder("contracts"), overlays: [try overlay.get()], make: vendors)
    }

    @Test(arguments: transcripts)
    func `Its transcripts come again by the new paths and names`(_ name: String) async throws {
        let text = Self.text(of: name)
        let moved = try Self.moved(text)
        #expect(!moved.contains("/mock/pusher/"))
        let (plain, old) = try await Self.play(text, cast: nil)
        let (played, new) = try await Self.play(moved, cast: try Self.overlaid.get())
        #expect(Self.named(played) == moved)
        #expect(plain == text)
        #expect(old == new, "the rules say something else")
    }

    @Test func `Faults find a member by the name that ships, and by its new one`() async throws {
        let overlay = try Self.overlay.get()
        for member in ["deviceToken", "token"] {
            try await TestServer.run(.pipeline, tenants: acme, configure: { $0.overlays = [overlay] }) { server in
                func register(_ token: String) async throws -> Int {
                    try await server.send(
                        .put, "/api/account/acme/devices", headers: [.contentType: "application/json"],
                        body: Array(#"{"application":"app","token":"\#(token)","platform":"APNS"}"#.utf8)
                    ).status
                }
                let fault = "liveperson.registerPush status code=503 body:/\(member)=a*"
                _ = try await server.admin(.post, "faults", ["fault": .string(fault)])
                #expect(try await register("b1") == 401)
                #expect(try await register("a1") == 503)
            }
        }
    }

    @Test func `A member that only has lost its name is said when the overlay is read`() throws {
        let text = """
            overlay: 1.1.0
            info: { title: T, version: '1' }
            extends: liveperson.openapi.yaml
            actions:
              - { target: $.components.schemas.PushRegistration, update: { properties: { token: { type: string } } } }
              - { target: $.components.schemas.PushRegistration.properties.deviceToken, remove: true }
            """
        let folder = try ContractFolder(path: Repository.folder("contracts"), overlays: [try Overlay(parsing: text, file: "own.yaml")])
        let words = folder.warnings.map(\.message)
        #expect(
            words == [
                "registerPush: body:/deviceToken is gone and body:/token is new: what has only another name needs x-stands-for, "
                    + "such as 'x-stands-for: deviceToken', or Sparring does not find it"
            ])
    }

    /// Ids of registrations by their order, which the player knows only by the name that ships.
    private static func named(_ text: String) -> String {
        var named = text
        let pattern = #/< \{"id":"([0-9a-f-]{36})"\}/#
        for (index, id) in text.matches(of: pattern).map({ String($0.output.1) }).uniqued().enumerated() {
            named = named.replacing(id, with: "{registration-\(index + 1)}")
        }
        return named
    }

    // MARK: The map

    private static func play(_ text: String, cast: Cast?) async throws -> (text: String, verdicts: [String]) {
        let transcript = try Transcript(text)
        return try await TestServer.run(.pipeline, tenants: transcript.tenants.object ?? [:], cast: cast) { server in
            let played = try await TranscriptPlayer(server, isRecording: false).play(transcript)
            let report = try await server.admin(.post, "verdicts", ["timeBasis": "sandbox"])
            let verdicts = report["verdicts"]?.array ?? []
            return (played, verdicts.map { "\($0["rule"]?.string ?? "") \($0["result"]?.string ?? "")" })
        }
    }

    /// The transcript as it is by the new paths and names.
    private static func moved(_ text: String) throws -> String {
        var lines: [String] = []
        for part in try Transcript(text).parts {
            switch part {
            case .text(let line): lines.append(line)
            case .step(var step):
                if step.actor == ">", step.client[0].contains(old) { step = moved(step) }
                let mark = step.actor == "*" || step.actor == ">" ? step.actor : "\(step.actor)>"
                lines += step.client.map { $0.isEmpty ? mark : "\(mark) \($0)" } + step.server
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func moved(_ step: Transcript.Step) -> Transcript.Step {
        var step = step
        let request = step.request()
        let (path, query) = { ($0.first ?? "", $0.count > 1 ? $0[1] : "") }(
            request.target.split(separator: "?", maxSplits: 1).map(String.init))
        let words = path.dropFirst(old.count).split(separator: "/").map(String.init)
        let base = "/api/account/\(words[0])"
        func line(_ path: String, _ query: [String]) -> String {
            let query = query.filter { !$0.isEmpty }.joined(separator: "&")
            return "\(request.method) \(base)\(path)\(query.isEmpty ? "" : "?" + query)"
        }
        switch request.method {
        case "PUT":
            step.client[0] = line("/devices", [query])
            for index in step.client.indices where step.client[index].hasPrefix("{") {
                var body = step.client[index]
                for (from, to) in [("deviceToken", "token"), ("pushType", "platform"), ("lang", "locale")] {
                    body = body.replacing("\"\(from)\"", with: "\"\(to)\"")
                }
                step.client[index] = #"{"application": "\#(words[2])", "# + body.dropFirst()
            }
            step.server = step.server.map { $0.replacing("\"registrationId\"", with: "\"id\"") }
        case "DELETE": step.client[0] = line("/devices", ["application=\(words[2])", query.replacing("type=", with: "scope=")])
        default:
            if words[1] == "unread" {
                step.client[0] = line("/badge", [query.replacing("appId=", with: "application=")])
            } else {
                step.client[0] = line("/devices/\(query.replacing("deviceToken=", with: ""))", ["application=\(words[2])"])
            }
            for (from, to) in [("registered", "active"), ("total", "badge"), ("conversations", "perConversation")] {
                step.server = step.server.map { $0.replacing("\"\(from)\"", with: "\"\(to)\"") }
            }
        }
        return step
    }
}

extension Sequence where Element: Hashable {
    fileprivate func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
