import SparringJSON

extension ReportedExchange {
    var json: JSON {
        .members([
            "entry": .integer(Int64(entry)), "what": .string(what), "lane": lane.map { .string($0) }, "cause": cause.map { .string($0) },
            "time": .string(time), "request": request?.json, "answer": answer?.json,
            "findings": findings.isEmpty ? nil : .array(findings.map { .string($0) }),
            "effects": effects.isEmpty ? nil : .array(effects.map { .string($0) }),
        ])
    }

    init(_ read: ReportReader) throws(ConfigurationError) {
        entry = try read.count("entry")
        what = try read.text("what")
        lane = read.json["lane"]?.string
        cause = read.json["cause"]?.string
        time = try read.text("time")
        request = try read.json["request"].map { half throws(ConfigurationError) in
            try Half(ReportReader(half, read.pointer.appending("request")))
        }
        answer = try read.json["answer"].map { half throws(ConfigurationError) in
            try Half(ReportReader(half, read.pointer.appending("answer")))
        }
        findings = try read.texts("findings")
        effects = try read.texts("effects")
    }
}

extension ReportedExchange.Half {
    fileprivate var json: JSON {
        var fields = JSON.Object()
        for header in headers { fields[header.name] = .string(header.value) }
        return .members(["line": .string(line), "headers": .object(fields), "body": body.isEmpty ? nil : .string(body)])
    }

    fileprivate init(_ read: ReportReader) throws(ConfigurationError) {
        line = try read.text("line")
        headers = (read.json["headers"]?.object ?? [:]).map { ($0.key, $0.value.string ?? "") }
        body = read.json["body"]?.string ?? ""
    }
}
