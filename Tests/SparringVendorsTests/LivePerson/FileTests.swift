import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// The sharing of files (LivePerson reference 5.15).
@Suite struct FileTests {
    @Test(arguments: [("JPG", "image/jpeg"), ("JPEG", "image/jpeg"), ("PNG", "image/png"), ("GIF", "image/gif")])
    func `a file is put, published and fetched as it was`(_ type: String, _ mediaType: String) async throws {
        try await FileScene.run { files in
            let bytes = FileScene.png(70_000)
            let place = try FileScene.Place(try await files.askUpload("70000", type))
            #expect(place.path.wholeMatch(of: try Regex("/v1/AUTH_async-images/acme/[0-9a-f-]{36}\\.\(type)")) != nil, "\(place.path)")
            #expect(place.signature.wholeMatch(of: /[0-9a-f]{40}/) != nil)
            #expect(place.expires == String(Scene.now + 60))
            #expect(try await files.put(bytes, place.target).status == 201)

            let conversation = try await files.scene.conversation(files.socket)
            let message: JSON = ["caption": "receipt", "relativePath": .string(place.path), "fileType": .string(type)]
            let event: JSON = ["type": "ContentEvent", "contentType": "hosted/file", "message": message]
            let published = try await files.socket.request("ms.PublishEvent", ["dialogId": .string(conversation), "event": event])
            #expect(published["body"] == ["sequence": 0])
            let heard = try await files.socket.notification(MessagingScene.events)["body"]?["changes"]?.array?.first
            #expect(heard?["event"] == event)
            #expect(try await !files.cause("publishFile").contains("nobody"))

            let fetching = try FileScene.Place(try await files.askDownload(place.path))
            #expect(fetching.path == place.path && fetching.signature != place.signature)
            let fetched = try await files.server.send(.get, fetching.target)
            #expect(fetched.status == 200 && fetched.body == bytes && fetched.headers[.contentType] == mediaType)
            #expect(try await files.server.journal("?kind=finding") == [])
            let entry = try #require(try await files.server.journal("?operation=liveperson.uploadFile").last)
            #expect(entry["lane"] == "ada" && entry["findings"] == nil)
        }
    }

    @Test func `an agent's file is fetched by the consumer, and what is refused to consumers is refused to agents`() async throws {
        try await FileScene.run { files in
            let agent = try await files.scene.agentSocket(bearer: try await files.scene.bearer())
            let wish: JSON = ["fileSize": 256, "fileType": "PNG"]
            let place = try FileScene.Place(try await agent.request(".ams.ms.GenerateURLForUploadFile", wish))
            #expect(try await files.put(FileScene.png(), place.target).status == 201)
            let conversation = try await files.scene.conversation(files.socket)
            let message: JSON = ["caption": "invoice", "relativePath": .string(place.path), "fileType": "PNG"]
            let event: JSON = ["type": "ContentEvent", "contentType": "hosted/file", "message": message]
            let body: JSON = ["dialogId": .string(conversation), "event": event]
            #expect(try await agent.request(".ams.ms.PublishEvent", body)["code"] == 400, "who takes no part says nothing")
            let joining: JSON = ["field": "ParticipantsChange", "type": "ADD", "role": "ASSIGNED_AGENT"]
            let joined = try await agent.request(
                ".ams.cm.UpdateConversationField", ["conversationId": .string(conversation), "conversationField": [joining]])
            #expect(joined["code"] == 200, "\(joined.text)")
            #expect(try await agent.request(".ams.ms.PublishEvent", body)["body"] == ["sequence": 0])
            let heard = try await files.socket.notification(MessagingScene.events)["body"]?["changes"]?.array?.first
            #expect(heard?["event"] == event)
            let fetching = try FileScene.Place(try await files.askDownload(place.path))
            #expect(try await files.server.send(.get, fetching.target).body == FileScene.png())
            let own = try FileScene.Place(
                try await agent.request(".ams.ms.GenerateURLForDownloadFile", ["relativePath": .string(place.path)]))
            #expect(try await files.server.send(.get, own.target).status == 200)

            let large = try await agent.request(".ams.ms.GenerateURLForUploadFile", ["fileSize": 4_000_000, "fileType": "PNG"])
            let unknown = try await agent.request(
                ".ams.ms.GenerateURLForDownloadFile", ["relativePath": "/v1/AUTH_async-images/acme/x.PNG"])
            #expect(large["code"]?.integer ?? 0 >= 400 && unknown["code"]?.integer ?? 0 >= 400, "\(large.text) \(unknown.text)")
            #expect(try await files.server.journal("?kind=finding") == [])
        }
    }

    @Test func `a path with a second slash before it is the same`() async throws {
        try await FileScene.run { files in
            let place = try FileScene.Place(try await files.askUpload())
            #expect(try await files.put(FileScene.png(), "/" + place.target).status == 201)
            let fetching = try FileScene.Place(try await files.askDownload(place.path))
            for target in [fetching.target, "/" + fetching.target] {
                #expect(try await files.server.send(.get, target).body == FileScene.png())
            }
            #expect(try await files.server.journal("?kind=finding") == [])
        }
    }

