import HTTPTypes
package import SparringJSON
package import Support

/// The operation that most of these tests call: it needs nothing but its flock.
package let findBird = "parrot.findBird"

package func birdTarget(_ flock: String = "macaws", bird: String = "polly") -> String { "/parrot/flocks/\(flock)/birds/\(bird)" }
package func birdsTarget(_ flock: String = "macaws") -> String { "/parrot/flocks/\(flock)/birds" }

extension TestServer {
    /// One call; `lane` says who calls.
    @discardableResult
    package func find(_ lane: String? = nil, flock: String = "macaws") async throws -> TestAnswer {
        try await send(.get, birdTarget(flock), headers: lane.map { [.init("X-Sparring-Lane")!: $0] } ?? [:])
    }

    /// One call, whose connection may break.
    package func attempt(_ lane: String? = nil) async throws -> Result<Int, Disturbed> {
        do { return .success(try await find(lane).status) } catch let error as Disturbed { return .failure(error) }
    }

    /// `x` for each call that was answered with 503, `.` for 200.
    package func finds(_ count: Int, lane: String? = nil, flock: String = "macaws") async throws -> String {
        try await pattern(count) { try await find(lane, flock: flock).status }
    }

    /// The newest entry of an operation.
    package func entry(_ operation: String = findBird) async throws -> JSON { try await newest(operation) }
}
