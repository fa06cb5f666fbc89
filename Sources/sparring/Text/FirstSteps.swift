import ArgumentParser
import SparringJSON

/// The output of `sparring` alone: whether a server runs, and what to type next.
enum FirstSteps {
    static func text() async -> String {
        let head = "sparring \(sparringVersion): a mock vendor backend for contract testing\n\n"
        guard let connection = try? ConnectionOptions.parse([]), let server = try? connection.client else { return head + table(stopped) }
        guard let version = try? await server.call(.readVersion, timeout: .seconds(2)).json["version"]?.string else {
            return head + "No server answers at \(server.baseURL).\n\n" + table(stopped)
        }
        return head + "A server runs at \(server.baseURL), version \(Terminal.printable(version)).\n\n" + table(running)
    }

    private static let stopped = [
        ("sparring serve", "start a server"), ("sparring run -- npm test", "run a client's tests, and judge the client"),
        ("sparring scenario list", "see what can go wrong"), ("sparring --help", "see all commands"),
    ]

    private static let running = [
        ("sparring sandbox show", "see what to configure a client with"), ("sparring doctor", "check that clients reach it, and trust it"),
        ("sparring journal --follow", "watch calls as they come"),
        ("sparring fault effects liveperson.Login.*", "see what can be made to fail"),
        ("sparring verify", "judge the client"), ("sparring --help", "see all commands"),
    ]

    private static func table(_ lines: [(String, String)]) -> String {
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { command, does in "  " + command + String(repeating: " ", count: width - command.count + 3) + does }
            .joined(separator: "\n")
    }
}