    @Test func `the service swift leads here`() async throws {
        try await FileScene.run { files in
            let found = try await files.server.send(.get, "/api/account/acme/service/swift/baseURI.json?version=1.0").json
            #expect(found?["baseURI"]?.string == "127.0.0.1:\(files.server.addresses.port)")
        }
    }

    // MARK: Files that are not there

    @Test func `what nobody put there cannot be fetched, and is published all the same`() async throws {
        try await FileScene.run { files in
            let place = try FileScene.Place(try await files.askUpload())
            let fetching = try FileScene.Place(try await files.askDownload(place.path))
            let answer = try await files.server.send(.get, fetching.target)
            #expect(answer.status == 404 && answer.json == ["error": "mock-file-unknown"])
            let conversation = try await files.scene.conversation(files.socket)
            for (path, remark) in [
                (place.path, "nothing was put to \(place.path): nobody can fetch it yet"),
                ("/v1/elsewhere", "no upload to '/v1/elsewhere' was ever asked for: nobody will be able to fetch it"),
            ] {
                let message: JSON = ["caption": "c", "relativePath": .string(path), "fileType": "PNG"]
                let reply = try await files.socket.request(
                    "ms.PublishEvent",
                    [
                        "dialogId": .string(conversation),
                        "event": ["type": "ContentEvent", "contentType": "hosted/file", "message": message],
                    ])
                #expect(reply["code"] == 200, "\(reply.text)")
                #expect(try await files.cause("publishFile").hasSuffix(remark))
            }
            #expect(try await files.askDownload("/v1/elsewhere")["body"] == "mock-file-unknown")
        }
    }

    @Test func `a file of another account is out of reach`() async throws {
        try await FileScene.run { files in
            let place = try await files.upload()
            try await files.server.send(
                .post, "/__admin/sandboxes", json: ["name": "other", "seed": 1, "tenants": ["liveperson": ["accountId": "other"]]]
            ).expectStatus(201)
            let minted = try await files.server.admin(.post, "credentials", ["form": "jwt", "subject": "eve"], sandbox: "other")
            let signedIn = try await files.server.send(
                .post, "/api/account/other/app/default/authenticate?v=2.0", json: ["id_token": minted["credential"] ?? .null])
            let eve = try await SocketClient(
                port: files.server.addresses.port, target: "/ws_api/account/other/messaging/consumer?v=3",
                headers: [("Authorization", "jwt \(signedIn.json?["jwt"]?.string ?? "")")])
            let reply = try await eve.request("ms.GenerateURLForDownloadFile", ["relativePath": .string(place.path)])
            #expect(reply["body"] == "mock-file-unknown")
            let fetching = try FileScene.Place(try await files.askDownload(place.path))
            let stolen = fetching.target.replacing("/acme/", with: "/other/")
            #expect(try await files.server.send(.get, stolen).status == 401)
        }
    }

    @Test func `nobody who has not signed in gets a URL`() async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket(token: nil)
            let reply = try await socket.request("ms.GenerateURLForUploadFile", ["fileSize": 1, "fileType": "PNG"])
            #expect(reply["body"] == "mock-unauthenticated")
        }
    }

    // MARK: What stays

    @Test func `files outlive the process and end with a reset`() async throws {
        try await TemporaryFolder.database { database in
            var fetching: FileScene.Place?
            try await FileScene.run(database: database) { files in
                let place = try await files.upload()
                fetching = try FileScene.Place(try await files.askDownload(place.path))
            }
            try await MessagingScene.run(database: database) { scene in
                let target = try #require(fetching?.target)
                #expect(try await scene.server.send(.get, target).body == FileScene.png())
                try await scene.server.admin(.post, "reset")
                let answer = try await scene.server.send(.get, target)
                #expect(answer.status == 404, "\(answer.text)")
            }
        }
    }

    @Test func `a URL from before a reset puts nothing`() async throws {
        try await FileScene.run { files in
            let place = try FileScene.Place(try await files.askUpload())
            try await files.server.admin(.post, "reset")
            #expect(try await files.put(FileScene.png(), place.target).json == ["error": "mock-url-invalid"])
            #expect(
                try await files.cause("uploadFile")
                    == "nobody has asked for an upload to this path since the sandbox was made or reset")
        }
    }

    @Test func `a refused upload by name, and one whose answer is lost`() async throws {
        try await FileScene.run { files in
            let place = try FileScene.Place(try await files.askUpload())
            try await files.server.admin(.post, "faults", ["fault": "liveperson.Files.* url-expired times=1 skip=0"])
            #expect(try await files.put(FileScene.png(), place.target).json == ["error": "mock-url-expired"])
            try await files.server.admin(
                .post, "faults", ["fault": "liveperson.uploadFile CONNECTION_RESET_BY_PEER phase=onResponseStart times=1"])
            await #expect(throws: Disturbed.self) { try await files.put(FileScene.png(), place.target) }
            let fetching = try FileScene.Place(try await files.askDownload(place.path))
            #expect(try await files.server.send(.get, fetching.target).body == FileScene.png(), "it had been kept")
        }
    }
}

extension TestAnswer {
    fileprivate func expectStatus(_ status: Int) { #expect(self.status == status, "\(text)") }
}
