import Foundation
import SparringContract
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVerdict
import Support
import Testing

@testable import SparringAdmin

/// A recording held against the shipped contracts: what is as they have it leaves no finding, and each thing that is otherwise leaves one.
@Suite struct RecordingReaderTests {
    private static let contracts = Result { try Contract.load(directory: Repository.folder("contracts")) }

    private static func read(_ archive: JSON, hosts: [String] = []) throws -> RecordingReader {
        var reader = try RecordingReader(contracts.get(), hosts: hosts.compactMap { ServerHost($0) })
        reader.take(try Archive(archive))
        return reader
    }

    /// A consumer of LivePerson's looks up a service, signs up, and talks.
    private static let archive = """
        {"log":{"entries":[
        {"startedDateTime":"2026-01-31T12:00:00.000Z","time":3,"request":{"method":"GET","headers":[],
          "url":"https://api.liveperson.net/api/account/12345678/service/idp/baseURI.json?version=1.0"},
         "response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],
          "content":{"text":"{\\"service\\":\\"idp\\",\\"account\\":\\"12345678\\",\\"baseURI\\":\\"va.idp.liveperson.net\\"}"}}},
        {"startedDateTime":"2026-01-31T12:00:01.000Z","time":3,"request":{"method":"POST","headers":[],
          "url":"https://va.idp.liveperson.net/api/account/12345678/signup"},
         "response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],
          "content":{"text":"{\\"jwt\\":\\"eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmVkYnlzb21lYm9keQ\\"}"}}},
        {"startedDateTime":"2026-01-31T12:00:02.000Z","time":3,"request":{"method":"GET",
          "headers":[{"name":"Authorization","value":"jwt eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmVkYnlzb21lYm9keQ"}],
          "url":"wss://va.msg.liveperson.net/ws_api/account/12345678/messaging/consumer?v=3"},
         "response":{"status":101,"headers":[],"content":{"size":0}},"_webSocketMessages":[
          {"type":"send","time":1769860803,"opcode":1,"data":"{\\"kind\\":\\"req\\",\\"id\\":\\"7\\",\\"type\\":\\"GetClock\\",\\"body\\":{}}"},
          {"type":"receive","time":1769860803.1,"opcode":1,
           "data":"{\\"kind\\":\\"resp\\",\\"reqId\\":\\"7\\",\\"code\\":200,\\"type\\":\\"GetClockResponse\\",\\"body\\":{\\"currentTime\\":1769860803100}}"}]},
        {"startedDateTime":"2026-01-31T12:00:04.000Z","time":3,"request":{"method":"GET","headers":[],"url":"https://fonts.example/a.woff"},
         "response":{"status":200,"headers":[],"content":{"size":10}}}
        ]}}
        """

