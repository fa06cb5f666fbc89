import Crypto
import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Files of all vendors over the wire: validators, conditional requests and ranges (RFC 9110 §8.8, §13 and §14).
@Suite struct ServedFileTests {
    enum Shelf: String, CaseIterable, Sendable {
        case attachment = "cxone.fetchAttachment"
        case largeEvent = "cxone.fetchLargeEvent"
        case hostedFile = "liveperson.downloadFile"
        case media = "khoros.fetchFile"
        case appleLinks = "liveperson.readAppleAppSiteAssociation"
        case androidLinks = "liveperson.readAssetLinks"

        var knowsDate: Bool { self != .appleLinks && self != .androidLinks }
        /// OpenStack Swift gives its tags without quotes, and does not read If-Range.
        var isSwift: Bool { self == .hostedFile }

        /// - Parameter body: gets the server and the file's target.
        func run(_ body: (TestServer, String) async throws -> Void) async throws {
            switch self {
            case .attachment:
                try await ChatScene.run { scene in
                    let answer = try await scene.server.send(
                        .post, "/chat/1.0/brand/1386/channel/chat_single/attachment",
                        json: ["content": "/9j/4AAQSkZJRgABAQ==", "fileName": "a.jpg", "mimeType": "image/jpeg"])
                    try await body(scene.server, try Self.target(answer.json?["fileUrl"], scene.server))
                }
            case .largeEvent:
                try await ChatScene.run(brand: ["largestFrame": 3000]) { scene in
                    let chatter = try await scene.chatter(.single, "ada")
                    _ = try await chatter.say(String(repeating: "long ", count: 400), 1)
                    let event = try await chatter.pushed("EventInS3")
                    try await body(scene.server, try Self.target(event["data"]?["s3Object"]?["url"], scene.server))
                }
            case .hostedFile:
                try await FileScene.run { files in
                    let place = try await files.upload()
                    try await body(files.server, try FileScene.Place(try await files.askDownload(place.path)).target)
                }
            case .media:
                try await MessengerScene.run { scene in
                    let ann = try await scene.member("ann")
                    let conversation = try await ann.begin("hello")
                    try await scene.act(
                        "file", ["consumer": "ann", "fileName": "a.txt", "mimeType": "text/plain", "content": "aOlsbG8gd29ybGQ="])
                    let read = try await ann.call(.get, "/conversations/\(conversation)/messages").json?["messages"]?.array?.last
                    try await body(scene.server, try Self.target(read?["mediaUrl"], scene.server))
                }
            case .appleLinks: try await TestServer.run { try await body($0, "/.well-known/apple-app-site-association") }
            case .androidLinks: try await TestServer.run { try await body($0, "/.well-known/assetlinks.json") }
            }
        }

        private static func target(_ url: JSON?, _ server: TestServer) throws -> String {
            let url = try #require(url?.string)
            let base = server.addresses.baseURL
            try #require(url.hasPrefix(base + "/"), "\(url)")
            return String(url.dropFirst(base.count))
        }
    }

    @Test(arguments: Shelf.allCases) func `a file has its MD5 for a tag and its date, and says that it is served in parts`(_ shelf: Shelf)
        async throws
    {
        try await shelf.run { server, target in
            let whole = try await server.send(.get, target)
            let md5 = Insecure.MD5.hash(data: whole.body).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
            #expect(whole.status == 200 && whole.headers[.eTag] == (shelf.isSwift ? md5 : "\"\(md5)\""))
            #expect(whole.headers[.acceptRanges] == "bytes")
            #expect(whole.headers[.lastModified] == (shelf.knowsDate ? "Thu, 01 Jan 2026 00:00:00 GMT" : nil))
            let head = try await server.send(.head, target, headers: [.range: "bytes=0-1"])
            #expect(head.status == 200 && head.body == [] && head.headers[.contentLength] == String(whole.body.count))
            #expect(head.headers[.eTag] == whole.headers[.eTag] && head.headers[.acceptRanges] == "bytes")
            #expect(try await server.journal("?kind=finding") == [])
        }
    }

    @Test(arguments: Shelf.allCases) func `a part of a file, the rest of it, and its end`(_ shelf: Shelf) async throws {
        try await shelf.run { server, target in
            let whole = try await server.send(.get, target)
            let size = whole.body.count
            for (range, expected) in [
                ("bytes=0-4", 0..<5), ("bytes=2-2", 2..<3), ("bytes=3-", 3..<size), ("bytes=-3", size - 3..<size),
                ("bytes=1-99999999", 1..<size),
            ] {
                let part = try await server.send(.get, target, headers: [.range: range])
                #expect(part.status == 206 && part.body == Array(whole.body[expected]), "\(range)")
                #expect(part.headers[.contentRange] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(size)")
                #expect(part.headers[.contentLength] == String(expected.count))
                #expect(part.headers[.contentType] == whole.headers[.contentType] && part.headers[.eTag] == whole.headers[.eTag])
                #expect(try await server.newest(shelf.rawValue)["answer"]?["name"]?.string?.contains("-part-") == true)
            }
            for range in ["bytes=\(size)-", "bytes=-0"] {
                let beyond = try await server.send(.get, target, headers: [.range: range])
                #expect(beyond.status == 416 && beyond.headers[.contentRange] == "bytes */\(size)" && beyond.body == [], "\(range)")
                #expect(try await server.newest(shelf.rawValue).cause == "Range '\(range)' is outside the file, which has \(size) bytes")
            }
            for range in ["bytes=0-1,3-4", "bytes=4-3", "lines=1-2", "nonsense"] {
                let ignored = try await server.send(.get, target, headers: [.range: range])
                #expect(ignored.status == 200 && ignored.body == whole.body && ignored.headers[.contentRange] == nil, "\(range)")
            }
            #expect(try await server.newest(shelf.rawValue).cause.hasSuffix("it is not a single range of bytes (RFC 9110 §14.2)"))
            #expect(try await server.journal("?kind=finding") == [])
        }
    }

