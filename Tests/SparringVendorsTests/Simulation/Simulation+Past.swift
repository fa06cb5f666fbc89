import HTTPTypes
import SparringJSON
import Support

/// Checks of a simulated world's past, and of the forks made of it.
extension Simulation {
    /// Steps are seen as they were then, once they are past: every fifth of them.
    func checkPasts() async throws {
        for (name, model) in sandboxes {
            for (index, past) in model.pasts.enumerated() where (index + Int(story.seed)).isMultiple(of: 5) {
                let answer = try await server.reach(.get, "sandboxes/\(name)/journal/\(past.entry)/world")
                guard answer.status == 200 else { throw SimulationFailure("\(name) at \(past.entry): \(answer.text)") }
                let (then, shown) = (past.isHeld ? Self.withoutCounts(past.view) : past.view, answer.json ?? [:])
                let now = past.isHeld ? Self.withoutCounts(shown) : shown
                for (part, value) in then.object ?? [:] where part != "clock" && now[part] != value {
                    throw SimulationFailure(
                        "\(part) of \(name) at entry \(past.entry) was \(value.text), and is shown as \(now[part]?.text ?? "-")")
                }
            }
        }
    }

    /// A fork begins as the other sandbox was.
    func checkFork(_ fork: String, of name: String, at entry: Int, _ past: JSON, isHeld: Bool) async throws {
        let journal = try await entries(fork, since: 0).map(Self.lasting)
        guard journal.count == entry + 1, let known = sandboxes[name]?.journal.prefix(entry), journal.starts(with: known) else {
            throw SimulationFailure("the fork of \(name) at entry \(entry) has \(journal.count) entries, or others than \(name)")
        }
        let (one, other) = (try await names(name), try await names(fork))
        let whole = try await Self.view(fork, server)
        let view = isHeld ? Self.withoutCounts(whole) : whole
        for (part, value) in past.object ?? [:] where part != "clock" {
            var (then, now) = (Self.withoutPayloads(value).text, Self.withoutPayloads(view[part] ?? []).text)
            for (index, pair) in zip(one, other).enumerated() {
                then = then.replacing(pair.0, with: "ID\(index)")
                now = now.replacing(pair.1, with: "ID\(index)")
            }
            if then != now { throw SimulationFailure("\(part) of \(name) was \(then), and the fork begins with \(now)") }
        }
    }

    /// Devices without what they were sent word for word, which has the names that held then.
    private static func withoutPayloads(_ part: JSON) -> JSON {
        guard let elements = part.array else { return part }
        return .array(
            elements.map { element in
                var element = element
                element["inbox"] = element["inbox"]?.array.map { .array($0.map { $0["text"] ?? .null }) }
                return element
            })
    }

    private func names(_ sandbox: String) async throws -> [String] {
        let tenants = try await server.admin(.get, "sandboxes/\(sandbox)")["tenants"]?.object ?? [:]
        return [
            ("liveperson", "accountId"), ("cxone", "brandId"), ("khoros", "appId"), ("khoros", "iosIntegrationId"), ("asapp", "appId"),
            ("talkdesk", "account"),
        ]
        .compactMap { tenants[$0.0]?[$0.1]?.string }
    }
}
