import Foundation
import SparringJSON
import Support
import Testing

/// `sparring env`, `trust` and `doctor`: a client's way to the server.
@Suite(.fewAtATime) struct SetupCommandTests {
    private static func data(_ folder: TemporaryFolder) -> [String: String] { ["XDG_DATA_HOME": folder.file("data")] }

    @Test func `a shell, a dotenv file, an xcconfig and JSON have the same variables`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        func env(_ format: String) async throws -> String {
            let end = try await sparring(
                ["env", "--format", format], environment: Self.data(folder).merging(["SPARRING_URL": server.url]) { $1 })
            #expect(end.status == 0, "\(end)")
            return end.output
        }
        let all = try #require(try JSON(parsing: try await env("json")).object)
        #expect(all["SPARRING_URL"]?.string == server.url && all["SPARRING_SANDBOX"] == "default")
        #expect(
            all["SPARRING_TLS_URL"]?.string == "https://localhost:\(server.tlsPort)"
                || all["SPARRING_TLS_URL"]?.string == "https://127.0.0.1:\(server.tlsPort)")
        let ca = try #require(all["SPARRING_CA_FILE"]?.string)
        #expect(try String(contentsOfFile: ca, encoding: .utf8).hasPrefix("-----BEGIN CERTIFICATE-----"))
        // What a shell makes of it is what the JSON has, private keys of several lines too.
        let script = try folder.write(try await env("shell"), to: "env.sh")
        let printed = try await Command("bash", "-c", "set -a; . \(script); env -0").output()
        let seen = Dictionary(
            printed.split(separator: "\0").compactMap { line in
                line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }
        ) { $1 }
        for (name, value) in all { #expect(seen[name] == value.string, "\(name)") }
        let xcconfig = try await env("xcconfig")
        #expect(xcconfig.contains("SPARRING_URL = \(server.url.replacing("//", with: "/$()/"))\n"))
        #expect(xcconfig.split(separator: "\n").allSatisfy { $0.hasPrefix("SPARRING_") || $0.hasPrefix("// SPARRING_") }, "\(xcconfig)")
        let dotenv = try await env("dotenv")
        #expect(dotenv.split(separator: "\n").count == all.count && dotenv.contains("-----BEGIN PRIVATE KEY-----\\n"), "\(dotenv)")
        _ = try await server.stop()
    }

    @Test func `each platform says what to do, and what can be done here is done`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        let environment = Self.data(folder).merging(["SPARRING_URL": server.url]) { $1 }
        let list = try await sparring(["trust"], environment: environment)
        let platforms = list.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(platforms.count == 9)
        for platform in platforms {
            let shown = try await sparring(["trust", platform], environment: environment)
            #expect(shown.status == 0 && !shown.output.isEmpty, "\(platform): \(shown)")
        }
        let android = try await sparring(["trust", "android"], environment: environment)
        #expect(
            android.output.contains("adb reverse tcp:\(server.tlsPort) tcp:\(server.tlsPort)")
                && android.output.contains("<debug-overrides>"))
        // The line for curl, run as it stands.
        let curl = try await sparring(["trust", "curl"], environment: environment)
        #expect(try await Command("bash", "-c", curl.output).output().contains(#""status":"ok""#))
        for (words, status, reason) in [
            (["trust", "node", "--apply"], 1, "there is nothing to run for node"), (["trust", "--apply"], 64, "which platform?"),
            (["trust", "ios-simulator", "--apply"], 127, "xcrun: cannot be run"),
            (["trust", "java", "--apply", "--undo"], 64, "cannot be used together"),
        ] as [([String], Int32, String)] {
            let end = try await sparring(words, environment: environment)
            #expect(end.status == status && (end.errors + end.output).contains(reason), "\(end)")
        }
        _ = try await server.stop()
    }

    @Test func `the doctor finds a bundle without the CA, a client that has not come and one that came to nothing`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        func doctor(_ environment: [String: String] = [:]) async throws -> Command.End {
            try await sparring(["doctor"], environment: environment.merging(["SPARRING_URL": server.url]) { $1 })
        }
        let fresh = try await doctor()
        #expect(fresh.status == 0 && fresh.output.contains("! calls: none has reached this sandbox yet"), "\(fresh)")
        #expect(fresh.output.contains("! TLS: this machine does not trust https://127.0.0.1:\(server.tlsPort)"), "\(fresh)")
        let other = try folder.write("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", to: "other.pem")
        let wrong = try await doctor(["REQUESTS_CA_BUNDLE": other])
        #expect(wrong.status == 0 && wrong.output.contains("! REQUESTS_CA_BUNDLE: \(other) does not have Sparring's CA"), "\(wrong)")
        #expect(!wrong.output.contains("unplaced"), "the doctor's own look counts as a client's: \(wrong)")
        let missing = try await doctor(["SSL_CERT_FILE": folder.file("no.pem")])
        #expect(missing.status == 1 && missing.output.contains("✗ SSL_CERT_FILE: \(folder.file("no.pem")) cannot be read"), "\(missing)")
        _ = try await server.get("/nowhere")
        let last = try await doctor()
        #expect(last.output.contains("matched nothing, the last: no operation matches GET /nowhere"), "\(last)")
        _ = try await server.stop()
        let gone = try await doctor()
        #expect(gone.status == 69 && gone.errors.contains("is `sparring serve` running?"), "\(gone)")
    }

    @Test func `the profile for Apple's devices is a property list with the CA, and the same each time`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        let profile = try await server.get("/__admin/ca.mobileconfig")
        let type = try await Command("curl", "-s", "-o", "/dev/null", "-w", "%{content_type}", server.url + "/__admin/ca.mobileconfig")
            .output()
        #expect(profile.status == 200 && type == "application/x-apple-aspen-config")
        let plist = try #require(
            try PropertyListSerialization.propertyList(from: Data(profile.text.utf8), format: nil) as? [String: Any])
        let payload = try #require((plist["PayloadContent"] as? [[String: Any]])?.first)
        let pem = try await server.get("/__admin/ca").text
        let der = (payload["PayloadContent"] as? Data)?.base64EncodedString() ?? ""
        #expect(
            !der.isEmpty && pem.replacing("\n", with: "").contains(der) && payload["PayloadType"] as? String == "com.apple.security.root")
        #expect(try await server.get("/__admin/ca.mobileconfig").text == profile.text)
        _ = try await server.stop()
    }
}
