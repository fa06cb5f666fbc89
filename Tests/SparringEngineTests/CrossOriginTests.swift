import BirdSupport
import HTTPTypes
import SparringJSON
import Support
import Testing

/// Pages of other origins, which may call the vendors (Fetch standard, CORS).
@Suite struct CrossOriginTests {
    @Test(arguments: TestServer.Speed.allCases)
    func `pages of any origin may call the vendors, credentials and all`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            let origin: HTTPFields = [.origin: "https://app.example"]
            var question = origin
            question[.accessControlRequestMethod] = "POST"
            question[.accessControlRequestHeaders] = "content-type, x-sparring-lane"
            let preflight = try await server.send(.options, birdsTarget(), headers: question)
            #expect(preflight.status == 204 && preflight.body.isEmpty)
            #expect(preflight.headers[.accessControlAllowOrigin] == "https://app.example")
            let methods = "OPTIONS, GET, HEAD, POST"
            #expect(preflight.headers[.accessControlAllowMethods] == methods && preflight.headers[.allow] == methods)
            #expect(preflight.headers[.accessControlAllowHeaders] == "content-type, x-sparring-lane")
            #expect(preflight.headers[.accessControlAllowCredentials] == "true" && preflight.headers[.vary] == "Origin")
            let plain = try await server.send(.options, birdTarget())
            #expect(plain.status == 204 && plain.headers[.allow] == "OPTIONS, GET, HEAD" && plain.headers[.accessControlAllowOrigin] == nil)

            // Every kind of answer can be read by the page: granted, refused, forced, of no tenant, of no operation, of the wrong method.
            try await server.arm("parrot.listBirds status code=418")
            for (target, status) in [
                (birdTarget(), 200), (birdTarget(bird: "kiki"), 404), (birdTarget("nope"), 404), ("/nowhere", 404), (birdsTarget(), 418),
                ("/parrot/tickets", 405),
            ] {
                let answer = try await server.send(.get, target, headers: origin)
                #expect(answer.status == status, "\(target)")
                #expect(answer.headers[.accessControlAllowOrigin] == "https://app.example", "\(target)")
                #expect(try await server.send(.get, target).headers[.accessControlAllowOrigin] == nil)
            }
            // Being asked is no exchange.
            #expect(try await server.journal("?operation=parrot.admitBird").isEmpty)
        }
    }
}
