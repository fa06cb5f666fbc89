import SparringContract
import SparringJSON
import SparringVariation
import Testing

/// Ids and plans as texts, what clients send back, and the forms of JSON.
@Suite struct VariationTextTests {
    @Test(arguments: [
        "V5@bird.find/ada/3#/body/changes/0/closeReason", "V12@bird.find/a%2Fb%23c/1#/x=2", "V9@bird#3f9a12c0=1",
        "V19@bird.find/ada/1#body",
        "V4@bird.find/ada/1#/with%3Dsign/%40=0", "V1@bird.find/{x}/1#/caf\u{E9}/~1a", "V4@bird.find/%25/2#",
    ])
    func `an id is read as it was written`(_ text: String) throws {
        #expect(try VariationID(text).description == text)
    }

    @Test(arguments: [
        ("", "FAMILY@"), ("V5", "FAMILY@"), ("V99@a.b/l/1#/x", "no family V99"), ("V5@a.b/l/1", "'#'"),
        ("V5@a.b/l#/x", "OPERATION/LANE/NUMBER"),
        ("V5@a.b/l/0#/x", "a number above 0"), ("V5@a.b/l/x#/x", "a number above 0"), ("V5@a.b/l%2/1#/x", "hexadecimal"),
        ("V5@a.b/l/1#/x=", "behind '='"),
        ("V5@a.b/l/1#/x=100", "behind '='"), ("V5@a.b/l%zz/1#/x", "hexadecimal"),
    ])
    func `what is no id is refused with why`(_ text: String, _ why: String) {
        let error = #expect(throws: ConfigurationError.self) { try VariationID(text) }
        #expect(error?.message.contains(why) == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            (7, "7"), ("7:V5,v12", "7:V5,V12"), (["seed": 7, "families": ["V5"]], "7:V5"),
            (["seed": 7, "families": ["V5"], "only": ["V5@a.b/l/1#/x"], "without": ["V4@a.b/l/1#"], "turn": 2], "7:V5"),
        ] as [(JSON, String)])
    func `a plan is read, and kept as it was read`(_ json: JSON, _ text: String) throws {
        let plan = try VariationPlan(json)
        #expect(try VariationPlan(plan.json) == plan)
        #expect(plan.seed == 7 && (plan.families == VariationPlan.standard) == !text.contains(":"))
        #expect((plan.only == nil) == (json["only"] == nil))
    }

    @Test(
        arguments: [
            (["families": ["V5"]], "seed"), (["seed": -1], "seed"), ("x", "no seed"), ("7:", "no family"), ("7:V5,", "no family"),
            ("7:V0", "no family"),
            (["seed": 7, "famillies": []], "did you mean"), (["seed": 7, "only": ["V5"]], "is not a variation"), (true, "a seed"),
            (["seed": 7, "turn": 100], "0 to 99"), ([], "a seed"),
        ] as [(JSON, String)])
    func `what is no plan is refused with why`(_ json: JSON, _ why: String) {
        let error = #expect(throws: ConfigurationError.self) { try VariationPlan(json, at: ["vary"]) }
        #expect(error?.message.contains(why) == true && error?.pointer.tokens.first == "vary", "\(error?.description ?? "")")
    }

    // MARK: What comes back

    @Test func `an id that was made longer is taken back, wherever it stands`() {
        for seed in Int64(1)...20 {
            for id in ["abc", "a_sparring", "x-7f3z", "5f0c0e1a2b3c4d5e6f7081cc"] {
                let subject = VariationSubject(VariationPlan(seed: seed, families: [.length], turn: Int(seed)))
                var variation = BodyVariation(subject, hosts: [:])
                let sent = variation.varied(
                    ["id": .string(id)],
                    by: SchemaView(Self.schema("{ type: object, properties: { id: { type: string, x-use: opaque } } }")))
                guard let longer = sent["id"]?.string else { continue }
                #expect(longer.count > id.count)
                for text in ["/a/\(longer)?b=\(longer)", "{\"x\":[\"\(longer)\",1]}", "Bearer \(longer)"] {
                    let restored = TakenBack.restored(Array(text.utf8), withNumbers: true).map { String(decoding: $0, as: UTF8.self) }
                    #expect(restored == text.replacing(longer, with: id))
                }
            }
        }
    }

    @Test(
        arguments: [
            ("{\"id\":9007000000000042}", "{\"id\":42}"), ("/x/9007000000000000/y", "/x/0/y"), ("a_sparring7f3zb", "ab"),
            ("_sparringabcz", ""),
            ("19007000000000042", nil), ("90070000000000421", nil), ("_sparring7fz", nil), ("_sparring7f3", nil), ("", nil), ("plain", nil),
        ] as [(String, String?)])
    func `only what was spelt otherwise is changed`(_ text: String, _ expected: String?) {
        #expect(TakenBack.restored(Array(text.utf8), withNumbers: true).map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test func `numbers in other things than JSON stay`() {
        #expect(TakenBack.restored(Array("9007000000000042".utf8), withNumbers: false) == nil)
    }

    // MARK: Forms

    @Test func `every form of a JSON text says the same`() throws {
        for seed in Int64(1)...40 {
            guard let (form, changes) = JSONForm.drawn(VariationSubject(VariationPlan(seed: seed))) else { continue }
            for sample in Sample.all.prefix(40) {
                let body: JSON = ["a/b": sample.body, "é": "\u{1F600}\n\u{0}", "n": [1.5, -3, .null, true, [], [:]]]
                #expect(try JSON(parsing: form.written(body)) == body, "\(changes)")
            }
        }
    }

    @Test func `this machine has another name at the same port, and a vendor has none`() {
        let others = OtherHosts.of(["http://127.0.0.1:8080", "localhost:8443", "https://vendor.example"])
        #expect(others == ["127.0.0.1:8080": "localhost:8080", "localhost:8443": "127.0.0.1:8443"])
    }

    private static func schema(_ yaml: String) -> Schema? {
        let text = """
            openapi: 3.1.0
            info: { title: Birds, version: '1' }
            tags: [{ name: Birds }]
            paths:
              /birds:
                get:
                  operationId: find
                  tags: [Birds]
                  x-fidelity: assumed
                  x-source: a test
                  responses:
                    '200':
                      description: A bird.
                      content: { application/json: { schema: \(yaml), examples: { found: { value: {} } } } }
            """
        return (try? Contract(parsing: text, file: "bird.openapi.yaml", vendor: "bird"))?.operations.first?.answers.first?.schema
    }
}