    @Test func `what is as the contract has it leaves no finding`() throws {
        let reader = try Self.read(try JSON(parsing: Self.archive))
        #expect(
            reader.entries.map(\.operation) == [
                "liveperson.lookUpService", "liveperson.signUp", "liveperson.openConsumerSocket", "liveperson.getClock",
            ])
        #expect(reader.entries.flatMap(\.findings).isEmpty, "\(reader.entries.flatMap(\.findings))")
        #expect(reader.count == 3 && reader.others == ["fonts.example": 1])
        #expect(reader.entries.compactMap(\.answer?.status) == [200, 200, 101, 200])
        // The token that the sign-up handed out says who opened the socket, and who talks on it.
        #expect(reader.entries[2].lane == reader.entries[1].lane && reader.entries[3].lane == reader.entries[1].lane)
        #expect(reader.json.map { $0["number"]?.integer } == [1, 2, 3, 4])
    }

    @Test(arguments: [
        ("an unknown operation", "/signup", "/sign-on", "unplaced", "POST /api/account/12345678/sign-on"),
        (
            "another path", "service/idp/baseURI.json", "services/idp/baseURI.json", "unplaced",
            "GET /api/account/12345678/services/idp/baseURI.json"
        ),
        ("another method", #""POST","headers":[]"#, #""PUT","headers":[]"#, "unplaced", "PUT /api/account/12345678/signup"),
        ("a parameter that is new", "?version=1.0", "?version=1.0&colour=red", "undeclared", "query:colour"),
        ("a missing member", #"\"baseURI\":"#, #"\"baseUri\":"#, "missing", "answer body:/baseURI"),
        ("another type", #"\"baseURI\":\"va.idp.liveperson.net\""#, #"\"baseURI\":7"#, "type", "answer body:/baseURI"),
        ("a member that is new", #"{\"jwt\":"#, #"{\"expires\":1,\"jwt\":"#, "unknown", "answer body:/expires"),
        ("another status", #""status":200"#, #""status":418"#, "status", "answer status"),
        ("a body that breaks off", #"c2lnbmVkYnlzb21lYm9keQ\"}"}"#, #"c2lnbmVk"}"#, "type", "answer body:"),
        ("another enumerator", #"\"kind\":\"resp\""#, #"\"kind\":\"reply\""#, "value", "answer body:/kind"),
        ("a reply without its content", #"{\"currentTime\":1769860803100}"#, "{}", "missing", "answer body:/body/currentTime"),
        ("a message that is unknown", #"\"type\":\"GetClock\""#, #"\"type\":\"GetWeather\""#, "misunderstood", #"message:"GetWeather""#),
        ("a message whose name is misspelt", #"\"type\":\"GetClock\""#, #"\"type\":\"GetClcok\""#, "misspelt", #"message:"GetClcok""#),
        ("a message that is not JSON", #"\"type\":\"GetClock\""#, #"\"type\":GetClock"#, "syntax", "message:"),
    ])
    func `each thing that is otherwise is named, and nothing else`(
        what: String, text: String, planted: String, code: String, place: String
    ) throws {
        #expect(Self.archive.contains(text), "\(what)")
        let changed = Self.archive.replacing(text, with: planted, maxReplacements: 1)
        let reader = try Self.read(try JSON(parsing: changed))
        let findings = reader.entries.flatMap(\.findings)
        // A member that is called otherwise is missing and new; the reply to a message that is unknown answers nothing that was asked.
        let expected = what == "a missing member" || what.hasPrefix("a message ") ? 2 : 1
        #expect(findings.count == expected && findings.first?.code == code && findings.first?.place == place, "\(what): \(findings)")
        #expect(findings.allSatisfy { $0.code != "misunderstood" || $0.basis != nil }, "\(what): \(findings)")
        let report = try reader.judge(VerdictRequest(), Self.behaviours.get(), name: what)
        #expect(report.subject == .recording && report.contract.count == findings.count, "\(what)")
    }

    /// The frame that the consumer sends.
    private static let frame = #""opcode":1,"data":"{\"kind\":\"req\",\"id\":\"7\",\"type\":\"GetClock\",\"body\":{}}""#

    @Test(
        arguments: [
            (#""opcode":1,"data":"{\"kind\":\"req\",\"id\":\"7\",\"type\":\"GetClcok\",\"body\":{}}""#, ["misspelt"], true),
            (#""opcode":1,"data":"{\"kind\":\"req\",\"id\":""#, ["syntax"], true),
            (#""opcode":1,"data":"{\"kind\":\"req\",\"id\":\"7\",\"type\":\"GetWeather\",\"body\":{}}""#, ["misunderstood"], false),
            (#""opcode":1,"data":" ""#, ["misunderstood"], false), (#""opcode":2,"data":"AAE=""#, ["misunderstood"], false),
            // Sparring's own archives have only the beginning of a long message.
            (#""_sparring":{"size":300000},"opcode":1,"data":"{\"kind\":\"req\"""#, ["misunderstood"], false),
            (#""opcode":9,"data":"{\"kind\"""#, [], false),
        ] as [(String, [String], Bool)])
    func `a message that no operation fits breaks the contract as it does live`(_ planted: String, _ codes: [String], _ breaks: Bool) throws
    {
        #expect(Self.archive.contains(Self.frame))
        let reader = try Self.read(try JSON(parsing: Self.archive.replacing(Self.frame, with: planted)))
        // The vendor's reply answers nothing then.
        #expect(reader.entries.flatMap(\.findings).map(\.code) == codes + ["misunderstood"])
        #expect(try reader.judge(VerdictRequest(), Self.behaviours.get(), name: "frames").contract.isBroken == breaks)
    }

    /// A path that the vendor has taken may be new there.
    @Test(arguments: [("404", "misspelt", true), ("200", "unplaced", false)])
    func `a call with a slip in its path breaks the contract as it does live, if the vendor refused it`(
        _ status: String, _ code: String, _ breaks: Bool
    ) throws {
        let archive = Self.archive.replacing("service/idp", with: "sevrice/idp")
            .replacing(#""status":200"#, with: #""status":\#(status)"#, maxReplacements: 1)
        let reader = try Self.read(try JSON(parsing: archive))
        #expect(reader.entries.flatMap(\.findings).map(\.code) == [code])
        #expect(try reader.judge(VerdictRequest(), Self.behaviours.get(), name: "path").contract.isBroken == breaks)
    }

    private static let behaviours = Result {
        try Behaviours(
            folder: Repository.folder("contracts"), contracts: contracts.get().filter { $0.vendor != "admin" },
            effects: FaultVocabulary.words)
    }

    @Test func `a time that no clock reaches is a time like any other`() throws {
        let far = Self.archive.replacing("2026-01-31T12:00:01.000Z", with: "9999-12-31T23:59:59.999Z").replacing(
            "1769860803.1", with: "1e300")
        let reader = try Self.read(try JSON(parsing: far))
        #expect(reader.entries.count == 4)
        #expect(try reader.judge(VerdictRequest(), Self.behaviours.get(), name: "far").subject == .recording)
    }

    @Test func `whose a call is, its host says`() throws {
        let moved = try JSON(parsing: Self.archive.replacing("liveperson.net", with: "our-cloud.example"))
        #expect(try Self.read(moved).count == 0)
        let named = try Self.read(moved, hosts: ["*.our-cloud.example"])
        #expect(named.count == 3 && named.entries.flatMap(\.findings).isEmpty)
        // A vendor's own host is no other vendor's.
        let foreign = try Self.read(try JSON(parsing: Self.archive.replacing("liveperson.net", with: "talkdeskid.com")))
        #expect(foreign.entries.flatMap(\.findings).map(\.code) == ["unplaced", "unplaced", "unplaced"])
    }

    @Test func `a value for which a placeholder stands is held against no pattern`() throws {
        var redaction = Redaction(.recording)
        let archive = redaction.document(try JSON(parsing: Self.archive))
        #expect(!archive.text.contains("c2lnbmVk"))
        let reader = try Self.read(archive)
        #expect(reader.entries.count == 4 && reader.entries.flatMap(\.findings).isEmpty, "\(reader.entries.flatMap(\.findings))")
        #expect(reader.entries[3].lane == reader.entries[1].lane)
    }
}
