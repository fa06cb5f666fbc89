import HTTPTypes
public import SparringJSON
import SparringSandbox

extension TestServer {
    /// Arms a fault and returns its number.
    @discardableResult
    public func arm(_ text: String, sandbox: String = "default") async throws -> Int64 {
        let armed = try await admin(.post, "faults", ["fault": .string(text)], sandbox: sandbox)
        guard let number = armed["number"]?.integer else { throw ToolError("the fault has no number: \(armed)") }
        return number
    }

    /// The newest entry of an operation.
    public func newest(_ operation: String, sandbox: String = "default") async throws -> JSON {
        guard let entry = try await journal("?operation=\(operation)&limit=10000", sandbox: sandbox).last else {
            throw ToolError("there is no entry of \(operation)")
        }
        return entry
    }

    /// Returns once so many things wait on the clock.
    public func untilPending(_ count: Int = 1, sandbox: String = "default") async throws {
        try await until { try await admin(.get, "clock", sandbox: sandbox)["pending"]?.array?.count == count }
    }
}

/// The outcomes of so many calls, one after the other: `x` for 503, which the tests' faults answer with, `.` for 200.
public func pattern(_ count: Int, _ call: () async throws -> Int) async throws -> String {
    var pattern = ""
    for _ in 0..<count { pattern += mark(try await call()) }
    return pattern
}

public func mark(_ status: Int) -> String { status == 200 ? "." : status == 503 ? "x" : "?" }
