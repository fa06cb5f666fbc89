import HTTPTypes
import SparringContract
import SparringEngine
package import SparringJSON
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

    func mark(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        var members = call.body.object ?? [:]
        let lane = members.removeValue(forKey: "lane")?.string ?? call.request.headers[.init("X-Sparring-Lane")!]
        let name = members["mark"]?.string ?? ""
        var entry = sandbox.entry(.mark, cause: "the client reports: \(name)", details: .object(members))
        entry.lane = lane?.laneName
        if !behaviours.marks.contains(name) {
            entry.findings = [
                Finding("unknown-mark", "no rule uses the mark \(name.quoted)\(Nearest.hint(for: name, in: behaviours.marks))")
            ]
        }
        try await sandbox.write(entry) { _, _ in }
        return Answer("marked")
    }

    func judge(_ call: AdminCall) async throws -> Answer {
        let (request, report) = try await judged(try sandbox(call), call.body)
        var json = request.isWhole ? report.wholeJSON : report.json
        if !request.formats.isEmpty {
            var reports = JSON.Object()
            var suite = SuiteReport(report, version: options.version, now: Timestamp.now)
            suite.showsAllRules = request.showsAllRules
            for format in request.formats { reports[format.rawValue] = .string(suite.rendered(format)) }
            json["reports"] = .object(reports)
        }
        return Answer("verdicts", json)
    }

    /// The report that a call of ``judge(_:)`` would answer with.
    ///
    /// - Parameter form: the call's body.
    func report(on id: String, _ form: JSON) async throws(AdminRefusal) -> VerdictReport {
        guard let operation = contract.operation(AdminOperation.judge.rawValue) else {
            preconditionFailure("operations were checked at start")
        }
        do {
            let path = ["sandbox": id]
            let request = RequestParts(
                method: operation.method, rawPath: operation.path(path), pathParameters: PathParameters(path),
                headers: [.contentType: "application/json"], body: form.bytes)
            let body = try checked(request, operation).body ?? [:]
            return try await retryingIfGone { try await judged(try sandbox(id), body).report }
        } catch {
            throw AdminRefusal(document: document(of: Self.problem(error), operation))
        }
    }

    private func judged(_ sandbox: Sandbox, _ form: JSON) async throws -> (request: VerdictRequest, report: VerdictReport) {
        let request = try VerdictRequest(form)
        let settle = min(form["settle"]?.string.flatMap { Duration(text: $0) } ?? .zero, .seconds(600))
        var report = try await sandbox.judge(request, behaviours, settlingFor: settle)
        report.coverage?.note(options.live)
        return (request, report)
    }
}

/// A refusal in the admin API's words.
package struct AdminRefusal: Error, CustomStringConvertible {
    /// The problem document (RFC 9457).
    package let document: JSON
    package var description: String { document.text }
}
