import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// How large files and their previews may be, and of what type.
@Suite struct FileLimitTests {
    @Test(
        arguments: [
            (.integer(3_145_729), "PNG", "mock-file-too-large", "3145729 bytes are announced, 3145728 are taken"),
            ("99999999999999999999", "PNG", "mock-file-too-large", "99999999999999999999 bytes are announced, 3145728 are taken"),
            (1, "PDF", "mock-file-type-refused", "'PDF' is not one of JPG, JPEG, PNG, GIF"),
            (1, "png", "mock-file-type-refused", "'png' is not one of JPG, JPEG, PNG, GIF"),
        ] as [(JSON, String, String, String)])
    func `what is too large or of another type gets no URL`(_ size: JSON, _ type: String, _ text: String, _ cause: String) async throws {
        try await FileScene.run { files in
            let reply = try await files.askUpload(size, type)
            #expect(reply["code"] == 400 && reply["body"] == .string(text), "\(reply.text)")
            #expect(try await files.cause("generateUploadUrl") == cause)
        }
    }

    @Test(arguments: [-1, "many", .null] as [JSON])
    func `a size that is none is malformed`(_ size: JSON) async throws {
        try await FileScene.run { files in
            let reply = try await files.askUpload(size)
            #expect(reply["body"] == "mock-request-malformed", "\(reply.text)")
        }
    }

    @Test func `three megabytes pass, a byte more is refused, and so is what the server reads no further`() async throws {
        try await FileScene.run { files in
            let place = try FileScene.Place(try await files.askUpload(.integer(Int64(FileScene.largest))))
            let bytes = FileScene.png(FileScene.largest)
            #expect(try await files.put(bytes, place.target).status == 201)
            for size in [FileScene.largest + 1, 6 << 20] {
                let refused = try await files.put(FileScene.png(size), place.target)
                #expect(refused.status == 413 && refused.json == ["error": "mock-file-too-large"], "\(refused.text)")
                #expect(try await files.cause("uploadFile") == "\(size) bytes or more came, 3145728 are taken")
            }
            let fetched = try await files.server.send(.get, FileScene.Place(try await files.askDownload(place.path)).target)
            #expect(fetched.body == bytes, "what was refused replaced nothing")
        }
    }

    @Test func `a long body without a length is taken, and beyond three megabytes refused`() async throws {
        try await FileScene.run { files in
            let place = try FileScene.Place(try await files.askUpload())
            for (pieces, status) in [(32, 201), (96, 413)] {
                let client = try RawClient(port: files.server.addresses.port)
                client.send("PUT \(place.target) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                let piece = FileScene.png(65_536)
                for _ in 0..<pieces { client.send(Array("10000\r\n".utf8) + piece + Array("\r\n".utf8)) }
                client.send("0\r\n\r\n")
                #expect(try await client.answer().status == status)
            }
        }
    }

    @Test func `no other operation reads more than before`() async throws {
        try await FileScene.run { files in
            let answer = try await files.server.send(
                .post, "/api/account/acme/app/default/authenticate?v=2.0", headers: [.contentType: "application/json"],
                body: [UInt8](repeating: 0x20, count: (1 << 20) + 1))
            #expect(answer.status == 413 && answer.headers[.contentType] == "application/problem+json")
        }
    }

    @Test func `the journal has size and digest of a large file, and what was odd about it`() async throws {
        try await FileScene.run { files in
            let place = try FileScene.Place(try await files.askUpload(20, "GIF"))
            _ = try await files.put(FileScene.png(3000), place.target)
            _ = try await files.put(FileScene.png(300), place.target)
            let entries = try await files.server.journal("?operation=liveperson.uploadFile")
            #expect(entries[0]["request"]?["bodySize"] == 3000 && entries[0]["request"]?["bodySHA256"]?.string?.count == 64)
            #expect(entries[0]["request"]?["bodyHex"]?.string?.count == 128)
            #expect(entries[1]["request"]?["bodyHex"]?.string?.count == 600 && entries[1]["request"]?["bodySize"] == nil)
            #expect(
                entries[1].cause
                    == "300 bytes put to \(place.path); in place of 3000; 20 were announced; they do not begin as a GIF does")
        }
    }

    @Test(arguments: [(30 << 10, 400), ((30 << 10) - 1, 200)])
    func `a preview of 30 KB is too large`(_ size: Int, _ code: Int) async throws {
        try await FileScene.run { files in
            let place = try await files.upload()
            let conversation = try await files.scene.conversation(files.socket)
            let whole = String(repeating: "AAAA", count: size / 3)
            let base64 = whole + (size % 3 == 0 ? "" : size % 3 == 1 ? "AA==" : "AAA=")
            let message: JSON = [
                "caption": "c", "relativePath": .string(place.path), "fileType": "PNG",
                "preview": .string("data:image/png;base64," + base64),
            ]
            let reply = try await files.socket.request(
                "ms.PublishEvent",
                ["dialogId": .string(conversation), "event": ["type": "ContentEvent", "contentType": "hosted/file", "message": message]])
            #expect(reply["code"]?.integer == Int64(code), "\(reply.text)")
            if code == 400 {
                #expect(reply["body"] == "mock-preview-too-large")
                #expect(try await files.cause("publishFile") == "the preview has 30720 bytes, less than 30720 are taken")
            }
        }
    }
}
