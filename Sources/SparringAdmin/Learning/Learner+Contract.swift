import HTTPTypes
import SparringContract
import SparringJSON
import SparringJournal

/// Learning names, answers, paths, hosts and calls that contracts do not have.
extension Learner {
    // MARK: Names

    /// Takes a member of the vendor's and one of Sparring's in the same object for one with two names, where each is the only one that the other lacks.
    mutating func rename(_ operation: String, _ time: Timestamp, _ differences: inout [Difference], _ findings: inout [Finding]) {
        for new in differences where new.kind == .missing && new.place.isOfBody {
            let siblings = differences.filter { $0.place.isSibling(of: new.place) && [.missing, .surplus].contains($0.kind) }
            guard siblings.count == 2, let old = siblings.first(where: { $0.kind == .surplus }),
                let name = new.place.tokens.last, let former = old.place.tokens.last, name != "*",
                let value = new.values.recorded, let own = old.values.replayed, value.typeName == own.typeName,
                let declaring = findings.first(where: { $0.declares(name, at: new.place) }), let basis = declaring.basis
            else { continue }
            let member = basis.path + ".properties" + JSONPathText.member(name)
            let formerMember = basis.path + ".properties" + JSONPathText.member(former)
            var actions: [JSON] = [
                .update(basis.path, ["properties": .object([name: [:]])]), .copy(member, of: formerMember),
                .update(member, ["x-stands-for": .string(former)]), .remove(formerMember),
            ]
            if let absent = findings.first(where: { $0.code == Violation.Kind.missing.rawValue && $0.isAbout(old.place) }) {
                actions += absent.actions
            }
            propose(
                .contract, operation, "\(new.place.member): \(name) is the name of \(former)", in: basis.document, actions, at: time)
            findings.removeAll { $0.declares(name, at: new.place) || $0.isAbout(old.place) }
            differences.removeAll { $0.place.text == new.place.text || $0.place.text == old.place.text }
        }
    }

    // MARK: Answers

    /// Learns an answer with a status that the contract does not have.
    mutating func takeStatus(of placed: RecordingReader.PlacedCall, _ replay: Replay) {
        let call = placed.call
        guard let status = call.status, (200...599).contains(status), !placed.operation.answers.contains(where: { $0.status == status }),
            status != 407, !Self.temporary.contains(status)
        else { return }
        let key = "\(placed.operation.qualifiedName) \(status)"
        let name = replay.answerNames[placed.entry]
        if strange[key] == nil {
            strange[key] = StrangeAnswer(
                operation: placed.operation.qualifiedName, status: status,
                mediaType: call.answerHeaders[.contentType].map { MediaTypes.essence(of: $0) },
                body: call.answerBody.isKnown ? RecordingReader.value(of: call.answerBody, call.answerHeaders) : nil,
                observed: Observed(at: call.started), replayed: [name])
        } else {
            strange[key]?.observed.note(at: call.started)
            strange[key]?.replayed.insert(name)
        }
    }

    /// Proposes to declare the answers that no change of Sparring's own brings.
    mutating func declareStrange(into proposals: inout Proposals) {
        for (_, answer) in strange.sorted(by: { $0.key < $1.key }) {
            guard let operation = operation(answer.operation) else { continue }
            let isBrought = answer.replayed.allSatisfy {
                otherStatus(of: Subject(operation: answer.operation, answer: $0)) == answer.status
            }
            if isBrought { continue }
            let name = "seen-\(answer.status)"
            let media = answer.mediaType.flatMap { MediaTypes.mayAnswer($0) ? $0 : nil }
            let example = answer.body.map { redacted($0, named: "") }
            let hasContent = media != nil && example != nil
            let response: JSON = .members([
                "description": "Seen at the vendor.", "x-outcome": .string(AnswerOutcome.seen(answer.status).rawValue),
                "x-name": hasContent ? nil : .string(name),
                "content": hasContent ? .object([media ?? "": ["examples": .object([name: .members(["value": example])])]]) : nil,
            ])
            let action = JSON.update(operation.place.path, ["responses": .object([String(answer.status): response])])
            proposals.add(
                Proposal(
                    .contract, answer.operation, "there is an answer with status \(answer.status)", in: operation.place.document, [action],
                    answer.observed))
        }
    }

