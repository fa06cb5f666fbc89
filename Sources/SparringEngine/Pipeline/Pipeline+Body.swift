import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// A body that is compressed, too long, or breaks off; a part of **receive**.
extension Pipeline {
    /// The limit of an operation that reads longer bodies than others do; nil for every other.
    func readLimit(of head: RequestHead) -> Int? {
        switch routes.match(method: head.method, target: head.target, host: head.headers[.host]) {
        case .found(let operation, _): return operation.requestBody?.readLimit
        case .shared(let candidates): return candidates.compactMap { $0.operation.requestBody?.readLimit }.max()
        case .wrongMethod, .malformedTarget, .notFound: return nil
        }
    }

    /// Whether the operation gets the beginning of a body that is too long: one that takes any bytes, and refuses too many itself.
    func isTakenCut(_ head: RequestHead) -> Bool {
        guard let (operation, _) = operation(for: head), let body = operation.requestBody else { return false }
        return body.readLimit != nil && body.takesAnyBytes
    }

    func tooLarge(_ head: RequestHead, limit: Int) -> Response {
        let words = limit % (1 << 20) == 0 ? "\(limit >> 20) MiB" : "\(limit) bytes"
        return Response.problem(413, note("body-too-large", "the body is longer than \(words)", head))
    }

    /// Takes a request once its body is as it was before it was compressed.
    func decode(_ incoming: Incoming, _ coding: String) {
        let names = coding.split(separator: ",").map { $0.filter { $0 != " " } }.filter { $0.lowercased() != "identity" }
        guard let name = names.first else { return take(incoming) }
        func refuse(_ status: Int, _ reason: String, _ headers: HTTPFields = [:]) {
            let isAdmin = operation(for: incoming.head)?.0.isAdmin ?? false
            var misplaced = Misplaced(status: status, reason: reason, headers: headers, isAdmin: isAdmin)
            misplaced.code = "content-encoding"
            self.refuse(incoming, misplaced)
        }
        guard names.count == 1, let coding = ContentCoding(name: name) else {
            return refuse(
                415, "the body has the content coding \(coding.quoted); gzip and deflate are read (RFC 9110 §15.5.16)",
                [.acceptEncoding: ContentCoding.allCases.map(\.rawValue).joined(separator: ", ")])
        }
        let limit = readLimit(of: incoming.head) ?? Self.bodyLimit
        var decoded = incoming
        do throws(ContentCoding.Failure) {
            decoded.body = try coding.decode(incoming.body, atMost: limit)
        } catch {
            if error == .tooLong { return incoming.deliver(Incoming.Ending(delivery: .answer(tooLarge(incoming.head, limit: limit)))) }
            return refuse(400, "the body is no \(coding.rawValue), as its Content-Encoding says, or breaks off")
        }
        take(decoded)
    }

    /// Journals how much of a body came before the request ended.
    func brokeOff(_ exchange: Exchange, reason: String) {
        let head = exchange.head
        let came =
            head.contentLength.map { "\(exchange.bodyCount) of \($0) bytes of the body came" }
            ?? "\(exchange.bodyCount) bytes of a chunked body came"
        _ = note("body-broken-off", "\(came), then \(reason)", head)
    }

    /// Keeps what became of a request that no operation was asked about: in the journal of its sandbox if its head says whose it is, else beside the calls that
    /// matched nothing.
    ///
    /// - Returns: the words.
    private func note(_ code: String, _ words: String, _ head: RequestHead) -> String {
        guard let (operation, request) = operation(for: head), !operation.isAdmin, let (sandbox, _) = owner(of: operation, request, head)
        else {
            metrics.count("unplaced", code)
            unplaced.keep(UnplacedCall(head, reason: words))
            return words
        }
        metrics.count(operation.qualifiedName, code)
        var entry = sandbox.entry(
            .finding, cause: Cause(words, code: code),
            details: ["method": .string(head.method.rawValue), "target": .string(head.target.abbreviated(to: 1000))])
        entry.arrival = sandbox.moment(head.arrival)
        entry.operation = operation.qualifiedName
        entry.lane = lane(of: operation, nil, request, nil, sandbox)
        entry.findings = [Finding(code, at: "body", words)]
        sandbox.note(entry)
        return words
    }
}
