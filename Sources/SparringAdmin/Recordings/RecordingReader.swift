import HTTPTypes
package import SparringContract
import SparringEngine
import SparringJSON
package import SparringJournal
import SparringSandbox

/// Finds out whose the calls of an archive are, and holds them, and what came of them, against the contracts. Makes a journal's entries of them.
package struct RecordingReader {
    private let contracts: [String: Contract]
    private let routes: Routes
    /// Hosts that are taken for any vendor's, beside this machine's own and those of the contracts.
    let hosts: [ServerHost]

    package private(set) var entries: [JournalEntry] = []
    /// Hosts that are no vendor's, with how many calls each got.
    package private(set) var others: [String: Int] = [:]
    /// Calls of vendors.
    package private(set) var count = 0
    /// The calls of vendors that no operation was found for.
    private(set) var unplaced: [Unplaced] = []
    /// The calls that an operation was found for, in the archive's order.
    private(set) var placed: [PlacedCall] = []
    private var lanes = RecordedLanes()
    private var sockets = 0

    /// A call, and what it is.
    struct PlacedCall {
        let call: Archive.Call
        let operation: ContractOperation
        let request: RequestParts
        /// ``JournalEntry/number`` of its entry, by which it is found among ``entries``.
        let entry: Int
        /// The numbers of the entries of the socket's messages, by the messages' places in the archive.
        var messages: [Int: Int] = [:]
    }

    /// A call that no operation was found for.
    struct Unplaced {
        let call: Archive.Call
        /// Those that it may be of.
        let vendors: Set<String>
        /// The operation that is most like it.
        let nearest: ContractOperation?
        let finding: Finding
    }

    /// - Throws: ``ContractError``.
    package init(_ contracts: [Contract], hosts: [ServerHost]) throws(ContractError) {
        let contracts = contracts.filter { $0.vendor != AdminAPI.name }
        routes = try Routes(contracts)
        self.contracts = Dictionary(uniqueKeysWithValues: contracts.map { ($0.vendor, $0) })
        self.hosts = hosts
    }

    package mutating func take(_ archive: Archive) {
        for call in archive.calls {
            let host = Authority(call.authority)?.host.lowercased() ?? call.authority
            let vendors = owners(of: host)
            if vendors.isEmpty {
                others[host, default: 0] += 1
            } else if !Self.isOwn(call) {
                count += 1
                take(call, of: vendors)
            }
        }
        // Messages have their own times.
        let order = entries.indices.sorted { (entries[$0].sandboxTime, $0) < (entries[$1].sandboxTime, $1) }
        entries = order.map { entries[$0] }
    }

    /// The vendors that a host may be; none for a host that is nobody's.
    private func owners(of host: String) -> Set<String> {
        let owners = contracts.values.filter { $0.vendorHosts.contains { $0.matches(host: host) } }.map(\.vendor)
        if !owners.isEmpty { return Set(owners) }
        let isLocal = ["localhost", "127.0.0.1", "::1"].contains(host) || host.hasSuffix(".localhost")
        return isLocal || hosts.contains { $0.matches(host: host) } ? Set(contracts.keys) : []
    }

    /// Sparring's own page and admin API, what it calls itself, and what browsers ask before a call (W3C Fetch §4.8).
    private static func isOwn(_ call: Archive.Call) -> Bool {
        call.own?.isOutbound == true || call.method == .options || call.target.hasPrefix("/__admin/") || call.target == "/favicon.ico"
    }

    // MARK: Calls

    private mutating func take(_ call: Archive.Call, of vendors: Set<String>) {
        guard let (operation, parameters) = operation(for: call, vendors) else { return }
        let request = parts(of: call, parameters)
        let checked = operation.check(request)
        var entry = entry(.exchange, call, operation)
        entry.lane = lanes.lane(of: operation, request, checked.body)
        entry.request = JournalEntry.Request(
            method: call.method.rawValue, target: call.target, headers: call.headers, body: call.body.bytes, connection: nil)
        let isEmulated = operation.answer(Finding.notEmulated) == nil
        if isEmulated, call.body.isKnown {
            entry.findings = (checked.violations + checked.undeclared).heedingPlaceholders(in: checked.body).map { Finding($0) }
        }
        if let status = call.status {
            let body = Self.value(of: call.answerBody, call.answerHeaders)
            let found = operation.recognise(status: status, headers: call.answerHeaders, body: body, isBodyKnown: call.answerBody.isKnown)
            entry.answer = JournalEntry.Answer(
                name: found.answer?.name, status: status, outcome: found.answer?.outcome.rawValue, headers: call.answerHeaders,
                body: call.answerBody.bytes)
            if isEmulated {
                entry.findings += (found.violations + found.undeclared).heedingPlaceholders(in: body).map { Finding(ofAnswer: $0) }
            }
            lanes.learn(from: body, entry.lane)
        } else {
            entry.answer = JournalEntry.Answer(
                name: nil, status: nil, headers: [:], body: [], delivery: "no answer", received: .nothing)
        }
        entry.answered = entry.arrival.monotonic.addingClamped(Int64(clamped: call.took * 1_000_000))
        lanes.count(&entry)
        entry.number = entries.count + 1
        var placed = PlacedCall(call: call, operation: operation, request: request, entry: entry.number)
        if let channel = channel(openedBy: operation), let messages = call.messages {
            sockets += 1
            entry.details = ["socket": .integer(Int64(sockets))]
            entries.append(entry)
            var socket = RecordedSocket(number: sockets, channel: channel, opening: entry, request: request, isEmulated: isEmulated)
            for message in messages { socket.take(message, &lanes) }
            placed.messages = socket.places.mapValues { $0 + entries.count + 1 }
            entries += socket.entries.enumerated().map { index, entry in
                var entry = entry
                entry.number = entries.count + 1 + index
                return entry
            }
        } else {
            entries.append(entry)
        }
        self.placed.append(placed)
    }

    private mutating func operation(for call: Archive.Call, _ vendors: Set<String>) -> (ContractOperation, PathParameters)? {
        let match = routes.match(method: call.method, target: call.target, host: call.authority)
        var nearest: [ContractOperation] = []
        var reason = "no operation matches \(call.method) \(RequestParts.path(of: call.target).abbreviated(to: 200))"
        switch match {
        case .found(let operation, let parameters):
            // The page at a gateway's address is none of its calls.
            let isSocket = call.messages != nil || call.status == 101 || call.headers[.upgrade] != nil
            if vendors.contains(operation.vendor), isSocket || !operation.opensSocket { return (operation, parameters) }
            reason += " of \(vendors.sorted().joined(separator: ", "))"
        case .shared(let candidates):
            let fitting = candidates.filter { vendors.contains($0.operation.vendor) }
            let best = fitting.enumerated().min {
                ($0.element.violations(of: call, self), $0.offset) < ($1.element.violations(of: call, self), $1.offset)
            }
            if let best { return (best.element.operation, best.element.parameters) }
        case .wrongMethod(let allowed, _, let only):
            nearest = [only].compactMap(\.self)
            reason =
                "\(RequestParts.path(of: call.target).abbreviated(to: 200)) does not allow \(call.method); allowed: "
                + allowed.map(\.rawValue).joined(separator: ", ")
        case .malformedTarget(let words): reason = "malformed request target: \(words)"
        case .notFound(let found): nearest = found.filter { vendors.contains($0.vendor) }
        }
        unplaced(call, reason, nearest, vendors)
        return nil
    }

    /// A call that no contract has.
    private mutating func unplaced(_ call: Archive.Call, _ reason: String, _ nearest: [ContractOperation], _ vendors: Set<String>) {
        var entry = entry(.finding, call, nil)
        entry.cause = Cause(reason)
        let place = "\(call.method.rawValue) \(RequestParts.path(of: call.target).abbreviated(to: 300))"
        let hint = nearest.first.map { "; nearest: \($0.qualifiedName): \($0.method) \($0.pathTemplate)" } ?? ""
        // A call that the vendor has taken is new there, and no slip.
        let isRefused = call.status.map { $0 >= 400 } ?? true
        let meant = isRefused ? nearest.first { routes.isMisspelling(of: $0, method: call.method, target: call.target) } : nil
        var finding = Finding(meant == nil ? Finding.unplaced : Finding.misspelt, at: place, reason + hint)
        finding.meant = meant?.qualifiedName
        finding.member = place
        finding.basis = nearest.first.map { Finding.Basis($0.place) }
        finding.actions = nearest.first.map { routes.actions(making: $0, fit: call.method, target: call.target) } ?? []
        finding.stub = StubCall.command(for: call.method.rawValue, call.target, like: contracts.values.flatMap(\.operations))
        entry.details = ["method": .string(call.method.rawValue), "target": .string(call.target.abbreviated(to: 1000))]
        entry.findings = [finding]
        entry.number = entries.count + 1
        entries.append(entry)
        unplaced.append(Unplaced(call: call, vendors: vendors, nearest: nearest.first, finding: finding))
    }

    func channel(openedBy operation: ContractOperation) -> ContractChannel? { contracts[operation.vendor]?.channel(openedBy: operation) }

    /// Puts what a replay has found in place of the findings, but for those of calls and messages that no operation fits.
    mutating func replaceFindings(by differences: [Int: [Finding]]) {
        for index in entries.indices {
            entries[index].findings = entries[index].kind == .finding ? entries[index].findings.map(\.unjudged) : []
            entries[index].findings += differences[entries[index].number] ?? []
        }
    }

    private func entry(_ kind: JournalEntry.Kind, _ call: Archive.Call, _ operation: ContractOperation?) -> JournalEntry {
        JournalEntry(
            kind: kind, operation: operation?.qualifiedName, cause: Cause("recorded, entry \(call.index) of the archive"),
            sandboxTime: call.started, arrival: .recorded(call.started))
    }

    fileprivate func parts(of call: Archive.Call, _ parameters: PathParameters) -> RequestParts {
        let mark = call.target.utf8.firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map { PercentCoding.fields(call.target[call.target.index(after: $0)...]) } ?? []
        var headers = call.headers
        headers[.host] = call.authority
        // An archive has bodies as they were before they were compressed.
        headers[.contentEncoding] = nil
        return RequestParts(
            method: call.method, rawPath: call.target, pathParameters: parameters, query: query, headers: headers, body: call.body.bytes)
    }

    /// The body of an answer, in the form that ``ContractOperation/checkAnswer(name:status:headers:body:)`` takes.
    static func value(of body: Archive.Body, _ headers: HTTPFields) -> JSON? {
        AnswerBody.value(of: body.bytes, headers)
    }
}

extension Routes.Candidate {
    fileprivate func violations(of call: Archive.Call, _ reader: RecordingReader) -> Int {
        (isOfHost ? 0 : 1000) + operation.check(reader.parts(of: call, parameters)).violations.count
    }
}

extension Finding {
    /// The same about a call or a message of which a replay says only that no operation fits it: whether the client was wrong it does not ask.
    fileprivate var unjudged: Finding {
        guard [Finding.misspelt, Violation.Kind.syntax.rawValue].contains(code) else { return self }
        var copy = self
        copy.code = place?.hasPrefix("message:") == true ? Cause.misunderstood : Finding.unplaced
        return copy
    }
}

extension JournalEntry.Moment {
    /// A moment by the recording's clock, which is taken for one that never runs backwards.
    static func recorded(_ time: Timestamp) -> Self {
        let nanoseconds = time.milliseconds.multipliedClamped(by: 1_000_000)
        return Self(wall: nanoseconds, monotonic: nanoseconds, process: 1)
    }
}

extension HTTPField.Name {
    fileprivate static let host = HTTPField.Name("Host")!
}