    // MARK: Calls

    /// Learns hosts that the user has named as a vendor's.
    mutating func takeHosts(_ reader: RecordingReader) {
        for placed in reader.placed {
            guard let host = Authority(placed.call.authority)?.host.lowercased(), !host.hasSuffix("localhost"),
                !["127.0.0.1", "::1"].contains(host), let contract = contracts[placed.operation.vendor],
                !contract.vendorHosts.contains(where: { $0.matches(host: host) })
            else { continue }
            propose(
                .contract, placed.operation.vendor, "\(host) is a host of the vendor's", in: contract.file,
                [.update("$", ["x-vendor-hosts": [["host": .string(host)]]])], at: placed.call.started)
        }
    }

    /// Learns a call that no operation fits: an operation with another path, if the vendor is not called by its own and answers as the operation does; else a stub.
    mutating func place(_ stray: RecordingReader.Unplaced, _ reader: RecordingReader) {
        let call = stray.call
        guard let status = call.status, (200..<400).contains(status) else { return }
        let path = String(call.target.prefix { $0 != "?" })
        guard redaction.target(path) == path else {
            return found.leave("\(call.method) \(redaction.target(path)): a credential is in its path")
        }
        let body = call.answerBody.isKnown ? RecordingReader.value(of: call.answerBody, call.answerHeaders) : nil
        if let nearest = stray.nearest, !stray.finding.actions.isEmpty, Self.isMoved(nearest, reader),
            Self.answers(as: nearest, status, call.answerHeaders, body)
        {
            return propose(
                .contract, nearest.qualifiedName, "it is called by \(call.method) \(path)", in: nearest.place.document,
                stray.finding.actions, at: call.started)
        }
        let candidates = stray.vendors.sorted().compactMap { contracts[$0] }
        guard let contract = stray.nearest.flatMap({ contracts[$0.vendor] }) ?? (candidates.count == 1 ? candidates[0] : nil) else {
            return
        }
        let type = call.answerHeaders[.contentType].map { MediaTypes.essence(of: $0) }
        let shown = body.map { redacted($0, named: "") }
        guard
            let stub = SeenCall(
                method: call.method.rawValue, target: call.target, status: status, mediaType: type, body: shown
            )
            .stub(in: contract)
        else { return }
        propose(
            .contract, "\(contract.vendor).\(stub.id)", "the vendor answers \(call.method) \(stub.path)", in: stub.document, stub.actions,
            at: call.started)
    }

    /// The body is as an answer of the operation.
    private static func answers(as operation: ContractOperation, _ status: Int, _ headers: HTTPFields, _ body: JSON?) -> Bool {
        let found = operation.recognise(status: status, headers: headers, body: body)
        return found.answer != nil && !(found.violations + found.undeclared).contains { $0.part == .body }
    }

    /// The vendor was not called by the operation's own path, or did not know it.
    private static func isMoved(_ operation: ContractOperation, _ reader: RecordingReader) -> Bool {
        !reader.placed.contains { $0.operation === operation && ![nil, 404, 405].contains($0.call.status) }
    }
}

extension Finding {
    /// Its actions would declare a member of that name, and it is about that place.
    fileprivate func declares(_ name: String, at place: Place) -> Bool {
        guard isAbout(place), let update = actions.first?["update"]?["properties"]?.object else { return false }
        return update[name] != nil
    }

    /// It is about a place of an answer's or message's body.
    fileprivate func isAbout(_ place: Place) -> Bool {
        guard let text = member ?? self.place, let colon = text.firstIndex(of: ":") else { return false }
        return JSONPointer(String(text[text.index(after: colon)...]))?.tokens == place.tokens
    }
}

extension Place {
    /// Both are members of the same object.
    fileprivate func isSibling(of other: Place) -> Bool {
        guard !isInText, !other.isInText, let name = tokens.last, let otherName = other.tokens.last else { return false }
        return text.dropLast(name.count) == other.text.dropLast(otherName.count)
    }
}

extension AnswerOutcome {
    /// The likeliest meaning of a status that the contract does not have.
    fileprivate static func seen(_ status: Int) -> AnswerOutcome {
        AnswerOutcome(status: status) ?? (status < 500 ? .refused : .unavailable)
    }
}
