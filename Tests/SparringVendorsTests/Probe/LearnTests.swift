import HTTPTypes
import SparringAdmin
import SparringContract
import SparringJSON
import SparringJournal
import SparringTestKit
import Support
import Testing

/// The proposals that result from a browser's archive of a vendor's traffic.
@Suite struct LearnTests {
    private static let status = "https://api.vendor.example/chat/v1/status"

    private static func learn(_ calls: [JSON]) async throws -> Proposals {
        try await ProbeStage().learn(try Archive(["log": ["entries": .array(calls)]]), hosts: ["api.vendor.example"]).proposals
    }

    private static func words(_ proposals: Proposals) -> [String] { proposals.all.map { "\($0.operation): \($0.words)" } }

    /// The contracts with all that was proposed.
    private static func folder(_ proposals: Proposals) throws -> ContractFolder {
        let overlays = try Proposals.documents(of: proposals.all).map {
            try Overlay(parsing: Proposals.overlay(of: $0, proposals.all, version: "test"), file: $0)
        }
        return try ContractFolder(path: Cast.folder, overlays: overlays)
    }

    @Test func `what an archive has once is proposed, with its place and how often it was seen`() async throws {
        let refusal = #"{"error":{"requestId":"8e033668-9f1a-4ec0-b909-0242ac120002","message":"No session","retryable":false}}"#
        let proposals = try await Self.learn(Array(repeating: Traffic.call(.get, Self.status, 401, refusal.utf8), count: 2))
        let words = Self.words(proposals)
        #expect(words.contains("asapp.readStatus: answer $.error.retryable may be there, a value of type boolean"), "\(words)")
        #expect(words.contains("asapp: api.vendor.example is a host of the vendor's"))
        let seen = try #require(proposals.all.first { $0.words.contains("retryable may be there") })
        #expect(seen.observed.times == 2 && seen.observed.of == 2 && seen.document == "asapp.openapi.yaml")
        #expect(seen.observed.first.description == "2026-11-29T10:00:00.000Z")
        let folder = try Self.folder(proposals)
        #expect(folder.warnings.isEmpty)
        #expect(folder.contracts.first { $0.vendor == "asapp" }?.vendorHosts.contains { $0.matches(host: "api.vendor.example") } == true)
    }

