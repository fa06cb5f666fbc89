import SparringJSON
package import SparringJournal

/// The request and the answer in one entry of the journal, as a report shows them: without secrets, and long bodies cut short.
package struct ReportedExchange: Sendable {
    package struct Half: Sendable {
        /// `POST /api/…` of a request, `401 token-expired` of an answer.
        package var line: String
        package var headers: [(name: String, value: String)]
        package var body: String
    }

    package var entry: Int
    /// The operation, or what kind of entry it is.
    package var what: String
    package var lane: String?
    /// Why the answer is what it is.
    package var cause: String?
    /// The sandbox's time.
    package var time: String
    package var request: Half?
    package var answer: Half?
    package var findings: [String]
    /// The effects of faults on it.
    package var effects: [String]

    private static let bodyLimit = 4000

    /// - Parameters:
    ///   - record: an entry in the form that the journal keeps.
    ///   - redaction: the report's.
    package init?(_ record: [UInt8], _ redaction: inout Redaction) {
        guard let stored = try? JSON(parsing: record), let number = stored["number"]?.integer else { return nil }
        let json = redaction.document(stored)
        entry = Int(number)
        what = json["operation"]?.string ?? json["kind"]?.string ?? ""
        lane = json["lane"]?.string
        cause = json["cause"]?.string
        time = json["sandboxTime"]?.string ?? ""
        request = json["request"].map { request in
            Half(request, line: [request["method"]?.string, request["target"]?.string])
        }
        answer = json["answer"].map { answer in
            Half(answer, line: [answer["status"]?.integer.map { String($0) }, answer["name"]?.string, answer["delivery"]?.string])
        }
        findings = (json["findings"]?.array ?? []).compactMap { $0["words"]?.string ?? $0["message"]?.string }
        effects = (json["effects"]?.array ?? []).compactMap(\.string)
    }
}

extension ReportedExchange.Half {
    fileprivate init(_ json: JSON, line: [String?]) {
        self.line = line.compactMap { $0 }.joined(separator: " ")
        headers = (json["headers"]?.object ?? [:]).map { ($0.key, $0.value.string ?? "") }
        let text = json["body"]?.string ?? json["bodyHex"]?.string.map { "(hexadecimal) " + $0 } ?? ""
        body = text.abbreviated(to: ReportedExchange.bodyLimit)
    }
}
