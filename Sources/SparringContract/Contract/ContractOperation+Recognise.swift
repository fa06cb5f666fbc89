public import HTTPTypes
public import SparringJSON

extension ContractOperation {
    /// The declared answer that somebody else's is, and where it differs from that: of those with its status the one that it differs least from, and then the one
    /// whose example is most like it.
    ///
    /// - Parameters:
    ///   - status: nil for a message of a socket.
    ///   - body: as ``checkAnswer(name:status:headers:body:)`` takes it.
    ///   - isBodyKnown: otherwise nothing is said of the body.
    /// - Returns: the answer, nil where none has the status; what of it breaks the contract, and what the contract does not know and lets through.
    public func recognise(
        status: Int?, headers: HTTPFields, body: JSON?, isBodyKnown: Bool = true
    ) -> (answer: DeclaredAnswer?, violations: [Violation], undeclared: [Violation]) {
        let candidates = answers.filter { answer in
            guard let status else { return true }
            return answer.status != nil && answer.allows(status: status)
        }
        var best: (answer: DeclaredAnswer, violations: [Violation], undeclared: [Violation], likeness: Int)?
        for answer in candidates {
            var found = checkAnswer(name: answer.name, status: status ?? answer.status ?? 0, headers: headers, body: body)
            if !isBodyKnown { found.removeAll { $0.part == .body } }
            let undeclared = isBodyKnown ? body.flatMap { answer.schema?.undeclaredInBody($0) } ?? [] : []
            let likeness = body.map { answer.example?.likeness(to: $0) ?? 0 } ?? 0
            if let best, (best.violations.count, best.undeclared.count, -best.likeness) <= (found.count, undeclared.count, -likeness) {
                continue
            }
            best = (answer, found, undeclared, likeness)
        }
        if let best { return (best.answer, best.violations, best.undeclared) }
        let statuses = Set(answers.compactMap(\.status)).sorted().map(String.init).joined(separator: ", ")
        let words = "the operation has no answer with status \(status.map(String.init) ?? "none"), but \(statuses)"
        return (nil, [Violation(part: .status, kind: .status, message: words, basis: place)], [])
    }
}

extension JSON {
    /// How many of its values stand at the same place of the other.
    fileprivate func likeness(to other: JSON) -> Int {
        switch (self, other) {
        case (.object(let members), .object(let others)):
            members.reduce(0) { count, member in count + (others[member.key].map { member.value.likeness(to: $0) } ?? 0) }
        case (.array(let items), .array(let others)): zip(items, others).reduce(0) { $0 + $1.0.likeness(to: $1.1) }
        default: self == other ? 1 : 0
        }
    }
}
