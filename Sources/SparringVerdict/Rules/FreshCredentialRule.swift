import SparringJSON

/// After a failure that says that the credential is of no use, or may be spent, the next call of the kind brings another.
struct FreshCredentialRule: RuleForm {
    static let word = "freshCredential"
    static let members = ["of", "after", "credential", "held", "issued", "per"]

    /// What brings it.
    let operations: OperationSet
    /// What makes the last one worthless: a call that failed, a socket's end.
    let after: [Selector]
    let credential: [SourcePlace]
    /// Which of them become worthless where what does so is no call that brought one, such as the end of a socket.
    let held: [SourcePlace]
    /// Where answers issue credentials: what was issued again after it became worthless is as good as another.
    let issued: [SourcePlace]
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        operations = OperationSet(try vocabulary.operations("of", declaration))
        guard !operations.isEmpty else { throw ConfigurationError(declaration.pointer, "'of' is missing: what brings the credential") }
        after = try Selector.list("after", declaration, vocabulary)
        guard !after.isEmpty else { throw ConfigurationError(declaration.pointer, "'after' is missing: what it means") }
        credential = try SourcePlace.read("credential", declaration)
        guard !credential.isEmpty else {
            throw ConfigurationError(declaration.pointer, "'credential' is missing: where it stands in a call")
        }
        held = try SourcePlace.read("held", declaration)
        issued = try SourcePlace.read("issued", declaration)
        scope = try Scope(declaration)
    }

    func concerns(_ place: EventPlace) -> Bool {
        operations.contains(place.operation) || after.contains { $0.concerns(place) }
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self) }

    private struct Follower: Judge {
        /// A credential in its place in one of the keys.
        struct Slot: Hashable {
            var key: String
            var place: SourcePlace
        }

        let rule: FreshCredentialRule
        /// The last credential, as a hash.
        var last: [Slot: Int] = [:]
        var worthless: [Slot: (by: Event, value: Int)] = [:]
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            let key = rule.scope.key(event)
            let isBringing = event.kind == .call && rule.operations.contains(event.name)
            var brought: [SourcePlace] = []
            if isBringing {
                for place in rule.credential {
                    guard let value = event.value(at: place)?.hashValue else { continue }
                    brought.append(place)
                    bring(event, Slot(key: key, place: place), value)
                }
            }
            if event.kind == .call, event.outcome?.isSuccess == true, let value = event.value(at: rule.issued)?.hashValue {
                for (slot, before) in worthless where slot.key == key && before.value == value {
                    worthless[slot] = nil
                    judgement.passes += 1
                    judgement.note(event.number, "\(event.words) issued the credential anew after entry \(before.by.number)")
                }
            }
            guard rule.after.contains(where: { $0.matches(event) }) else { return }
            for place in event.kind == .call ? brought : rule.held {
                let slot = Slot(key: key, place: place)
                if let value = last[slot] { worthless[slot] = (event, value) }
            }
        }

        private mutating func bring(_ event: Event, _ slot: Slot, _ value: Int) {
            last[slot] = value
            guard let (by, before) = worthless.removeValue(forKey: slot) else { return }
            if before == value {
                judgement.blame(
                    .init(
                        event.number,
                        "\(event.words) brought the same credential (\(slot.place)) again after entry \(by.number), \(by.words)"))
            } else {
                judgement.passes += 1
                judgement.note(event.number, "\(event.words) brought another credential (\(slot.place)) after entry \(by.number)")
            }
        }

        mutating func finish(_ end: Instant) -> Judgement {
            judgement.wanted = "another call after " + rule.after.map(\.words).joined(separator: " or ")
            for open in worthless.values.sorted(by: { $0.by.number < $1.by.number }) {
                judgement.open.append("no further call came after entry \(open.by.number)")
            }
            return judgement
        }
    }
}
