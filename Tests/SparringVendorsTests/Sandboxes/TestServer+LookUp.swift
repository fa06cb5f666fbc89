import HTTPTypes
import SparringJSON
import Support

/// The tenants that these tests configure.
let acme: JSON.Object = ["liveperson": ["accountId": "acme"], "identity": ["tenantId": "brand"]]

/// The operation that they call: it needs nothing but its account.
let lookUpService = "liveperson.lookUpService"

func lookUpTarget(_ account: String = "acme", service: String = "idp") -> String {
    "/api/account/\(account)/service/\(service)/baseURI.json?version=1.0"
}

extension TestServer {
    /// One call; `lane` says who calls.
    @discardableResult
    func lookUp(_ lane: String? = nil, account: String = "acme") async throws -> TestAnswer {
        try await send(.get, lookUpTarget(account), headers: lane.map { [.init("X-Sparring-Lane")!: $0] } ?? [:])
    }

    /// `x` for each call that was answered with 503, `.` for 200.
    func lookUps(_ count: Int, lane: String? = nil) async throws -> String { try await pattern(count) { try await lookUp(lane).status } }
}
