import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringTokens
import SparringVendors
import Support
import Testing

/// CSDS, the domain lookup, in every form that clients are known to use (LivePerson reference 2).
@Suite struct DomainLookupTests {
    private static let one = [
        "/api/account/{}/service/{s}/baseURI.json", "/api/account/{}/service/{s}/baseURI", "/csdr/account/{}/service/{s}/baseURI.json",
    ]
    private static let all = [
        "/api/account/{}/service/baseURI.json", "/api/account/{}/service/baseURI", "/csdr/account/{}/service/baseURI.json",
    ]

    private static func path(_ form: String, _ account: String, _ service: String = "") -> String {
        form.replacing("{}", with: account).replacing("{s}", with: service)
    }

    @Test(arguments: one, TestServer.Speed.usual)
    func `one service is this server`(_ form: String, _ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            for service in ["idp", "asyncMessagingEnt", "pusher", "smt", "swift", "acCdnDomain", "messagingRestApiDomain", "shiftstatus"] {
                let answer = try await server.send(.get, Self.path(form, scene.account, service) + "?version=1.0")
                #expect(answer.status == 200)
                #expect(
                    answer.text
                        == #"{"service":"\#(service)","account":"\#(scene.account)","baseURI":"127.0.0.1:\#(server.addresses.port)"}"#)
            }
            let unknown = try await server.send(.get, Self.path(form, scene.account, "asyncmessagingent") + "?version=1.0")
            #expect(unknown.status == 404 && unknown.text == #"{"error":"mock-service-unknown"}"#)
            let entry = try await server.journal("?kind=exchange").last
            #expect(entry?.cause == "there is no service 'asyncmessagingent'; nearest: asyncMessagingEnt")
        }
    }

    @Test(arguments: all, TestServer.Speed.usual)
    func `all services are this server`(_ form: String, _ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let answer = try await server.send(.get, Self.path(form, scene.account) + "?version=1.0")
            let services = try #require(answer.json?["baseURIs"]?.array)
            #expect(answer.status == 200 && answer.json?.object?.count == 1)
            let names = services.compactMap { $0["service"]?.string }
            #expect(
                Set(names).count == names.count
                    && Set(names).isSuperset(of: ["idp", "asyncMessagingEnt", "pusher", "smt", "sentinel", "agentVep"]))
            for service in services {
                #expect(service["account"] == .string(scene.account))
                #expect(service["baseURI"] == .string("127.0.0.1:\(server.addresses.port)"))
                #expect(service.object?.count == 3)
            }
        }
    }

    @Test(arguments: ["lpCsdsFound", "a.b.c", "$_1"], TestServer.Speed.usual)
    func `a script calls the function that it is given`(_ function: String, _ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let answer = try await server.send(
                .get, "/csdr/account/\(scene.account)/service/asyncMessagingEnt/baseURI.lpCsds?version=1.0&cb=\(Form.encoded(function))")
            #expect(answer.status == 200 && answer.headers[.contentType]?.hasPrefix("application/javascript") == true)
            #expect(answer.text == #"\#(function)({"ResultSet":{"lpData":[{"lpServer":"127.0.0.1:\#(server.addresses.port)"}]}});"#)
        }
    }

    @Test(arguments: ["alert(1)//", "", "1a", "a..b", "a b", "a;b", "é"], TestServer.Speed.usual)
    func `what is no function's name calls nothing`(_ function: String, _ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let lookup = try await server.send(
                .get, "/csdr/account/\(scene.account)/service/idp/baseURI.lpCsds?version=1.0&cb=\(Form.encoded(function))")
            #expect(lookup.status == 400 && lookup.text == #"{"error":"mock-request-malformed"}"#)
            let signUp = try await server.send(.get, "/api/account/\(scene.account)/signup.jsonp?callback=\(Form.encoded(function))")
            #expect(signUp.status == 500 && signUp.text == #"{"internalErrorCode":"mock-request-malformed"}"#)
            #expect(lookup.headers[.contentType] == "application/json" && signUp.headers[.contentType] == "application/json")
        }
    }

    @Test(arguments: ["localhost", "10.0.2.2", "[::1]", "checkout.localhost"])
    func `the host is the one that the client used`(_ host: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let port = server.addresses.port
            let answer = try await server.send(
                .get, "/api/account/\(scene.account)/service/idp/baseURI.json?version=1.0", headers: [.init("Host")!: "\(host):\(port)"])
            #expect(answer.json?["baseURI"] == .string("\(host):\(port)"))
        }
    }

    @Test func `the host is the advertised one, no matter who asks`() async throws {
        var options = Server.Options()
        options.contracts = Repository.folder("contracts")
        let keys = try KeyPool(folder: Repository.folder("fixtures/keys"))
        let engine = try Server(options) { try AllVendors.make($0, keys: keys) }.engine
        var request = World.SandboxRequest()
        request.tenants = ["liveperson": ["accountId": "12345678"]]
        _ = try await engine.world.create(request)
        let addresses = try engine.serve(HTTPServer.Options(), advertised: AdvertisedAddress(["mock.example"]))
        let head = RequestHead(
            method: .get, target: "/api/account/12345678/service/idp/baseURI.json?version=1.0",
            headers: [.init("Host")!: "127.0.0.1:\(addresses.port)"], connection: 1, arrival: .now)
        guard case .answer(let response) = await engine.answer(Request(head: head, body: [])), case .bytes(let bytes) = response.body else {
            Issue.record("no answer")
            return
        }
        #expect(try JSON(parsing: bytes)["baseURI"] == .string("mock.example:\(addresses.port)"))
        try await engine.stop(grace: .zero)
    }

    @Test func `a service can be anywhere else`() async throws {
        try await TestServer.run(tenants: ["liveperson": ["services": ["idp": "va.idp.example.net", "myOwn": "10.0.0.1:99"]]]) { server in
            let scene = try await Scene(server)
            func host(_ service: String) async throws -> JSON? {
                try await server.send(.get, "/api/account/\(scene.account)/service/\(service)/baseURI.json?version=1.0").json?["baseURI"]
            }
            #expect(try await host("idp") == "va.idp.example.net")
            #expect(try await host("myOwn") == "10.0.0.1:99")
            let all =
                try await server.send(.get, "/api/account/\(scene.account)/service/baseURI.json?version=1.0").json?["baseURIs"]?.array ?? []
            #expect(all.first { $0["service"] == "idp" }?["baseURI"] == "va.idp.example.net")
            #expect(all.contains { $0["service"] == "myOwn" })
        }
    }

    @Test func `the connector for unauthenticated messaging is found by its method`() async throws {
        let connectors: JSON = [["id": 17, "name": "Brand", "jsMethodName": "lpGetAuthenticationToken"], ["id": "unauth-1"]]
        try await TestServer.run(tenants: ["liveperson": ["connectors": connectors]]) { server in
            let scene = try await Scene(server)
            let answer = try await server.send(.get, "/api/account/\(scene.account)/configuration/le-connectors/all-connectors")
            let found = answer.json?.array?.first {
                $0["configuration"]?["jsMethodName"] == "lpTag.taglets.unAuthMessaging.lpUnauthFunction"
            }
            #expect(found?["id"] == "unauth-1")
            let token = try await scene.mint(["form": "jwt"])
            #expect(try await scene.signIn(.v3, ["id_token": .string(token)], connector: "unauth-1").status == 200)
            #expect(try await scene.signIn(.v3, ["id_token": .string(token)], connector: "17").status == 200)
            #expect(try await scene.signIn(.v3, ["id_token": .string(token)]).json == ["internalErrorCode": "mock-connector-unknown"])
        }
    }

    @Test func `pages of other origins may ask`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let path = "/api/account/\(scene.account)/service/idp/baseURI.json?version=1.0"
            let answer = try await server.send(.get, path, headers: [.origin: "https://brand.example"])
            #expect(answer.headers[.accessControlAllowOrigin] == "https://brand.example")
        }
    }
}
