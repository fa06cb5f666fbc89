import HTTPTypes
import SparringContract
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringSandbox

/// The way of a call: guarded, checked, performed.
extension AdminAPI {
    /// The operations that do not need the token: they reveal nothing secret.
    private static let access: [String: Access] = [
        AdminOperation.readHealth.rawValue: .everybody, AdminOperation.readVersion.rawValue: .everybody,
        AdminOperation.readCertificateAuthority.rawValue: .everybody, AdminOperation.readCertificateProfile.rawValue: .everybody,
        AdminOperation.readSchema.rawValue: .everybody, AdminOperation.openPage.rawValue: .pages,
        AdminOperation.openSandboxPage.rawValue: .pages, AdminOperation.readPageFile.rawValue: .pages,
    ]

    func decide(_ hosted: HostedCall) async -> HostedAnswer {
        var (operation, request) = (hosted.operation, hosted.request)
        do {
            let access = Self.access[hosted.operation.id] ?? .control
            try guardAdmin(hosted.head, hosted.addresses, for: access)
            let checked = try checked(request, operation)
            // A misspelt condition would select everything. Browsers add to a page's address what they like.
            let unknown = checked.undeclared.filter { $0.part == .query }
            if access != .pages, !unknown.isEmpty { throw malformed(unknown) }
            let given = AdminCall(
                operation: operation, request: request, body: checked.body ?? [:], addresses: hosted.addresses,
                url: Self.url(of: hosted.head),
                onHangUp: hosted.onHangUp,
                resend: hosted.resend)
            let call = try await meant(by: given)
            (operation, request) = (call.operation, call.request)
            return HostedAnswer(try await retryingIfGone { try await perform(call) }, of: operation, request)
        } catch {
            var problem = Self.problem(error)
            // What an operation cannot be refused for is Sparring's own failure.
            if operation.answer(problem.name) == nil { problem = AdminProblem("internal-error", "Sparring failed: \(problem.detail)") }
            if problem.name == "internal-error" { metrics.failed() }
            return HostedAnswer(render(problem, operation), of: operation, request)
        }
    }

    func checked(_ request: RequestParts, _ operation: ContractOperation) throws(AdminProblem) -> CheckedRequest {
        let checked = operation.check(request)
        // A form or plain text that happens to be JSON is what a page of another origin can send without asking first (Fetch standard, CORS).
        guard checked.isUsable, operation.requestBody == nil || checked.violations.isEmpty else { throw malformed(checked.violations) }
        return checked
    }

    private static func url(of head: RequestHead) -> String { "\(head.isTLS ? "https" : "http")://\(head.authority ?? "")" }

    /// A call whose sandbox is deleted or reset meanwhile is as one that came after that.
    func retryingIfGone<Value>(_ perform: () async throws -> Value) async throws -> Value {
        while true {
            do { return try await perform() } catch is SandboxGone { continue }
        }
    }

    private func malformed(_ violations: [Violation]) -> AdminProblem {
        AdminProblem(
            "request-malformed", violations.map(\.description).joined(separator: "; "),
            members: [
                "violations": .array(
                    violations.map { violation in
                        let place = violation.part == .contentType ? "Content-Type" : violation.pointer
                        return ["pointer": .string(place), "message": .string(violation.message)]
                    })
            ])
    }

    static func problem(_ error: any Error) -> AdminProblem {
        AdminProblem(refusal: error) ?? AdminProblem("internal-error", "Sparring failed: \(error)")
    }

    private func render(_ problem: AdminProblem, _ operation: ContractOperation) -> Answer {
        Answer(problem.name, document(of: problem, operation), headers: problem.headers, cause: problem.detail.abbreviated(to: 2000))
    }

    func document(of problem: AdminProblem, _ operation: ContractOperation) -> JSON {
        let status = operation.answer(problem.name)?.status ?? 500
        var body: JSON = [
            "type": .string("urn:sparring:problem:\(problem.name)"), "title": .string(Response.reason(of: status)),
            "status": .integer(Int64(status)), "detail": .string(problem.detail.abbreviated(to: 2000)),
        ]
        for (name, value) in problem.members { body[name] = value }
        return body
    }
}

extension AdminProblem {
    /// The problem that an expected error is answered with; nil for an error that should not happen.
    init?(refusal error: any Error) {
        switch error {
        case let problem as AdminProblem: self = problem
        case let error as ConfigurationError: self.init(error)
        case World.ChangeError.invalid(let error): self.init(error)
        case World.ChangeError.fault(let pointer, let error): self.init(ConfigurationError(pointer, error.description))
        case World.ChangeError.exists(let name):
            self.init("sandbox-exists", "the sandbox \(name.quoted) already exists")
        case World.ChangeError.tenantTaken: self.init("tenant-taken", "\(error)")
        case let error as ContractError: self.init("configuration-invalid", error.description)
        case let error as FaultRefused: self.init("fault-refused", error.reason, members: Self.nearest(error.nearest))
        case let refusal as Refusal:
            self.init("act-refused", refusal.cause, members: ["refusal": .string(refusal.name)])
        default: return nil
        }
    }
}
