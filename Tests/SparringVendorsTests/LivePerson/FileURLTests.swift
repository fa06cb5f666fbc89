import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// For what, and for how long, a file's URLs serve.
@Suite struct FileURLTests {
    enum Tampering: String, CaseIterable {
        case otherUse, path, expiry, signature, upperCase, noSignature, noExpiry, otherFile

        var cause: String {
            switch self {
            case .otherUse: "the signature is that of the file's upload, not of its download"
            case .path, .expiry, .otherFile: "the signature was issued for another path or expiry"
            case .signature, .upperCase: "the signature is none that was issued in this sandbox"
            case .noSignature: "the URL has no temp_url_sig"
            case .noExpiry: "the URL has no temp_url_expires"
            }
        }
    }

    @Test(arguments: Tampering.allCases)
    func `a URL that is not as it was given is refused, and the journal says in what`(_ tampering: Tampering) async throws {
        try await FileScene.run { files in
            let uploaded = try await files.upload()
            var place = try FileScene.Place(try await files.askDownload(uploaded.path))
            var target: String?
            switch tampering {
            case .otherUse: place = uploaded
            case .path: place.path = place.path.replacing(".PNG", with: ".GIF")
            case .expiry: place.expires = String(Scene.now + 3600)
            case .signature: place.signature = String(repeating: "0", count: 40)
            case .upperCase: place.signature = place.signature.uppercased()
            case .noSignature: target = "\(place.path)?temp_url_expires=\(place.expires)"
            case .noExpiry: target = "\(place.path)?temp_url_sig=\(place.signature)"
            case .otherFile: place.path = try await files.upload(FileScene.png(99)).path
            }
            let answer = try await files.server.send(.get, target ?? place.target)
            #expect(answer.status == 401 && answer.json == ["error": "mock-url-invalid"], "\(answer.text)")
            #expect(try await files.cause("downloadFile") == tampering.cause)
        }
    }

    @Test func `a download's URL puts nothing`() async throws {
        try await FileScene.run { files in
            let uploaded = try await files.upload()
            let fetching = try FileScene.Place(try await files.askDownload(uploaded.path))
            #expect(try await files.put([1, 2, 3], fetching.target).status == 401)
            #expect(try await files.cause("uploadFile") == "the signature is that of the file's download, not of its upload")
            #expect(try await files.server.send(.get, fetching.target).body == FileScene.png())
        }
    }

    @Test(arguments: [("60s", "59s"), ("5m", "299s")])
    func `a URL serves for a minute of the sandbox's clock, or as long as the account says`(_ lifetime: String, _ almost: String)
        async throws
    {
        let account: JSON = ["files": ["urlLifetime": .string(lifetime)], "messaging": ["idleLimit": "1h"]]
        try await FileScene.run(account: account) { files in
            func advance(_ by: String) async throws { try await files.server.admin(.post, "clock/advance", ["by": .string(by)]) }
            try await advance("700ms")
            let place = try FileScene.Place(try await files.askUpload())
            try await advance(almost)
            #expect(try await files.put(FileScene.png(), place.target).status == 201)
            let fetching = try FileScene.Place(try await files.askDownload(place.path))
            try await advance("1300ms")
            let late = try await files.put(FileScene.png(), place.target)
            #expect(late.status == 401 && late.json == ["error": "mock-url-expired"], "\(late.text)")
            #expect(try await files.cause("uploadFile") == "the URL expired 0 ms ago")
            #expect(try await files.server.send(.get, fetching.target).status == 200)
            try await advance(almost)
            #expect(try await files.server.send(.get, fetching.target).status == 401)
        }
    }

    /// Anyone who knows the sandbox's seed can sign what was never issued.
    @Test(arguments: [
        "", "soon", "-1", "-9999999999999999", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "99999999999999999999",
        "253402300800", "1e9", "0x10", "1767225600.5", "0",
    ])
    func `an expiry that is no time to come has passed, however well it is signed`(_ expires: String) async throws {
        try await FileScene.run { files in
            var place = try await files.upload()
            let sandbox = try #require(files.server.engine.world.sandbox("default"))
            for use in ["upload", "download"] {
                place.expires = expires
                place.signature = String(
                    Draw(secretOf: sandbox.id, seed: sandbox.seed, "temp_url_sig", "acme", use, place.path, expires).hex.prefix(40))
                let answer =
                    use == "upload" ? try await files.put(FileScene.png(), place.target) : try await files.server.send(.get, place.target)
                #expect(answer.status == 401 && answer.json == ["error": "mock-url-expired"], "\(answer.text)")
            }
            #expect(try FileScene.Place(try await files.askDownload(place.path)).expires == String(Scene.now + 60))
        }
    }

    @Test(arguments: [["urlLifetime": "0s"], ["urlLifetime": "soon"], ["urlLifetme": "1m"], "a minute"] as [JSON])
    func `nonsense about files is refused with its place, and changes nothing`(_ json: JSON) async throws {
        try await FileScene.run { files in
            let answer = try await files.server.send(
                .patch, "/__admin/sandboxes/default/tenants/liveperson", json: ["files": json])
            #expect(answer.status == 422 && answer.text.contains("/files"), "\(answer.text)")
            #expect(try FileScene.Place(try await files.askUpload()).expires == String(Scene.now + 60))
        }
    }
}