    @Test(arguments: Shelf.allCases) func `what the client has already is not sent again, and another file than it means is refused`(
        _ shelf: Shelf
    ) async throws {
        try await shelf.run { server, target in
            let whole = try await server.send(.get, target)
            let tag = try #require(whole.headers[.eTag])
            for method in [HTTPRequest.Method.get, .head] {
                let unmodified = try await server.send(method, target, headers: [.ifNoneMatch: "\"other\", \(tag)"])
                #expect(unmodified.status == 304 && unmodified.body == [] && unmodified.headers[.eTag] == tag, "\(method)")
                #expect(unmodified.headers[.contentType] == nil)
                // RFC 9110 §8.6: none but that of the file.
                #expect(unmodified.headers[.contentLength] == String(whole.body.count))
                let entry = try await server.newest(shelf.rawValue)
                #expect(entry["answer"]?["name"] == "not-modified" && entry["answer"]?["body"] == nil && entry["answer"]?["bodyHex"] == nil)
                #expect(try await server.send(method, target, headers: [.ifMatch: "\"other\""]).status == 412)
                #expect(try await server.send(method, target, headers: [.ifMatch: tag, .ifNoneMatch: "\"other\""]).status == 200)
                guard let date = whole.headers[.lastModified] else { continue }
                #expect(try await server.send(method, target, headers: [.ifModifiedSince: date]).status == 304)
                let earlier = "Wed, 31 Dec 2025 23:59:59 GMT"
                #expect(try await server.send(method, target, headers: [.ifModifiedSince: earlier]).status == 200)
                #expect(try await server.send(method, target, headers: [.ifUnmodifiedSince: earlier]).status == 412)
                #expect(try await server.send(method, target, headers: [.ifUnmodifiedSince: "soon"]).status == 200)
            }
            for (condition, isMet) in [(tag, true), ("\"other\"", shelf.isSwift)] {
                let answer = try await server.send(.get, target, headers: [.ifRange: condition, .range: "bytes=0-1"])
                #expect(answer.status == (isMet ? 206 : 200), "\(condition)")
            }
            #expect(try await server.journal("?kind=finding") == [])
        }
    }

    @Test func `a replaced file has another tag, and the rest of the earlier one is refused`() async throws {
        try await FileScene.run { files in
            let place = try FileScene.Place(try await files.askUpload())
            #expect(try await files.put(FileScene.png(300), place.target).status == 201)
            let target = try FileScene.Place(try await files.askDownload(place.path)).target
            let tag = try #require(try await files.server.send(.get, target).headers[.eTag])
            #expect(try await files.put(FileScene.png(299), place.target).status == 201)
            let rest = try await files.server.send(.get, target, headers: [.ifMatch: tag, .range: "bytes=100-"])
            #expect(rest.status == 412)
            #expect(try await files.server.send(.get, target, headers: [.ifNoneMatch: tag]).status == 200)
        }
    }

    @Test func `faults cut and refuse parts as they do whole files, and the client that resumes gets the rest`() async throws {
        try await Shelf.attachment.run { server, target in
            let whole = try await server.send(.get, target)
            try await server.arm("cxone.fetchAttachment truncate bytes=2 times=1")
            await #expect(throws: Disturbed.self) { try await server.send(.get, target, headers: [.range: "bytes=4-"]) }
            #expect(try await server.send(.get, target, headers: [.range: "bytes=6-"]).body == Array(whole.body[6...]))
            try await server.arm("cxone.fetchAttachment slicer size=1 gap=1ms times=1")
            #expect(try await server.send(.get, target, headers: [.range: "bytes=4-"]).body == Array(whole.body[4...]))
            try await server.arm("cxone.fetchAttachment range-not-satisfiable times=1")
            let refused = try await server.send(.get, target, headers: [.range: "bytes=4-"])
            #expect(refused.status == 416 && refused.headers[.contentRange] == "bytes */1024")
        }
    }

    @Test func `a page of another origin sees what it needs to resume`() async throws {
        try await TestServer.run { server in
            let target = "/.well-known/assetlinks.json"
            let answer = try await server.send(.get, target, headers: [.origin: "https://app.example", .range: "bytes=0-4"])
            let exposed = answer.headers[.accessControlExposeHeaders]?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
            #expect(answer.status == 206 && Set(["ETag", "Content-Range", "Accept-Ranges"]).isSubset(of: exposed))
        }
    }
}