    @Test func `a status that the contract does not have becomes an answer`() async throws {
        let proposals = try await Self.learn([Traffic.call(.get, Self.status, 418, #"{"short":"and stout"}"#.utf8)])
        #expect(Self.words(proposals).contains("asapp.readStatus: there is an answer with status 418"), "\(Self.words(proposals))")
        let operation = try Self.folder(proposals).contracts.first { $0.vendor == "asapp" }?.operation("readStatus")
        #expect(operation?.answers.contains { $0.status == 418 && $0.name == "seen-418" && $0.isUnhappy } == true)
    }

    @Test func `an unknown call becomes a stub with the answer that was recorded`() async throws {
        let url = "https://api.vendor.example/chat/v1/settings"
        let proposals = try await Self.learn([
            Traffic.call(.get, Self.status, 401, "{}".utf8), Traffic.call(.get, url, 200, #"{"theme":"dark"}"#.utf8),
        ])
        let stub = try #require(proposals.all.first { $0.words == "the vendor answers GET /chat/v1/settings" })
        let operation = try Self.folder(proposals).contracts.first { $0.vendor == "asapp" }?.operations.first {
            $0.qualifiedName == stub.operation
        }
        #expect(operation?.stub != nil && operation?.answers.first?.example == ["theme": "dark"], "\(Self.words(proposals))")
    }

    @Test func `a proposal has no credential in it`() async throws {
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLWEtdG9rZW4"
        let known = Traffic.call(.get, Self.status, 401, "{}".utf8)
        let proposals = try await Self.learn([
            known, Traffic.call(.get, "https://api.vendor.example/chat/v1/keys/\(token)", 200, #"{"theme":"dark"}"#.utf8),
            Traffic.call(.get, "https://api.vendor.example/chat/v1/settings", 200, #"{"sessionToken":"\#(token)"}"#.utf8),
        ])
        #expect(!proposals.json.text.contains("c2lnbmF0dXJl"), "\(proposals.json.text)")
        #expect(proposals.left.contains { $0.contains("a credential is in its path") })
    }

    @Test func `what differs only sometimes is named and not proposed`() async throws {
        let own = try await Self.lookup()
        var other = own
        other["weight"] = 3
        let url = "https://api.vendor.example\(Self.path)"
        let proposals = try await Self.learn([own, other].map { Traffic.call(.get, url, 200, $0.bytes) })
        #expect(!proposals.all.contains { $0.kind == .sparring && $0.words.contains("weight") }, "\(Self.words(proposals))")
        #expect(proposals.left.contains { $0.contains("body.weight") && $0.hasSuffix("in 1 of 2") }, "\(proposals.left)")
    }

    private static let path = "/api/account/12345678/service/baseURI.json?version=1.0"

    /// Sparring's own answer to a domain lookup.
    private static func lookup() async throws -> JSON {
        let answer = try await TestServer.run(.pipeline, tenants: ["liveperson": ["accountId": "12345678"]]) {
            try await $0.send(.get, path)
        }
        return try #require(answer.json)
    }

    @Test(arguments: [true, false]) func `what only some items of a list have is the contract's, and not sent`(_ isAll: Bool) async throws {
        var body = try await Self.lookup()
        var items = try #require(body["baseURIs"]?.array)
        #expect(items.count > 2)
        for index in items.indices.prefix(isAll ? items.count : 1) { items[index]["weight"] = 3 }
        body["baseURIs"] = .array(items)
        let proposals = try await Self.learn([Traffic.call(.get, "https://api.vendor.example\(Self.path)", 200, body.bytes)])
        let words = Self.words(proposals).filter { $0.contains("weight") }
        #expect(words.first?.contains("$.baseURIs[*].weight may be there") == true && words.count == (isAll ? 2 : 1), "\(words)")
        #expect(proposals.left.contains { $0.contains("weight") } != isAll)
    }

    @Test(arguments: [429, 502, 503, 504]) func `a vendor that cannot answer teaches nothing`(_ status: Int) async throws {
        let proposals = try await Self.learn([Traffic.call(.get, Self.status, status, "busy".utf8, type: "text/plain")])
        #expect(proposals.all.allSatisfy { $0.words.contains("is a host") }, "\(Self.words(proposals))")
    }

    @Test func `a vendor that refuses what Sparring does not teaches nothing of its success`() async throws {
        let url = "https://api.vendor.example/.well-known/apple-app-site-association"
        let proposals = try await Self.learn([Traffic.call(.get, url, 404, #"{"message":"no Route matched"}"#.utf8)])
        #expect(!proposals.all.contains { $0.kind == .sparring }, "\(Self.words(proposals))")
    }

    @Test(
        arguments: [
            ("{}", "proposals"), (#"{"proposals":[{"kind":"sparring"}]}"#, "proposals[0]"),
            (#"{"proposals":[{"kind":"setting","words":"w","observed":{"times":1,"of":1,"first":"x","last":"y"}}]}"#, "proposals[0]"),
        ])
    func `a file that has no proposals is refused`(_ text: String, _ place: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try Proposals(JSON(parsing: text)) }
        #expect(error.map { "\($0.pointer)" }?.contains(place.replacing("[0]", with: "")) == true)
    }

    @Test(arguments: ["asapp", "liveperson"]) func `with a contract that allows more the transcripts still play`(_ vendor: String)
        async throws
    {
        let refusal = #"{"error":{"requestId":"8e033668-9f1a-4ec0-b909-0242ac120002","message":"No session","retryable":false}}"#
        let proposals = try await Self.learn([Traffic.call(.get, Self.status, 401, refusal.utf8)])
        var stage = try ProbeStage()
        let accepted = proposals.all.filter { $0.kind == .contract }
        let overlays = try Proposals.documents(of: accepted).map {
            try Overlay(parsing: Proposals.overlay(of: $0, accepted, version: "test"), file: $0)
        }
        stage.cast = try Cast(folder: Cast.folder, overlays: overlays, make: stage.cast.make)
        for name in TranscriptTests.all where name.hasPrefix(vendor + "/ios-pu") {
            let script = try ProbeStage.script(String(name.dropLast(4)))
            let report = try await TestServer.run(.socket, clock: nil, tenants: script.tenants) { [stage] in
                try await stage.probe([script], at: $0)
            }
            #expect(report.exitStatus == 0)
        }
    }
}
