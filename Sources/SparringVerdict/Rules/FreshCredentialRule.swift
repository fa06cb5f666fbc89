import SparringJSON

/// After a failure that says that the credential is of no use, or may be spent, the next call of the kind brings another.
struct FreshCredentialRule: RuleForm {
    static let word = "freshCredential"
    static let members = ["of", "after", "credential", "per"]

    /// What brings it.
    let operations: Set<String>
    /// What makes the last one worthless: a call that failed, a socket's end.
    let after: [Selector]
    let credential: [Place]
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        operations = Set(try vocabulary.operations("of", declaration))
        guard !operations.isEmpty else { throw ConfigurationError(declaration.pointer, "'of' is missing: what brings the credential") }
        var after: [Selector] = []
        if let list = declaration.json["after"]?.array {
            for (index, json) in list.enumerated() {
                after.append(try Selector(json, at: declaration.pointer.appending("after").appending(index), vocabulary))
            }
        } else {
            after = [try Selector.read("after", declaration, vocabulary)]
        }
        self.after = after
        credential = try Place.read("credential", declaration)
        guard !credential.isEmpty else {
            throw ConfigurationError(declaration.pointer, "'credential' is missing: where it stands in a call")
        }
        scope = try Scope(declaration)
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self) }

    private struct Follower: Judge {
        struct Refused {
            var by: Event
            var value: Int
        }

        let rule: FreshCredentialRule
        /// The last credential of each key, as a hash.
        var last: [String: Int] = [:]
        var refused: [String: Refused] = [:]
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            let key = rule.scope.key(event)
            if event.kind == .call, rule.operations.contains(event.operation), let value = event.value(at: rule.credential)?.hashValue {
                if let worthless = refused.removeValue(forKey: key) {
                    if worthless.value == value {
                        judgement.against.append(
                            .init(
                                event.number,
                                "\(event.words) brought the same credential again after entry \(worthless.by.number), \(worthless.by.words)"
                            ))
                    } else {
                        judgement.passes += 1
                        if judgement.favour.count < Judgement.limit {
                            judgement.favour.append(
                                .init(event.number, "\(event.words) brought another credential after entry \(worthless.by.number)"))
                        }
                    }
                }
                last[key] = value
            }
            if let value = last[key], rule.after.contains(where: { $0.matches(event) }) { refused[key] = Refused(by: event, value: value) }
        }

        mutating func finish(_ end: Instant) -> Judgement {
            judgement.wanted = "another call after " + rule.after.map(\.words).joined(separator: " or ")
            for open in refused.values.sorted(by: { $0.by.number < $1.by.number }) {
                judgement.open.append("no further call came after entry \(open.by.number)")
            }
            return judgement
        }
    }
}
