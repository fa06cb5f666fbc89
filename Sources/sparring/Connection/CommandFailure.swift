import SparringJSON

/// Why a command cannot do what it was asked for.
struct CommandFailure: Error {
    /// The words for the user, without a line end.
    var text: String
    /// The exit status: 1, or one of sysexits(3).
    var status: Int32
    /// The problem document where the server sent one.
    var json: JSON?

    static func unreachable(_ url: String, _ reason: String) -> CommandFailure {
        let isPlain = url.hasPrefix("http://") && reason.contains("closed before")
        let question = isPlain ? "is `sparring serve` running, and is this its port for plain HTTP?" : "is `sparring serve` running?"
        return CommandFailure(text: "cannot reach \(url): \(reason); \(question)", status: 69)
    }

    /// A file that cannot be written.
    static func cannotCreate(_ file: String, _ reason: String) -> CommandFailure {
        CommandFailure(text: "\(file): cannot be written: \(reason)", status: 73)
    }

    /// Writes a file, and says why where it cannot.
    static func writing(_ file: String, _ write: () throws -> Void) throws {
        do { try write() } catch { throw cannotCreate(file, Terminal.reason(of: error).text) }
    }

    /// Somebody answered, but not as Sparring does.
    static func foreign(_ url: String, _ what: String) -> CommandFailure {
        CommandFailure(text: "\(url) answered \(what): that is not Sparring's admin API", status: 1)
    }
}

extension CommandFailure {
    /// A problem document (RFC 9457) in words; nil where it is none.
    ///
    /// - Parameters:
    ///   - problem: as the server sent it.
    ///   - name: what the user calls a member of the request.
    init?(problem: JSON, place name: (JSONPointer) -> String = { Self.option(for: $0.words) }) {
        guard let title = problem["title"]?.string else { return nil }
        let violations = (problem["violations"]?.array ?? []).map { violation in
            let place = violation["pointer"]?.string ?? ""
            return (place: JSONPointer(place).map(name) ?? place, message: violation["message"]?.string ?? violation.text)
        }
        var lines = [problem["detail"]?.string ?? title]
        if violations.count == 1, lines[0].hasSuffix(violations[0].message) {
            let (place, message) = violations[0]
            let member = place.split(separator: ".").last.map { $0.prefix { $0 != "[" } } ?? ""
            // `scenario: there is no scenario 'pushr-down'` says it twice.
            lines = [message.contains(member.hasSuffix("s") ? member.dropLast() : member) ? message : "\(place): \(message)"]
        } else if violations.count > 1, violations.allSatisfy({ lines[0].contains($0.message) }) {
            lines = violations.map { $0.place.isEmpty ? $0.message : "\($0.place): \($0.message)" }
        } else {
            lines += violations.map { "  " + ($0.place.isEmpty ? "" : "\($0.place): ") + $0.message }
        }
        lines += problem.texts("holders").map { "  " + $0 }
        let nearest = problem.texts("nearest")
        if !nearest.isEmpty { lines.append("  did you mean \(Nearest.choice(of: nearest))?") }
        if problem["status"]?.integer == 401 {
            lines.append("  give the token that `sparring serve` printed as --admin-token or SPARRING_ADMIN_TOKEN")
        }
        let status: Int32 = problem["status"]?.integer == 500 ? 70 : problem["type"] == "urn:sparring:problem:store-failing" ? 74 : 1
        self.init(text: lines.map(Terminal.printable).joined(separator: "\n"), status: status, json: problem)
    }

    /// Does something that is not worth a failure where Sparring itself fails, such as on a full disk.
    static func toleratingOwnFailures(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let failure as CommandFailure where failure.status == 70 {}
    }

    /// The command line's names for a request's members, where they differ.
    private static let options = [
        "clock.mode": "--clock", "clock.rate": "--rate", "contract": "--contract", "defect": "--defect", "faults": "--fault",
        "jitterFloor": "--jitter-floor",
        "now": "--at", "timeBasis": "--time-basis", "timeScale": "--time-scale",
    ]

    /// `--fault` for `faults[0]`; other places stay as they are.
    private static func option(for place: String) -> String { options[place] ?? options[String(place.prefix { $0 != "[" })] ?? place }
}
