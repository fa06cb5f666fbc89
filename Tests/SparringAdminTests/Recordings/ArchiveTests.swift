import Foundation
import HTTPTypes
import SparringJSON
import SparringJournal
import Testing

@testable import SparringAdmin

/// How archives are read, as several tools write them.
@Suite struct ArchiveTests {
    private static func archive(_ entry: String) throws -> Archive {
        try Archive(try JSON(parsing: #"{"log":{"version":"1.2","entries":[\#(entry)]}}"#))
    }

    private static let start = #""startedDateTime":"2026-01-31T12:00:00.000Z""#

    @Test func `a call is read with what surrounds it`() throws {
        let call = try #require(
            try Self.archive(
                #"""
                {"startedDateTime":"2026-01-31T13:00:00.250+01:00","time":12.5,"request":{"method":"POST","url":"https://a.example:8443/x?y=1#z",
                "headers":[{"name":":authority","value":"a.example"},{"name":"content-type","value":"text/plain"}],"postData":{"text":"hi"}},
                "response":{"status":201,"headers":[{"name":"Location","value":"/x"}],"content":{"size":2,"text":"b2s=","encoding":"base64"}}}
                """#
            ).calls.first)
        #expect(call.method == .post && call.scheme == "https" && call.authority == "a.example:8443" && call.target == "/x?y=1")
        #expect(call.started.description == "2026-01-31T12:00:00.250Z" && call.took == 12.5 && call.status == 201)
        #expect(call.headers.count == 1 && call.headers[.contentType] == "text/plain" && call.answerHeaders[.location] == "/x")
        #expect(call.body.bytes == Array("hi".utf8) && call.answerBody.bytes == Array("ok".utf8) && call.messages == nil)
    }

    @Test func `a URL in the query does not make a target an absolute one`() throws {
        let target = "/authorize?redirect_uri=https://liveperson.net"
        let entry = try JSON(
            parsing: #"""
                {"number":1,"kind":"exchange","arrival":{"wall":"2026-01-31T12:00:00.000Z","monotonic":1,"process":1},"sandboxTime":"2026-01-31T12:00:00.000Z",
                "request":{"method":"GET","target":"\#(target)","headers":{"Host":"localhost:8080"}},"answer":{"status":302,"headers":{}}}
                """#)
        let call = try #require(try Archive(ArchiveWriter([entry], of: nil, version: "1").json).calls.first)
        #expect(call.authority == "localhost:8080" && call.target == target)
    }

    @Test func `what an archive leaves out is not known`() throws {
        func call(_ request: String, _ response: String) throws -> Archive.Call {
            try #require(
                try Self.archive(
                    #"{\#(Self.start),"request":{"method":"POST","url":"http://a"\#(request)},"response":{"status":0\#(response)}}"#
                ).calls.first)
        }
        let none = try call("", "")
        #expect(none.target == "/" && none.status == nil && none.body.isKnown && none.answerBody.isKnown)
        let left = try call(#","bodySize":7"#, #","content":{"size":9}"#)
        #expect(!left.body.isKnown && !left.answerBody.isKnown)
        let form = try call(
            #","postData":{"mimeType":"application/x-www-form-urlencoded; charset=x","params":[{"name":"a","value":"1"},{"name":"b"}]}"#, ""
        )
        #expect(form.body.isKnown && form.body.bytes == Array("a=1&b=".utf8))
        let multipart = try call(#","postData":{"mimeType":"multipart/form-data","params":[{"name":"a","value":"1"}]}"#, "")
        #expect(!multipart.body.isKnown)
    }

    @Test func `the messages of a socket are read, and calls are in the order in which they began`() throws {
        let socket = #"""
            {"startedDateTime":"2026-01-31T12:00:01Z","request":{"method":"GET","url":"wss://a/s","headers":[]},"response":{"status":101},
            "_webSocketMessages":[{"type":"send","time":1769860801.5,"opcode":1,"data":"{}"},{"type":"receive","time":1769860802,"opcode":2,"data":"AAE="}]}
            """#
        let earlier = #"{\#(Self.start),"request":{"method":"GET","url":"https://a/"},"response":{"status":200}}"#
        let calls = try Self.archive(socket + "," + earlier).calls
        #expect(calls.map(\.index) == [1, 0])
        let messages = try #require(calls[1].messages)
        #expect(messages.map(\.isSent) == [true, false] && messages[1].isBinary && messages[1].bytes == [0, 1])
        #expect(messages[0].time.description == "2026-01-31T12:00:01.500Z")
    }

    @Test(arguments: [
        (#"{}"#, "/log/entries", "expected a list"), (#"{"log":{"entries":{}}}"#, "/log/entries", "expected a list"),
        (#"{"log":{"entries":[{}]}}"#, "/log/entries/0/request/url", "expected the URL"),
        (#"{"log":{"entries":[{"request":{"url":"file:///x"}}]}}"#, "/log/entries/0/request/url", "expected the URL"),
        (#"{"log":{"entries":[{"request":{"url":"http://a/"}}]}}"#, "/log/entries/0/request/method", "expected a method"),
        (
            #"{"log":{"entries":[{"request":{"url":"http://a/","method":"GET"},"startedDateTime":"now"}]}}"#,
            "/log/entries/0/startedDateTime", "a time"
        ),
        (
            #"{"log":{"entries":[{"request":{"url":"ws://a/","method":"GET"},"startedDateTime":"2026-01-31T12:00:00Z","_webSocketMessages":[{"type":"x"}]}]}}"#,
            "/log/entries/0/_webSocketMessages/0/type", "'send' or 'receive'"
        ),
    ])
    func `what is no archive is refused where it is wrong`(text: String, pointer: String, words: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try Archive(try JSON(parsing: text)) }
        #expect("\(error.pointer)" == pointer && error.message.contains(words), "\(error)")
    }
}
