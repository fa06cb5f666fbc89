import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import Support
import Testing

/// Structured content is judged as the vendor's renderer judges it (json-pollock, js/schema).
@Suite struct StructuredContentTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let kind: String
        let sound: String
        let unsound: String
        /// The defect of the unsound one, as the finding's code, and its place.
        let code: String
        let place: String

        init(_ kind: String, sound: String, unsound: String, _ code: String, _ place: String) {
            (self.kind, self.sound, self.unsound, self.code, self.place) = (kind, sound, unsound, code, place)
        }

        var testDescription: String { kind }
    }

    // MARK: Elements

    static let elements = [
        Case(
            "text", sound: #"{"type":"text","text":"Low tide is at noon","tag":"title","rtl":false,"alt":"tide","style":{"bold":true}}"#,
            unsound: #"{"type":"text","tooltip":"tide"}"#, "missing", "/text"),
        Case(
            "text without a type", sound: #"{"text":"Low tide is at noon"}"#, unsound: #"{"text":["Low tide"]}"#, "type", "/text"),
        Case(
            "image", sound: #"{"type":"image","url":"https://harbour.test/pier.png","caption":"The pier","tooltip":"pier"}"#,
            unsound: #"{"type":"image","caption":"The pier"}"#, "missing", "/url"),
        Case(
            "a url alone, which may be an image or a preview", sound: #"{"url":"https://harbour.test/pier.png","caption":"The pier"}"#,
            unsound: #"{"url":"https://harbour.test/pier.png"}"#, "missing", "/type"),
        Case(
            "button",
            sound:
                #"{"type":"button","title":"Berth 7","subtitle":"free","class":"button","ref":{"name":"berths","type":"carouselSelect"}}"#,
            unsound: #"{"type":"button","title":"Berth 7","class":"link"}"#, "value", "/class"),
        Case(
            "map", sound: #"{"type":"map","la":53.54,"lo":9.97,"accessibility":{"web":{"role":"img","aria-label":"harbour"}}}"#,
            unsound: #"{"type":"map","la":53.54}"#, "missing", "/lo"),
        Case(
            "linkPreview", sound: #"{"type":"linkPreview","url":"https://harbour.test/news","title":"News"}"#,
            unsound: #"{"type":"linkPreview","title":"News"}"#, "missing", "/url"),
        Case(
            "template", sound: #"{"type":"template","templateType":"quickReply","title":"Sail today?","resp":["Aye","No"]}"#,
            unsound: #"{"type":"template","templateType":"quickReply","title":"Sail today?","resp":[]}"#, "count", "/resp"),
        Case(
            "keyValuePairList", sound: #"{"type":"keyValuePairList","elements":[{"key":"Berth","value":"7"},{"key":"Draught"}]}"#,
            unsound: #"{"type":"keyValuePairList","elements":[{"value":"7"}]}"#, "missing", "/elements/0/key"),
        Case(
            "vertical",
            sound: #"{"type":"vertical","border":"dropShadow","scroll":"enable","display":{"size":"tall"},"metadata":[],"elements":[]}"#,
            unsound: #"{"type":"vertical","border":"dotted","elements":[]}"#, "value", "/border"),
        Case(
            "horizontal",
            sound: #"{"type":"horizontal","percentages":[30,70],"borderLine":true,"elements":[{"text":"Berth"},{"text":"7"}]}"#,
            unsound: #"{"type":"horizontal","percentages":["30"],"elements":[]}"#, "type", "/percentages/0"),
        Case(
            "an element that is none, deep inside", sound: #"{"type":"vertical","elements":[{"type":"horizontal","elements":[]}]}"#,
            unsound: #"{"type":"vertical","elements":[{"type":"horizontal","elements":[{"type":"dial","hand":7}]}]}"#, "value",
            "/elements/0/elements/0/type"),
        Case(
            "carousel",
            sound: #"{"type":"carousel","padding":10,"elements":[{"type":"text","text":"Bow"},{"type":"vertical","elements":[]}]}"#,
            unsound: #"{"type":"carousel","padding":11,"elements":[{"text":"Bow"},{"text":"Stern"}]}"#, "range", "/padding"),
        Case(
            "carousel of one", sound: #"{"type":"carousel","elements":[{"text":"Bow"},{"text":"Stern"}]}"#,
            unsound: #"{"type":"carousel","elements":[{"text":"Bow"}]}"#, "count", "/elements"),
        Case(
            "carousel in a carousel",
            sound: #"{"type":"vertical","elements":[{"type":"carousel","elements":[{"text":"Bow"},{"text":"Stern"}]}]}"#,
            unsound: #"{"type":"carousel","elements":[{"text":"Bow"},{"type":"carousel","elements":[{"text":"Bow"},{"text":"Stern"}]}]}"#,
            "value", "/elements/1/type"),
        Case(
            "carouselSelect",
            sound: #"{"type":"carouselSelect","selectMode":{"name":"berths","type":"single"},"elements":[{"text":"Berth 7"}]}"#,
            unsound: #"{"type":"carouselSelect","selectMode":{"name":"berths"},"elements":[{"text":"Berth 7"}]}"#, "missing",
            "/selectMode/type"),
        Case(
            "accordionSelect",
            sound: #"""
                {"type":"accordionSelect","selectMode":{"name":"sails"},"titles":[{"name":"Jib","additional":"new"}],
                "elements":[{"type":"text","text":"12 m2"}]}
                """#,
            unsound: #"{"type":"accordionSelect","selectMode":{"name":"sails"},"titles":[],"elements":[{"text":"12 m2"}]}"#, "count",
            "/titles"),
        Case(
            "tabs", sound: #"{"type":"tabs","elements":[{"type":"vertical","tag":"Today","elements":[{"text":"Calm"}]}]}"#,
            unsound: #"{"type":"tabs","elements":[]}"#, "count", "/elements"),
        Case(
            "list", sound: list(), unsound: #"{"type":"list","elements":[{"type":"text","text":"Crew"}]}"#, "count", "/elements"),
        Case(
            "sectionList", sound: list(sections: #"[{"type":"section","sectionID":"deck","elements":[CHECKLIST]}]"#),
            unsound: list(sections: #"[{"type":"text","text":"deck"}]"#), "value", "/elements/1/elements/0/type"),
        Case(
            "section",
            sound: list(sections: #"[{"type":"section","sectionID":"deck","padding":3,"elements":[{"text":"Deck"},CHECKLIST]}]"#),
            unsound: list(sections: #"[{"type":"section","elements":[CHECKLIST]}]"#), "missing", "/elements/1/elements/0/sectionID"),
        Case(
            "checklist", sound: list(boxes: "BOX,BOX,BOX"), unsound: list(boxes: "BOX"), "count",
            "/elements/1/elements/0/elements/0/elements"),
        Case(
            "checkbox",
            sound: list(boxes: #"BOX,{"type":"checkbox","text":"Mate","borderLine":false,"borderColor":"navy","click":{"actions":[]}}"#),
            unsound: list(boxes: #"BOX,{"type":"checkbox","text":"Mate"}"#), "missing",
            "/elements/1/elements/0/elements/0/elements/1/click"),
        Case(
            "buttonList", sound: list(buttons: #"SUBMIT,{"type":"button","title":"Nobody"}"#),
            unsound: list(buttons: #"{"type":"button","title":"Nobody"}"#), "value", "/elements/2/elements/0/type"),
        Case(
            "submitButton", sound: list(buttons: #"{"type":"submitButton","title":"Hire","disabled":true,"click":{}}"#),
            unsound: list(buttons: #"{"type":"submitButton","title":"Hire","disabled":"yes","click":{}}"#), "type",
            "/elements/2/elements/0/disabled"),
        Case(
            "a part of a list on its own", sound: list(),
            unsound: #"{"type":"checkbox","text":"Mate","click":{"actions":[{"type":"checked","publishText":"Mate"}]}}"#, "value", "/type"),
    ]

    /// A list of whom to hire, with other parts where they are given.
    private static func list(sections: String? = nil, boxes: String = "BOX,BOX", buttons: String = "SUBMIT") -> String {
        let sections = sections ?? #"[{"type":"section","sectionID":"deck","elements":[CHECKLIST]}]"#
        let whole =
            #"{"type":"list","elements":[{"type":"text","text":"Crew"},{"type":"sectionList","elements":SECTIONS},"#
            + #"{"type":"buttonList","elements":[BUTTONS]}]}"#
        return whole.replacing("SECTIONS", with: sections).replacing("BUTTONS", with: buttons)
            .replacing("CHECKLIST", with: #"{"type":"checklist","elements":[BOXES]}"#).replacing("BOXES", with: boxes)
            .replacing("BOX", with: #"{"type":"checkbox","text":"Cook","click":{"actions":[{"type":"checked","publishText":"Cook"}]}}"#)
            .replacing(
                "SUBMIT", with: #"{"type":"submitButton","title":"Hire","click":{"actions":[{"type":"submitAsText","submit":true}]}}"#)
    }

    // MARK: Actions

    static let actions = [
        action("publishText", sound: #""text":"Cast off""#, unsound: #""text":true"#, "type", "/text"),
        action("navigate", sound: #""la":53.54,"lo":9.97,"name":"Pier 3""#, unsound: #""la":"53.54","lo":9.97"#, "type", "/la"),
        action(
            "link",
            sound: #"""
                "uri":"https://harbour.test/pier","name":"pier","target":"slideout","ios":{"uri":"harbour-app://pier/3"},
                "android":{"uri":"intent://pier/3"},"web":{"uri":"https://harbour.test/pier/3"}
                """#, unsound: #""uri":"harbour.test/pier""#, "format", "/uri"),
        action(
            "link", sound: #""uri":"tel:+4940123456","accessibility":{"web":{"aria-label":"Call"}}"#,
            unsound: #""uri":"https://harbour.test","ios":{"uri":"pier 3"}"#, "format", "/ios/uri"),
        action(
            "addToCart", sound: #""items":[{"productId":"rope-12","quantity":2}]"#, unsound: #""items":[{"quantity":2.5}]"#, "type",
            "/items/0/quantity"),
        action(
            "custom", sound: #""data":[{"key":"berth","value":"7"}]"#, unsound: #""data":[{"value":"7"}]"#, "missing", "/data/0/key"),
        action(
            "datePicker", sound: #""class":"range","title":"Moor from","minDate":1798761600,"dateFormat":"dd.MM.""#,
            unsound: #""title":"Moor from""#, "missing", "/class"),
        action(
            "scheduleSlotList",
            sound: #""title":"Pilot","firstDayOfTheWeek":"sun","slots":[{"type":"scheduleSlot","id":"p1","start":1798765200}]"#,
            unsound: #""slots":[{"type":"scheduleSlot","id":"p1"}]"#, "missing", "/slots/0/start"),
        Case(
            "an action that is none", sound: button(#"{"type":"custom"}"#), unsound: button(#"{"type":"sail","course":270}"#), "value",
            "/click/actions/0/type"),
        Case(
            "checked", sound: list(), unsound: button(#"{"type":"checked","publishText":"Cook"}"#), "value", "/click/actions/0/type"),
        Case(
            "checked, of a checkbox", sound: list(),
            unsound: list(boxes: #"BOX,{"type":"checkbox","text":"Mate","click":{"actions":[{"type":"publishText","text":"Mate"}]}}"#),
            "value", "/elements/1/elements/0/elements/0/elements/1/click/actions/0/type"),
        Case(
            "submitAsText", sound: list(),
            unsound: list(buttons: #"{"type":"submitButton","title":"Hire","click":{"actions":[{"type":"submitAsText"}]}}"#), "missing",
            "/elements/2/elements/0/click/actions/0/submit"),
        Case(
            "five actions", sound: button(Array(repeating: #"{"type":"custom"}"#, count: 4).joined(separator: ",")),
            unsound: button(Array(repeating: #"{"type":"custom"}"#, count: 5).joined(separator: ",")), "count", "/click/actions"),
        Case(
            "metadata of a click", sound: #"{"type":"button","title":"Go","click":{"metadata":[{"type":"ExternalId","id":"b-7"}]}}"#,
            unsound: #"{"type":"button","title":"Go","click":{"metadata":{"type":"ExternalId","id":"b-7"}}}"#, "type", "/click/metadata"),
    ]

    private static func button(_ actions: String) -> String { #"{"type":"button","title":"Go","click":{"actions":["# + actions + "]}}" }

    private static func action(_ type: String, sound: String, unsound: String, _ code: String, _ place: String) -> Case {
        func whole(_ members: String) -> String { button(#"{"type":""# + type + #"","# + members + "}") }
        return Case(type, sound: whole(sound), unsound: whole(unsound), code, "/click/actions/0" + place)
    }

    // MARK: Limits

    static let limits = [
        limit("a button's title", 128, "/title") { #"{"type":"button","title":"\#($0)"}"# },
        limit("a tooltip", 256, "/tooltip") { #"{"type":"text","text":"x","tooltip":"\#($0)"}"# },
        limit("a text", 5000, "/text") { #"{"type":"text","text":"\#($0)"}"# },
        limit("what a button says", 256, "/click/actions/0/text") { button(#"{"type":"publishText","text":"\#($0)"}"#) },
        limit("a label for screen readers", 1000, "/accessibility/web/aria-label") {
            #"{"type":"text","text":"x","accessibility":{"web":{"aria-label":"\#($0)"}}}"#
        },
    ]

    private static func limit(_ kind: String, _ most: Int, _ place: String, _ make: (String) -> String) -> Case {
        Case(
            kind, sound: make(String(repeating: "o", count: most)), unsound: make(String(repeating: "o", count: most + 1)), "length", place)
    }

    // MARK: Tests

    @Test(arguments: [false, true])
    func `what the renderer draws is published without a finding, and what it refuses is refused`(_ isStrict: Bool) async throws {
        try await MessagingScene.run(configure: { $0.engine.isStrict = isStrict }) { scene in
            let socket = try await scene.socket("ada")
            let id = try await scene.conversation(socket)
            for row in Self.elements + Self.actions + Self.limits {
                for member in ["content", "message"] {
                    let sound = try await publish(row.sound, as: member, in: id, on: socket, scene)
                    #expect(sound.code == 200 && sound.findings.isEmpty, "\(row.kind): \(sound)")
                    let unsound = try await publish(row.unsound, as: member, in: id, on: socket, scene)
                    let expected = "\(row.code) body:/body/event/\(member)\(row.place)"
                    #expect(unsound.code == 400 && unsound.findings == [expected], "\(row.kind): \(unsound)")
                }
            }
        }
    }

    @Test(arguments: [(false, 200), (true, 400)])
    func `a member that the renderer does not know is a finding, refused by a strict server`(_ isStrict: Bool, _ code: Int) async throws {
        let rows = [
            (#"{"type":"text","text":"Ahoy","colour":"red"}"#, "/colour"),
            (#"{"type":"text","text":"Ahoy","style":{"colour":"red"}}"#, "/style/colour"),
            (#"{"type":"vertical","tooltip":"t","elements":[]}"#, "/tooltip"),
            (#"{"title":"Ahoy","click":{"actions":[{"type":"publishText","text":"Ahoy","uri":"app:x"}]}}"#, "/click/actions/0/uri"),
        ]
        try await MessagingScene.run(configure: { $0.engine.isStrict = isStrict }) { scene in
            let socket = try await scene.socket("ada")
            let id = try await scene.conversation(socket)
            for (content, place) in rows {
                let published = try await publish(content, as: "content", in: id, on: socket, scene)
                #expect(published.code == code && published.findings == ["undeclared body:/body/event/content\(place)"], "\(published)")
            }
        }
    }

    /// Quick replies, and what is wrong with them; nil: nothing.
    @Test(
        arguments: [
            (#"{"type":"quickReplies","itemsPerRow":8,"replies":[{"type":"button","title":"Aye"},{"title":"No"}]}"#, nil),
            (#"{"type":"quickReplies","replies":[{"type":"button","title":"Aye"}]}"#, "missing /itemsPerRow"),
            (#"{"type":"quickReplies","itemsPerRow":9,"replies":[{"type":"button","title":"Aye"}]}"#, "range /itemsPerRow"),
            (#"{"type":"quickReplies","itemsPerRow":1,"replies":[]}"#, "count /replies"),
            (#"{"type":"quickReplies","itemsPerRow":1,"replies":[{"type":"text","title":"Aye"}]}"#, "value /replies/0/type"),
        ] as [(String, String?)])
    func `quick replies are buttons, at most eight in a row`(_ replies: String, _ wrong: String?) async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket("ada")
            let id = try await scene.conversation(socket)
            var event: JSON = ["type": "ContentEvent", "contentType": "text/plain", "message": "Sail?"]
            event["quickReplies"] = try JSON(parsing: replies)
            let answer = try await socket.request("ms.PublishEvent", ["dialogId": .string(id), "event": event])
            #expect(answer["code"]?.integer == (wrong == nil ? 200 : 400), "\(answer.text)")
            let found = try await Self.findings("liveperson.publishText", scene)
            let expected = wrong.map { [$0.replacing(" ", with: " body:/body/event/quickReplies")] } ?? []
            #expect(found == expected)
        }
    }

    /// The rule of a platform, which of a link's addresses an app there opens, whether the link has one for the platform, and the verdict.
    @Test(
        arguments: [
            ("follows-the-link-for-ios", "ios", true, "pass"), ("follows-the-link-for-ios", "uri", true, "fail"),
            ("follows-the-link-for-ios", "android", true, "fail"), ("follows-the-link-for-ios", "uri", false, "pass"),
            ("follows-the-link-for-android", "android", true, "pass"), ("follows-the-link-for-android", "uri", true, "fail"),
            ("follows-the-link-for-android", "ios", true, "fail"), ("follows-the-link-for-web", "web", true, "pass"),
            ("follows-the-link-for-web", "uri", true, "fail"), ("follows-the-link-for-web", "android", true, "fail"),
            ("follows-the-link-for-web", "uri", false, "pass"),
        ])
    func `each platform follows its own link`(_ rule: String, _ opened: String, _ hasOwn: Bool, _ result: String) async throws {
        let platform = try #require(rule.split(separator: "-").last.map { String($0) })
        var mark: JSON = ["mark": "link-opened", "lane": "ada", "opened": .string(opened), "uri": "https://harbour.test/pier"]
        if hasOwn { mark[platform] = .string("harbour-\(platform)://pier") }
        let told = mark
        try await MessagingScene.run { scene in
            try await scene.server.admin(.post, "journal/marks", told)
            let report = try await scene.server.admin(.post, "verdicts", ["platform": .string(platform)])
            let verdict = report["verdicts"]?.array?.first { $0["rule"]?.string == rule }
            #expect(verdict?["result"]?.string == result, "\(verdict?.text ?? report.text)")
        }
    }

    // MARK: Helpers

    private struct Published {
        var code: Int?
        var findings: [String]
    }

    private func publish(
        _ content: String, as member: String, in dialog: String, on socket: SocketClient, _ scene: MessagingScene
    ) async throws -> Published {
        var event: JSON = ["type": "RichContentEvent"]
        event[member] = try JSON(parsing: content)
        let answer = try await socket.request("ms.PublishEvent", ["dialogId": .string(dialog), "event": event])
        let findings = try await Self.findings("liveperson.publishRichContent", scene)
        return Published(code: answer["code"]?.integer.map { Int($0) }, findings: findings)
    }

    /// The findings of the operation's last message, each as `missing body:/body/event/content/type`.
    private static func findings(_ operation: String, _ scene: MessagingScene) async throws -> [String] {
        let entry = try await scene.server.journal("?operation=\(operation)&tail=1").last
        return (entry?["findings"]?.array ?? []).map { "\($0["code"]?.string ?? "?") \($0["place"]?.string ?? "?")" }
    }

    @Test func `an agent's act is judged by the same schema`() async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket("ada")
            _ = try await scene.conversation(socket)
            for row in Self.elements + Self.actions + Self.limits {
                try await scene.act("card", ["consumer": "ada", "content": try JSON(parsing: row.sound)])
                let refused = try await scene.refusedAct("card", ["consumer": "ada", "content": try JSON(parsing: row.unsound)])
                #expect(refused.status == 422 && refused.text.contains("/content\(row.place)"), "\(row.kind): \(refused.text)")
            }
        }
    }
}
