import SparringJSON

/// After a failure that says that the credential is of no use, or may be spent, it is not brought again: neither by the next call nor by a later one.
struct FreshCredentialRule: RuleForm {
    static let word = "freshCredential"
    static let members = ["of", "brings", "after", "credential", "held", "issued", "instead", "underWay", "reset", "per"]

    /// Calls that bring it, and are judged.
    let operations: [OperationName]
    /// Calls that bring it too, and are not judged.
    let others: [OperationName]
    /// The events that make the last credential worthless: a call that failed, a socket's end.
    let after: [Selector]
    let credential: [SourcePlace]
    /// The places whose credentials become worthless where the event is no call that brought one, such as the end of a socket.
    let held: [SourcePlace]
    /// The places where answers issue credentials: one that was issued again after it became worthless is as good as another.
    let issued: [SourcePlace]
    /// Events that are as good as another credential, as the client needs none any more: one that signs out has done without the worthless one, which keeps the rule.
    let instead: [Selector]
    /// Calls to other places that come so soon after it were under way already, and so were those of other devices that share the credential; nil: none were.
    let underWay: Duration?
    /// After this nothing is held against the client: what it had stored may be brought once more.
    let reset: Selector?
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        operations = try vocabulary.operations("of", declaration, needed: "the calls that bring the credential")
        others = try vocabulary.operations("brings", declaration)
        after = try Selector.list("after", declaration, vocabulary, needed: "the failures after which it applies")
        credential = try SourcePlace.read("credential", declaration, needed: "its place in a call")
        held = try SourcePlace.read("held", declaration)
        issued = try SourcePlace.read("issued", declaration)
        instead = try Selector.list("instead", declaration, vocabulary)
        underWay = try declaration.duration("underWay")
        reset = try Selector.optional("reset", declaration, vocabulary)
        scope = try Scope(declaration)
    }

    var selectors: [Selector?] { after + instead + [reset] }
    var operationSets: [[OperationName]] { [operations, others] }
    var wanted: String { "another call after " + after.map(\.words).joined(separator: " or ") }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self, timing: timing) }

    private struct Follower: Judge {
        /// A credential in its place in one of the keys.
        struct Slot: Hashable {
            var key: String
            var place: SourcePlace
        }

        /// The state of the credentials in a slot, as hashes.
        struct Credentials {
            /// The one that was brought last.
            var last: Int?
            var worthless: [Int: (first: Event, latest: Event)] = [:]
            /// The event that made the last one worthless, until another is brought.
            var open: Event?
        }

        /// A call that may be another device's, as it came on another connection: it is, if the one before goes on with its own.
        struct Doubt {
            var event: Event
            var by: Event
            var slot: Slot
        }

        let rule: FreshCredentialRule
        let timing: Timing
        var doubts: [Doubt] = []
        var slots: [Slot: Credentials] = [:]
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            let key = rule.scope.key(event)
            if !doubts.isEmpty, let connection = event.connection {
                doubts.removeAll { $0.by.connection == connection && $0.by.end.process == event.begin.process }
            }
            if rule.reset?.matches(event) == true { slots = slots.filter { $0.key.key != key } }
            var brought: [SourcePlace] = []
            if event.kind == .call, rule.operations.contains(event.name) || rule.others.contains(event.name) {
                for place in rule.credential {
                    guard let text = event.value(at: place), !Self.isNothing(text) else { continue }
                    let value = text.hashValue
                    brought.append(place)
                    bring(event, Slot(key: key, place: place), value)
                }
            }
            if event.kind == .call, event.outcome?.isSuccess == true, let value = event.value(at: rule.issued)?.hashValue {
                for (slot, before) in slots where slot.key == key {
                    guard let by = before.worthless[value]?.latest else { continue }
                    slots[slot]?.worthless[value] = nil
                    if before.last == value { slots[slot]?.open = nil }
                    judgement.pass(event.number, "\(event.words) issued the credential again after entry \(by.number)")
                }
            }
            if rule.instead.contains(where: { $0.matches(event) }) {
                for (slot, credentials) in slots where slot.key == key {
                    guard let by = credentials.open else { continue }
                    slots[slot]?.open = nil
                    judgement.pass(event.number, "\(event.words) came instead of another credential, after entry \(by.number)")
                }
            }
            guard rule.after.contains(where: { $0.matches(event) }) else { return }
            for place in event.kind == .call ? brought : rule.held {
                let slot = Slot(key: key, place: place)
                guard let value = slots[slot]?.last else { continue }
                let first = slots[slot]?.worthless[value]?.first ?? event
                slots[slot]?.worthless[value] = (first, event)
                slots[slot]?.open = event
            }
        }

        /// Several calls with one credential may fail at once, and others may follow before the client has another.
        private func isUnderWay(_ event: Event, after by: Event) -> Bool {
            if event.wasUnderWay(when: by) { return true }
            guard let place = SourcePlace("target:path"), event.value(at: place) != by.value(at: place) || event.name != by.name else {
                return false
            }
            return isSoon(event, after: by)
        }

        private func mayBeOfAnotherDevice(_ event: Event, after by: Event) -> Bool {
            guard let connection = event.connection, let others = by.connection else { return false }
            return connection != others && isSoon(event, after: by)
        }

        private func isSoon(_ event: Event, after by: Event) -> Bool {
            guard let underWay = rule.underWay, let gap = timing.basis.seconds(from: by.end, to: event.begin) else { return false }
            return gap < timing.seconds(underWay)
        }

        private mutating func blame(_ doubt: Doubt) {
            let (event, by) = (doubt.event, doubt.by)
            judgement.blame(
                event.number, "\(event.words) brought the same credential (\(doubt.slot.place)) again after entry \(by.number), \(by.words)"
            )
        }

        /// An empty value is no credential.
        private static func isNothing(_ text: String) -> Bool { ["", "null", "{}", "[]"].contains(text) }

        private mutating func bring(_ event: Event, _ slot: Slot, _ value: Int) {
            var credentials = slots[slot] ?? Credentials()
            credentials.last = value
            if let (first, by) = credentials.worthless[value] {
                if isUnderWay(event, after: by) { return }
                guard rule.operations.contains(event.name) else { return slots[slot] = credentials }
                let doubt = Doubt(event: event, by: by, slot: slot)
                if mayBeOfAnotherDevice(event, after: first) { return doubts.append(doubt) }
                blame(doubt)
            } else if let by = credentials.open {
                judgement.pass(event.number, "\(event.words) brought another credential (\(slot.place)) after entry \(by.number)")
            }
            credentials.open = nil
            slots[slot] = credentials
        }

        mutating func finish(_ end: Instant) -> Judgement {
            for doubt in doubts { blame(doubt) }
            for open in slots.values.compactMap(\.open).sorted(by: { $0.number < $1.number }) {
                judgement.open.append("no further call came after entry \(open.number)")
            }
            return judgement
        }
    }
}
