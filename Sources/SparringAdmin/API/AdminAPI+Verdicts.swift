import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVerdict

/// Operations of the tag "Verdicts".
extension AdminAPI {
    func listRules() -> Answer {
        let rules = behaviours.rules.map { rule -> JSON in
            .members([
                "rule": .string(rule.name), "vendor": .string(rule.vendor), "kind": .string(rule.kind), "says": .string(rule.says),
                "source": .string(rule.source), "fidelity": .string(rule.fidelity),
                "advice": rule.isAdvice ? true : nil,
                "platforms": rule.platforms.isEmpty ? nil : .array(rule.platforms.map { .string($0) }),
            ])
        }
        let unobservable = behaviours.files.flatMap { file in
            file.unobservable.map { owed -> JSON in
                [
                    "vendor": .string(file.vendor), "says": .string(owed.says), "source": .string(owed.source),
                    "because": .string(owed.because),
                ]
            }
        }
        let policies = behaviours.files.flatMap(\.policies).map { policy -> JSON in
            [
                "policy": .string(policy.name), "vendor": .string(policy.vendor), "says": .string(policy.says),
                "source": .string(policy.source), "value": policy.standard,
            ]
        }
        return Answer("rules", ["rules": .array(rules), "policies": .array(policies), "unobservable": .array(unobservable)])
    }

    func mark(_ call: AdminCall) async throws -> Answer {
        let sandbox = try sandbox(call)
        var members = call.body.object ?? [:]
        let lane = members.removeValue(forKey: "lane")?.string ?? call.request.headers[.init("X-Sparring-Lane")!]
        let name = members["mark"]?.string ?? ""
        var entry = sandbox.entry(.mark, cause: "the client reports: \(name)", details: .object(members))
        entry.lane = lane?.laneName
        if !behaviours.marks.contains(name) {
            entry.findings = [
                Finding("unknown-mark", "no rule knows the mark \(name.quoted)\(Nearest.hint(for: name, in: behaviours.marks))")
            ]
        }
        let told = entry
        try await store.write { db in try sandbox.journal.append(told, db) }
        sandbox.journal.committed()
        return Answer("marked")
    }

    func judge(_ call: AdminCall) async throws -> Answer {
        let sandbox = try sandbox(call)
        do {
            let request = try VerdictRequest(call.body)
            let settle = min(call.body["settle"]?.string.flatMap { Duration(text: $0) } ?? .zero, .seconds(600))
            let report = try await sandbox.judge(request, behaviours, settlingFor: settle)
            var json = request.isWhole ? report.wholeJSON : report.json
            if !request.formats.isEmpty {
                var reports = JSON.Object()
                var suite = SuiteReport(report, version: facts.version, now: Timestamp(milliseconds: Arrival.now.wall / 1_000_000))
                suite.showsAllRules = request.showsAllRules
                for format in request.formats { reports[format.rawValue] = .string(try suite.rendered(format)) }
                json["reports"] = .object(reports)
            }
            return Answer("verdicts", json)
        } catch let error as ConfigurationError {
            throw AdminProblem(error)
        }
    }
}
