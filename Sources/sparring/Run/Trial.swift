import SparringAdmin
import SparringJSON
import SparringSandbox
import SparringVerdict

/// One run of the command, with what was varied in it and how the client took it.
struct Trial: Sendable {
    var play: SuiteReport.Play
    var seen: Seen
    /// The command was ended, as it took far longer than without variation.
    var isCutShort = false

    /// Facts from the journals of its sandboxes.
    struct Seen: Sendable {
        /// Each once, in the order in which it was sent.
        var changes: [VariationReport.Finding.Change] = []
        /// Sockets that the client has closed with a code that says that it did not understand what it was sent (RFC 6455 §7.4.1), by their codes.
        var protests: [Int64: Int] = [:]
        /// Sockets that the client has opened.
        var openings = 0

        private var ids: Set<String> = []
        private static let protesting: Set<Int64> = [1002, 1003, 1007, 1008, 1009, 1010, 1011]

        init() {}

        /// Reads the journals of sandboxes.
        init(_ sandboxes: [String], at server: RunServer) async throws {
            for sandbox in sandboxes {
                var next: Int? = 0
                while let since = next {
                    let page = try await server.client.call(.readJournal, in: sandbox, ["since": since, "limit": Self.page]).json
                    for entry in page["entries"]?.array ?? [] { add(entry) }
                    let isLast = (page["entries"]?.array?.count ?? 0) < Self.page
                    next = isLast ? nil : page["next"]?.integer(in: 0...Int.max)
                }
            }
        }

        private static let page = 5_000

        private mutating func add(_ entry: JSON) {
            let number = entry["number"]?.integer(in: 0...Int.max) ?? 0
            for varied in entry["varied"]?.array ?? [] {
                guard let id = varied["id"]?.string, ids.insert(id).inserted else { continue }
                changes.append(
                    VariationReport.Finding.Change(
                        id: id, operation: entry["operation"]?.string ?? "", place: varied["place"]?.string ?? "",
                        words: varied["words"]?.string ?? "", entry: number))
            }
            if entry["answer"]?["status"]?.integer == 101 { openings += 1 }
            if entry["kind"] == "socket", entry["details"]?["by"] == "client", let code = entry["details"]?["code"]?.integer,
                Self.protesting.contains(code)
            {
                protests[code, default: 0] += 1
            }
        }
    }

    // MARK: Judging

    /// The plain run went well.
    var isGood: Bool { SuiteReport(version: "", plays: [play]).exitStatus == 0 }

    /// How it shows that the client did not take what was varied; nothing where it did.
    func signs(against plain: Trial) -> [String] {
        var signs: [String] = []
        if isCutShort {
            signs.append("the command did not end in the time that it has without variation")
        } else if let failure = play.failure {
            signs.append(failure)
        }
        let before = Set(plain.play.reports.flatMap(\.verdicts).filter(\.isBad).map(\.rule.qualifiedName))
        for verdict in play.reports.flatMap(\.verdicts) where verdict.isBad && !before.contains(verdict.rule.qualifiedName) {
            signs.append("\(verdict.result == .fail ? "the client broke" : "no verdict on") \(verdict.name): \(verdict.summary)")
        }
        let known = Set(plain.play.reports.flatMap { $0.contract.rows.map(\.fingerprint) })
        for row in play.reports.flatMap({ $0.contract.rows(.fail) }) where !known.contains(row.fingerprint) {
            signs.append("the client broke the contract: \(row.words)")
        }
        for (code, count) in seen.protests.sorted(by: { $0.key < $1.key }) where count > plain.seen.protests[code] ?? 0 {
            signs.append("the client closed a socket with \(code)")
        }
        if seen.openings > 3 * plain.seen.openings + 5 {
            signs.append("the client opened \(seen.openings) sockets, \(plain.seen.openings) without variation")
        }
        return signs
    }
}

extension Verdict {
    /// It counts against the client where it did not without variation.
    fileprivate var isBad: Bool { result == .fail || isMissed }
}
