import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// A consumer who shares files.
struct FileScene {
    let scene: MessagingScene
    let socket: SocketClient
    var server: TestServer { scene.server }

    static let largest = 3 << 20
    /// The first bytes of a PNG, and bytes that are not UTF-8.
    static func png(_ count: Int = 256) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<max(count - 8, 0)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }

    init(_ scene: MessagingScene, _ subject: String = "ada") async throws {
        (self.scene, socket) = (scene, try await scene.socket(subject))
    }

    /// - Parameter account: members of the account's configuration.
    static func run(account: JSON = [:], database: String? = nil, _ body: (FileScene) async throws -> Void) async throws {
        var tenants = MessagingScene.tenants
        for (name, value) in account.object ?? [:] { tenants["liveperson"]?[name] = value }
        try await MessagingScene.run(tenants: tenants, database: database) { try await body(try await FileScene($0)) }
    }

    /// A URL as the messages tell it.
    struct Place {
        var path: String
        var signature: String
        var expires: String
        var target: String { "\(path)?temp_url_sig=\(signature)&temp_url_expires=\(expires)" }

        init(_ reply: JSON) throws {
            path = try #require(reply["body"]?["relativePath"]?.string, "\(reply.text)")
            signature = try #require(reply["body"]?["queryParams"]?["temp_url_sig"]?.string)
            expires = try #require(reply["body"]?["queryParams"]?["temp_url_expires"]?.string)
        }
    }

    func askUpload(_ size: JSON = 256, _ type: String = "PNG") async throws -> JSON {
        try await socket.request("ms.GenerateURLForUploadFile", ["fileSize": size, "fileType": .string(type)])
    }

    func askDownload(_ path: String) async throws -> JSON {
        try await socket.request("ms.GenerateURLForDownloadFile", ["relativePath": .string(path)])
    }

    func upload(_ bytes: [UInt8] = png(), type: String = "PNG") async throws -> Place {
        let place = try Place(try await askUpload(.integer(Int64(bytes.count)), type))
        let answer = try await put(bytes, place.target)
        #expect(answer.status == 201 && answer.body == [], "\(answer)")
        return place
    }

    func put(_ bytes: [UInt8], _ target: String) async throws -> TestAnswer { try await server.send(.put, target, body: bytes) }

    /// The cause of the newest entry of an operation.
    func cause(_ operation: String) async throws -> String {
        try #require(try await server.journal("?operation=liveperson.\(operation)").last).cause
    }
}
