package import SparringJSON
import SparringJournal

extension VerdictReport {
    /// Reads what ``wholeJSON`` has written.
    ///
    /// - Throws: ``ConfigurationError`` with the place of what is missing or of another type.
    package init(json: JSON, at pointer: JSONPointer = .root) throws(ConfigurationError) {
        let read = ReportReader(json, pointer)
        let times = try read.member("timing")
        var timing = Timing(
            basis: try times.word("basis", as: TimeBasis.self), scale: try times.number("scale"), floor: try times.number("jitterFloor"))
        timing.rate = times.json["clockRate"]?.double ?? 0
        self.init(
            sandbox: try read.text("sandbox"), seed: try read.count64("seed"), scenario: json["scenario"]?.string, timing: timing,
            verdicts: try read.items("verdicts").map { item throws(ConfigurationError) in try Verdict(item) },
            entries: try read.count("entries"), pruned: try read.count("pruned"), watched: try read.number("watched"),
            timeline: try read.items("timeline").map { item throws(ConfigurationError) in try TimelineItem(item) })
        // A report of an earlier version says nothing of it.
        if json["ownFailures"] != nil { ownFailures = try OwnFailures(try read.member("ownFailures")) }
        calls = try read.count("calls")
        node = json["node"]?.string
        label = json["label"]?.string
        let client = try read.member("client")
        platforms = try client.texts("platforms")
        flows = try client.texts("flows")
        contract = try ContractFindings(try read.member("contract"))
        if json["coverage"] != nil { coverage = try Coverage(try read.member("coverage")) }
        caveats = try read.texts("caveats")
        resent = try read.texts("resent")
        isTimelineCut = json["timelineCut"] == true
        exchanges = try read.items("exchanges").map { item throws(ConfigurationError) in try ReportedExchange(item) }
        sources = try read.items("sources").map { item throws(ConfigurationError) in
            Source(name: try item.text("source"), says: try item.text("says"), url: item.json["url"]?.string)
        }
        unobservable = try read.items("unobservable").map { item throws(ConfigurationError) in
            Unobservable(
                vendor: try item.text("vendor"), says: try item.text("says"), source: try item.text("source"),
                because: try item.text("because"))
        }
    }
}

extension Verdict {
    fileprivate init(_ read: ReportReader) throws(ConfigurationError) {
        let rule = RuleSummary(
            name: try read.text("rule"), vendor: try read.text("vendor"), kind: try read.text("kind"), says: try read.text("says"),
            source: try read.text("source"), fidelity: try read.text("fidelity"), platforms: try read.texts("platforms"),
            file: read.json["file"]?.string, line: try read.optionalCount("line"))
        self.init(
            rule: rule, result: try read.word("result", as: Result.self), summary: try read.text("summary"),
            evidence: try read.items("evidence").map { item throws(ConfigurationError) in try Evidence(item) },
            chains: try read.items("chains").map { item throws(ConfigurationError) in try RetryChain(item) },
            because: read.json["because"]?.string, isExpected: read.json["expected"] == true)
        shownName = read.json["name"]?.string
        isNamed = read.json["named"] == true
        isKnown = read.json["known"] == true
    }
}

extension Verdict.Evidence {
    init(_ read: ReportReader) throws(ConfigurationError) {
        self.init(try read.optionalCount("entry"), try read.text("words"))
        isAgainst = read.json["against"] == true
    }
}

extension RetryChain {
    fileprivate init(_ read: ReportReader) throws(ConfigurationError) {
        self.init(
            lane: try read.text("lane"), what: try read.text("what"),
            attempts: try read.items("attempts").map { item throws(ConfigurationError) in try Attempt(item) },
            watched: read.json["watched"]?.double)
    }
}

extension RetryChain.Attempt {
    fileprivate init(_ read: ReportReader) throws(ConfigurationError) {
        self.init(
            number: try read.count("number"), entries: try read.counts("entries"), seen: try read.number("seen"),
            waited: read.json["waited"]?.double, due: read.json["due"]?.double, earliest: read.json["earliest"]?.double,
            latest: read.json["latest"]?.double, outcome: try read.text("outcome"),
            judged: try read.word("judged", as: RetryChain.Judged.self))
    }
}

extension TimelineItem {
    fileprivate init(_ read: ReportReader) throws(ConfigurationError) {
        let begin = try read.number("begin")
        self.init(
            entry: try read.count("entry"), kind: try read.word("kind", as: Kind.self), lane: read.json["lane"]?.string ?? "",
            what: try read.text("what"), outcome: read.json["outcome"]?.string, faults: try read.counts("faults"), begin: begin,
            end: read.json["end"]?.double ?? begin)
        socket = try read.optionalCount("socket")
    }
}

extension ContractFindings {
    fileprivate init(_ read: ReportReader) throws(ConfigurationError) {
        let counts = try read.member("counts")
        self.init(
            gate: try read.word("gate", as: Gate.self),
            rows: try read.items("findings").map { item throws(ConfigurationError) in try ContractFinding(item) },
            counts: Dictionary(
                uniqueKeysWithValues: try Weight.allCases.map { weight throws(ConfigurationError) in
                    (weight, try counts.optionalCount("\(weight)") ?? 0)
                }),
            resolved: read.json["resolved"] == nil
                ? [] : try FindingBaseline(findings: read.json["resolved"] ?? .null, at: read.pointer.appending("resolved")).all)
    }
}

extension ContractFinding {
    /// A report of an earlier version has a row for each occurrence, with its words alone.
    init(_ read: ReportReader) throws(ConfigurationError) {
        self.init(
            try read.word("weight", as: ContractFindings.Weight.self), fingerprint: read.json["fingerprint"]?.string ?? "",
            code: read.json["code"]?.string ?? "", operation: read.json["operation"]?.string ?? "", place: read.json["place"]?.string,
            words: try read.text("words"), first: try read.optionalCount("entry"))
        count = try read.optionalCount("count") ?? 1
        last = try read.optionalCount("last") ?? last
        lanes = try read.texts("lanes")
        basis = try? read.json["contract"]?.decoded()
        (actions, stub) = (read.json["overlay"]?.array ?? [], read.json["stub"]?.string)
    }
}
