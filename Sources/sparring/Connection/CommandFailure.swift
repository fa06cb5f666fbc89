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

    /// The known words that are like an unknown one, on a line of their own; empty where none is.
    static func hint(for word: String, in known: some Sequence<String>) -> String { hint(Nearest.words(to: word, in: known)) }

    /// - Parameter near: known words that may have been meant.
    static func hint(_ near: [String]) -> String { near.isEmpty ? "" : "\n  did you mean \(Nearest.choice(of: near))?" }

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
            let place = violation["pointer"]?.string ?? "", pointer = JSONPointer(place)
            let around = pointer.map { name(JSONPointer(tokens: Array($0.tokens.dropLast()))) } ?? ""
            return (place: pointer.map(name) ?? place, around: around, message: violation["message"]?.string ?? violation.text)
        }
        var lines = [problem["detail"]?.string ?? title]
        if violations.count == 1, lines[0].hasSuffix(violations[0].message) {
            let (place, around, message) = violations[0]
            let member = place.split(separator: ".").last.map { $0.prefix { $0 != "[" } } ?? ""
            // `scenario: there is no scenario 'pushr-down'` says it twice.
            let isNamed = member.isEmpty || message.contains(member.hasSuffix("s") ? member.dropLast() : member)
            let shown = isNamed ? around : place
            lines = [shown.isEmpty ? message : "\(shown): \(message)"]
        } else if violations.count > 1, violations.allSatisfy({ lines[0].contains($0.message) }) {
            lines = violations.map { $0.place.isEmpty ? $0.message : "\($0.place): \($0.message)" }
        } else {
            lines += violations.map { "  " + ($0.place.isEmpty ? "" : "\($0.place): ") + $0.message }
        }
        lines += problem.texts("holders").map { "  " + $0 }
        let nearest = problem.texts("nearest")
        if !nearest.isEmpty { lines.append("  did you mean \(Nearest.choice(of: nearest))?") }
        if problem["type"] == "urn:sparring:problem:stub-unknown" { lines.append("  `sparring stub list` shows the stubs that there are") }
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
        "clock.mode": "--clock", "clock.now": "--now", "clock.rate": "--rate", "contract": "--contract", "defect": "--defect",
        "faults": "--fault", "jitterFloor": "--jitter-floor", "now": "--at", "settle": "--settle", "tenants": "--tenant",
        "timeBasis": "--time-basis", "timeScale": "--time-scale",
    ]

    /// The same for operations whose members' names mean other things elsewhere. An argument without a name has none here.
    private static let ownOptions: [AdminCall: [String: String]] = [
        .advanceClock: ["by": ""],
        .mintCredential: [
            "algorithm": "--algorithm", "claims": "--claim", "clientId": "--client-id", "codeChallenge": "--code-challenge",
            "codeChallengeMethod": "--code-challenge-method", "encryption": "--encryption", "issuedAt": "--issued-at",
            "lifetime": "--lifetime", "missingClaim": "--missing-claim", "redirectURI": "--redirect-uri", "subject": "--subject",
        ],
        .setClock: ["offset": "--offset", "rate": "--rate"],
    ]

    /// The command line's name for a member of an operation's request.
    static func option(for place: JSONPointer, of operation: AdminCall) -> String {
        ownOptions[operation]?[place.words] ?? option(for: place.words)
    }

    /// `--fault` for `faults[0]`; other places stay as they are.
    private static func option(for place: String) -> String { options[place] ?? options[String(place.prefix { $0 != "[" })] ?? place }
}
