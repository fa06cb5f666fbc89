import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// The files that name the brand's apps (LivePerson reference 11).
@Suite struct DeepLinkTests {
    private static let apple = "/.well-known/apple-app-site-association"
    private static let google = "/.well-known/assetlinks.json"
    private static let fingerprint = Array(repeating: "A5", count: 32).joined(separator: ":")

    private func run(_ links: JSON?, _ body: (TestServer) async throws -> Void) async throws {
        var account: JSON = ["accountId": "acme"]
        account["deepLinks"] = links
        try await TestServer.run(tenants: ["liveperson": account], body)
    }

    @Test(arguments: TestServer.Speed.usual)
    func `without a word about it, an account has an app of each kind`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let file = try await server.send(.get, Self.apple)
            #expect(file.status == 200 && file.headers[.contentType] == "application/json" && file.headers[.location] == nil)
            #expect(
                file.json == [
                    "applinks": [
                        "details": [
                            [
                                "appIDs": ["TEAMID1234.test.brand.app"],
                                "components": [["/": "*/chat/*", "comment": "opens the conversation"]],
                            ]
                        ]
                    ],
                    "webcredentials": ["apps": ["TEAMID1234.test.brand.app"]],
                ])
            let older = try await server.send(.get, "/apple-app-site-association")
            #expect(older.status == 200 && older.json == file.json)
            let links = try await server.send(.get, Self.google)
            #expect(links.status == 200 && links.headers[.contentType] == "application/json")
            let statement = try #require(links.json?.array?.first)
            #expect(statement["relation"] == ["delegate_permission/common.handle_all_urls"])
            #expect(statement["target"]?["namespace"] == "android_app" && statement["target"]?["package_name"] == "test.brand.app")
            let fingerprint = try #require(statement["target"]?["sha256_cert_fingerprints"]?.array?.first?.string)
            #expect(fingerprint.wholeMatch(of: /[0-9A-F]{2}(:[0-9A-F]{2}){31}/) != nil)
            #expect(try await server.journal("?kind=finding") == [])
        }
    }

    @Test func `Apple's legacy form stands beside the modern one, an entry for each app`() async throws {
        let links: JSON = [
            "apple": [
                ["appIDs": ["TEAMID1234.a.b", "TEAMID1234.a.c"], "paths": ["*", "NOT /x/*"], "components": [["#": "chat*"]]],
                ["appIDs": ["ABCDE12345.d"], "components": [["/": "/p/*", "?": ["q": "?*"], "exclude": true, "caseSensitive": false]]],
            ]
        ]
        try await run(links) { server in
            let file = try await server.send(.get, Self.apple).json
            #expect(
                file == [
                    "applinks": [
                        "apps": [],
                        "details": [
                            ["appIDs": ["TEAMID1234.a.b", "TEAMID1234.a.c"], "components": [["#": "chat*"]]],
                            ["appID": "TEAMID1234.a.b", "paths": ["*", "NOT /x/*"]],
                            ["appID": "TEAMID1234.a.c", "paths": ["*", "NOT /x/*"]],
                            [
                                "appIDs": ["ABCDE12345.d"],
                                "components": [["/": "/p/*", "?": ["q": "?*"], "exclude": true, "caseSensitive": false]],
                            ],
                        ],
                    ]
                ])
            #expect(try await server.send(.get, Self.google).json == ["error": "mock-no-apps"])
            #expect(try await server.journal("?kind=finding") == [])
        }
    }

    @Test func `passwords alone need no links, and Android may ask for more than links`() async throws {
        let links: JSON = [
            "webcredentials": ["TEAMID1234.a.b"],
            "android": [
                [
                    "packageName": "a.b_2.C", "sha256CertFingerprints": [.string(Self.fingerprint), .string(Self.fingerprint)],
                    "relations": ["delegate_permission/common.get_login_creds"],
                ]
            ],
        ]
        try await run(links) { server in
            let file = try await server.send(.get, Self.apple).json
            #expect(file == ["webcredentials": ["apps": ["TEAMID1234.a.b"]]])
            #expect(
                try await server.send(.get, Self.google).json == [
                    [
                        "relation": ["delegate_permission/common.get_login_creds"],
                        "target": [
                            "namespace": "android_app", "package_name": "a.b_2.C",
                            "sha256_cert_fingerprints": [.string(Self.fingerprint), .string(Self.fingerprint)],
                        ],
                    ]
                ])
        }
    }

    @Test func `defaults of patterns, App Clips and a site beside the apps are served as they are given`() async throws {
        let links: JSON = [
            "apple": [["appIDs": ["TEAMID1234.a.b"], "components": [["/": "/chat/*"]], "defaults": ["caseSensitive": false]]],
            "appclips": ["TEAMID1234.a.b.Clip"],
            "web": [["site": "https://brand.test"], ["site": "https://brand.test:8443", "relations": ["x/y"]]],
        ]
        let apple: JSON = [
            "applinks": [
                "details": [["appIDs": ["TEAMID1234.a.b"], "components": [["/": "/chat/*"]], "defaults": ["caseSensitive": false]]]
            ],
            "appclips": ["apps": ["TEAMID1234.a.b.Clip"]],
        ]
        let google: JSON = [
            [
                "relation": ["delegate_permission/common.get_login_creds"],
                "target": ["namespace": "web", "site": "https://brand.test"],
            ],
            ["relation": ["x/y"], "target": ["namespace": "web", "site": "https://brand.test:8443"]],
        ]
        try await run(links) { server in
            let files = try await (server.send(.get, Self.apple).json, server.send(.get, Self.google).json)
            #expect(files.0 == apple)
            #expect(files.1 == google)
            #expect(try await server.journal("?kind=finding") == [])
        }
    }

    @Test(arguments: [apple, google])
    func `a domain without apps has no such file`(_ target: String) async throws {
        try await run([:]) { server in
            let answer = try await server.send(.get, target)
            #expect(answer.status == 404 && answer.json == ["error": "mock-no-apps"])
        }
    }

    @Test(arguments: [apple, google])
    func `the host names the sandbox, else it is the default one`(_ target: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let links: JSON = [
                "apple": [["appIDs": ["OTHERTEAM1.o"], "paths": ["*"]]],
                "android": [["packageName": "other.app", "sha256CertFingerprints": [.string(Self.fingerprint)]]],
            ]
            let made = try await server.send(
                .post, "/__admin/sandboxes", json: ["name": "other", "tenants": ["liveperson": ["deepLinks": links]]])
            #expect(made.status == 201, "\(made.text)")
            func get(_ host: String) async throws -> TestAnswer {
                try await server.send(.get, target, headers: [HTTPField.Name("Host")!: host])
            }
            for host in ["other.localhost", "Other.localhost:\(server.addresses.port)"] {
                let text = try await get(host).text
                #expect(text.contains("OTHERTEAM1.o") || text.contains("other.app"), "\(text)")
            }
            for host in ["127.0.0.1", "brand.test"] { #expect(try await get(host).text.contains("test.brand.app")) }
            let nowhere = try await get("ohter.localhost")
            #expect(nowhere.status == 404 && nowhere.json == ["error": "mock-account-unknown"], "\(nowhere.text)")
            let unplaced = try await server.send(.get, "/__admin/unplaced").json?["entries"]?.array?.last
            #expect(unplaced?["reason"] == "no sandbox is called 'ohter', which is what Host leads to")
            #expect(unplaced?["nearest"] == ["other"])
        }
    }

    @Test(
        arguments: [
            ("/apple", #"{"apple": {}}"#, "not a list"),
            ("/appel", #"{"appel": []}"#, "did you mean 'apple'?"),
            ("/apple/0/appIDs", #"{"apple": [{"paths": ["*"]}]}"#, "required member 'appIDs' is missing"),
            ("/apple/0/appIDs", #"{"apple": [{"appIDs": [], "paths": ["*"]}]}"#, "0 items, at least 1 expected"),
            ("/apple/0/appIDs/1", #"{"apple": [{"appIDs": ["TEAMID1234.a", "teamid1234.a"], "paths": ["*"]}]}"#, "ten capital letters"),
            ("/apple/0/appIDs/0", #"{"apple": [{"appIDs": ["TEAMID123.a"], "paths": ["*"]}]}"#, "ten capital letters"),
            ("/apple/0/appIDs/0", #"{"apple": [{"appIDs": ["TEAMID1234."], "paths": ["*"]}]}"#, "ten capital letters"),
            ("/apple/0/appIDs/0", #"{"apple": [{"appIDs": ["TEAMID1234"], "paths": ["*"]}]}"#, "ten capital letters"),
            ("/apple/0/appIDs/0", #"{"apple": [{"appIDs": ["TEAMID1234.a b"], "paths": ["*"]}]}"#, "ten capital letters"),
            ("/apple/0", #"{"apple": [{"appIDs": ["TEAMID1234.a"]}]}"#, "neither components"),
            ("/apple/0/paths/1", #"{"apple": [{"appIDs": ["TEAMID1234.a"], "paths": ["/a", "not /b"]}]}"#, "'not /b' is not a path or '*'"),
            ("/apple/0/components/0", #"{"apple": [{"appIDs": ["TEAMID1234.a"], "components": [{"comment": "x"}]}]}"#, "at least one of"),
            ("/apple/0/components/0/path", #"{"apple": [{"appIDs": ["TEAMID1234.a"], "components": [{"path": "x"}]}]}"#, "unknown member"),
            ("/apple/0/components/0/exclude", #"{"apple": [{"appIDs": ["TEAMID1234.a"], "components": [{"/": "x", "exclude": 1}]}]}"#, ""),
            (
                "/apple/0/components/0/?/q", #"{"apple": [{"appIDs": ["TEAMID1234.a"], "components": [{"?": {"q": 1}}]}]}"#,
                "1 is not a string"
            ),
            (
                "/apple/0/defaults/case",
                #"{"apple": [{"appIDs": ["TEAMID1234.a"], "components": [{"/": "x"}], "defaults": {"case": true}}]}"#, "unknown member"
            ),
            (
                "/apple/0/defaults", #"{"apple": [{"appIDs": ["TEAMID1234.a"], "paths": ["*"], "defaults": {}}]}"#,
                "no components that they are for"
            ),
            ("/webcredentials/0", #"{"webcredentials": ["a.b"]}"#, "ten capital letters"),
            ("/appclips/0", #"{"appclips": ["a.b"]}"#, "ten capital letters"),
            ("/web/0/site", #"{"web": [{"site": "https://brand.test/chat"}]}"#, "a site's scheme and host"),
            ("/web/0/relations", #"{"web": [{"site": "https://brand.test", "relations": []}]}"#, "0 items, at least 1 expected"),
            ("/android/0/packageName", #"{"android": [{}]}"#, "required member 'packageName' is missing"),
            ("/android/0/packageName", #"{"android": [{"packageName": "app"}]}"#, "not a package's name"),
            ("/android/0/packageName", #"{"android": [{"packageName": "a.1b"}]}"#, "not a package's name"),
            ("/android/0/sha256CertFingerprints", #"{"android": [{"packageName": "a.b"}]}"#, "required member"),
            (
                "/android/0/sha256CertFingerprints/0",
                #"{"android": [{"packageName": "a.b", "sha256CertFingerprints": ["\#(fingerprint.lowercased())"]}]}"#, "in capitals"
            ),
            (
                "/android/0/sha256CertFingerprints/1",
                #"{"android": [{"packageName": "a.b", "sha256CertFingerprints": ["\#(fingerprint)", "\#(fingerprint):00"]}]}"#, "32 bytes"
            ),
            (
                "/android/0/sha256CertFingerprints/0",
                #"{"android": [{"packageName": "a.b", "sha256CertFingerprints": ["\#(fingerprint.replacing(":", with: ""))"]}]}"#, "colons"
            ),
            (
                "/android/0/relations",
                #"{"android": [{"packageName": "a.b", "sha256CertFingerprints": ["\#(fingerprint)"], "relations": []}]}"#, "0 items"
            ),
        ] as [(String, String, String)])
    func `nonsense is refused with its place, and changes nothing`(_ place: String, _ links: String, _ words: String) async throws {
        try await TestServer.run { server in
            let before = try await server.send(.get, Self.apple).text + server.send(.get, Self.google).text
            let answer = try await server.send(
                .patch, "/__admin/sandboxes/default/tenants/liveperson", json: ["deepLinks": try JSON(parsing: links)])
            #expect(answer.status == 422 && answer.text.contains(words), "\(answer.text)")
            #expect(answer.text.contains("/deepLinks\(place)\""), "\(answer.text)")
            #expect(try await server.send(.get, Self.apple).text + server.send(.get, Self.google).text == before)
        }
    }

    @Test func `the file can be down, as anything can`() async throws {
        try await TestServer.run { server in
            try await server.admin(.post, "faults", ["fault": "liveperson.DeepLinks.* unavailable times=1"])
            #expect(try await server.send(.get, Self.apple).status == 503)
            #expect(try await server.send(.get, Self.apple).status == 200)
        }
    }
}
