import SparringJSON

extension Coverage {
    var json: JSON {
        .members([
            "shares": .object(
                Axis.allCases.reduce(into: [:]) { shares, axis in
                    let share = share(axis)
                    shares[axis.rawValue] = ["met": .count(share.met), "all": .count(share.all)]
                }),
            "operations": .array(rows.map(\.json)),
            "rules": .array(rules.map { ["rule": .string($0.name), "exercised": .bool($0.isExercised)] }),
            "extra": .array(extra.map { ["call": .string($0.name), "count": .count($0.count)] }),
            "effects": .array(effects.map { .string($0) }), "closeCodes": .array(closeCodes.map { .count($0) }),
            "varied": varied.isEmpty
                ? nil : .object(variedByFamily.reduce(into: [:]) { $0[$1.family] = .array($1.operations.map { .string($0) }) }),
        ])
    }

    init(_ read: ReportReader) throws(ConfigurationError) {
        self.init()
        rows = try read.items("operations").map { item throws(ConfigurationError) in try Row(item) }
        rules = try read.items("rules").map { item throws(ConfigurationError) in (try item.text("rule"), item.json["exercised"] == true) }
        extra = try read.items("extra").map { item throws(ConfigurationError) in (try item.text("call"), try item.count("count")) }
        effects = try read.texts("effects")
        closeCodes = try read.counts("closeCodes")
        varied = (read.json["varied"]?.object ?? [:]).reduce(into: [:]) { $0[$1.key] = Set($1.value.array?.compactMap(\.string) ?? []) }
    }

    /// In the order of the families' numbers.
    var variedByFamily: [(family: String, operations: [String])] {
        varied.sorted { ($0.key.count, $0.key) < ($1.key.count, $1.key) }.map { ($0.key, $0.value.sorted()) }
    }
}

extension Coverage.Row {
    fileprivate var json: JSON {
        .members([
            "operation": .string(name), "kind": isNotification ? "notification" : nil, "stub": isStub ? true : nil,
            "live": live.map { .string($0) },
            "state": .string(state.rawValue),
            "calls": .count(calls),
            "answers": .array(
                answers.map { .members(["answer": .string($0.name), "refusal": $0.isHappy ? nil : true, "count": .count($0.count)]) }),
            "members": .array(members.map { ["member": .string($0.name), "sent": .bool($0.isSent)] }),
        ])
    }

    fileprivate init(_ read: ReportReader) throws(ConfigurationError) {
        self.init(
            name: try read.text("operation"), isNotification: read.json["kind"] == "notification", isStub: read.json["stub"] == true,
            live: read.json["live"]?.string, calls: try read.count("calls"))
        answers = try read.items("answers").map { item throws(ConfigurationError) in
            Coverage.Answer(name: try item.text("answer"), isHappy: item.json["refusal"] != true, count: try item.count("count"))
        }
        members = try read.items("members").map { item throws(ConfigurationError) in (try item.text("member"), item.json["sent"] == true) }
    }
}
