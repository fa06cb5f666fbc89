import SparringContract
import SparringJSON

/// A client leaves nothing behind when it signs out: what `begins` began for a device is ended before the consumer signs out or another
/// consumer begins it there, or enough attempts to end it were made; and no more calls come in the consumer's name until the next sign-in.
struct CleanLogoutRule: RuleForm {
    static let word = "cleanLogout"
    static let members = ["begins", "ends", "device", "same", "most", "gaveUp", "signsOut", "signsIn", "calls"]

    let begins: Selector
    let ends: Selector
    /// The place of the device in a call of `begins`. A call of `ends` that names a device there for which nothing was begun ends nothing.
    let device: [SourcePlace]
    /// The values that a call of `ends` has in common with the one that it ends, such as the app.
    let same: [SourcePlace]
    /// So many failed attempts are enough, if the client says that it gave up; nil: any attempt is.
    let most: Int?
    let gaveUp: Selector?
    let signsOut: Selector?
    let signsIn: Selector?
    /// The calls that no longer come once the consumer has signed out.
    let calls: Selector?

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        begins = try Selector.read("begins", declaration, vocabulary)
        ends = try Selector.read("ends", declaration, vocabulary)
        device = try SourcePlace.read("device", declaration)
        same = try SourcePlace.read("same", declaration)
        most = try declaration.count("most")
        gaveUp = try Selector.optional("gaveUp", declaration, vocabulary)
        signsOut = try Selector.optional("signsOut", declaration, vocabulary)
        signsIn = try Selector.optional("signsIn", declaration, vocabulary)
        calls = try Selector.optional("calls", declaration, vocabulary)
    }

    var selectors: [Selector?] { [begins, ends, gaveUp, signsOut, signsIn, calls] }
    var wanted: String { (signsOut ?? ends).words }

    func judge(_ timing: Timing) -> any Judge { CleanLogoutJudge(rule: self) }
}

private struct CleanLogoutJudge: Judge {
    /// A registration that was begun for a device, and how many attempts there were to end it.
    struct Registration {
        let begun: Event
        let value: String
        var attempts = 0
        /// The last attempt was refused for the credential: nothing the client has will do.
        var isBarred = false
        var isGivenUp = false
    }

    /// Someone signed out, or was followed on the device, with something begun; it may be ended yet.
    struct Suspect {
        var begun: Event
        var complaint: Verdict.Evidence
        /// The number of the person's devices that are signed out by then; nil: it was not a sign-out that named its device.
        var devicesOut: Int?
    }

    let rule: CleanLogoutRule
    /// The registrations, by device.
    var registrations: [String: Registration] = [:]
    var suspects: [Suspect] = []
    var signedOut: [String: Event] = [:]
    /// Calls after a sign-out, by lane.
    var late: [String: [Verdict.Evidence]] = [:]
    var marks = MarksTold()
    /// Devices that are signed out, by lane.
    var out: [String: Set<String>] = [:]
    var judgement = Judgement()

    mutating func take(_ event: Event) {
        marks.take(event)
        if rule.gaveUp?.matches(event) == true {
            for (device, registration) in registrations where registration.begun.lane == event.lane && registration.attempts > 0 {
                registrations[device]?.isGivenUp = true
            }
        }
        if rule.ends.matches(event) {
            end(event)
        } else if rule.begins.matches(event), let device = event.value(at: rule.device) {
            begin(event, device)
        }
        if let signsIn = rule.signsIn, signsIn.matches(event) { signedOut[event.lane] = nil }
        if let before = signedOut[event.lane], rule.calls?.matches(event) == true {
            late[event.lane, default: []].append(
                .init(event.number, "\(event.words) came after \(event.lane) had signed out in entry \(before.number)"))
        }
        guard let signsOut = rule.signsOut, signsOut.matches(event) else { return }
        if let device = event.device { out[event.lane, default: []].insert(device) }
        for (_, registration) in registrations where registration.begun.lane == event.lane {
            suspect(registration, event.number, "\(event.lane) signed out", devicesOut: event.device == nil ? nil : out[event.lane]?.count)
        }
        if event.device == nil { registrations = registrations.filter { $0.value.begun.lane != event.lane || $0.value.attempts > 0 } }
        signedOut[event.lane] = event
    }

    private mutating func begin(_ event: Event, _ device: String) {
        if let before = registrations[device], before.begun.lane != event.lane {
            suspect(before, event.number, "\(event.lane) took over the device of \(before.begun.lane)", devicesOut: nil)
        }
        registrations[device] = Registration(begun: event, value: value(event))
    }

    private func value(_ event: Event) -> String { rule.same.map { event.value(at: $0) ?? "" }.joined(separator: "\n") }

    private mutating func end(_ event: Event) {
        let isOver = rule.most == nil || event.outcome?.isSuccess == true
        let value = value(event)
        if let named = event.value(at: rule.device), registrations[named] == nil { return }
        for (device, registration) in registrations where registration.begun.lane == event.lane && registration.value == value {
            guard isOver else {
                registrations[device]?.attempts += 1
                registrations[device]?.isBarred = event.outcome?.failureClass == AnswerOutcome.authentication.rawValue
                continue
            }
            registrations[device] = nil
            suspects.removeAll { $0.begun.number == registration.begun.number }
            judgement.pass(event.number, "\(event.words) ended what entry \(registration.begun.number) began")
        }
    }

    private mutating func suspect(_ registration: Registration, _ entry: Int, _ what: String, devicesOut: Int?) {
        let begun = registration.begun
        let enough = rule.most ?? 1
        let why: String
        switch registration.attempts {
        case 0: why = "and there was no attempt to unregister what entry \(begun.number) registered"
        case _ where registration.isBarred: return judgement.passes += 1
        case ..<enough:
            why = "and none of \(registration.attempts) attempts to unregister what entry \(begun.number) registered had succeeded"
        case _ where registration.isGivenUp: return judgement.passes += 1
        default: why = "and what entry \(begun.number) registered was still there, though the client had not reported that it gave up"
        }
        suspects.append(Suspect(begun: begun, complaint: .init(entry, "\(what), \(why)"), devicesOut: devicesOut))
    }

    mutating func finish(_ end: Instant) -> Judgement {
        // Who has tried and has not signed out keeps the sign-out open.
        for registration in registrations.values where registration.attempts > 0 && signedOut[registration.begun.lane] == nil {
            judgement.pass(registration.begun.number, "\(registration.attempts) attempts to unregister failed, and nobody signed out")
        }
        for (index, suspect) in suspects.enumerated() {
            if let out = suspect.devicesOut {
                // Whose registration is which device's is not visible: as many may be left as devices are still signed in.
                let left = marks.count(of: suspect.begun.lane) - out
                let before = suspects[..<index].count { $0.complaint.entry == suspect.complaint.entry }
                if before < left { continue }
            }
            judgement.blame(suspect.complaint)
        }
        for (lane, complaints) in late.sorted(by: { $0.key < $1.key }) where !marks.nameSeveralDevices(of: lane) {
            for complaint in complaints { judgement.blame(complaint) }
        }
        return judgement
    }
}
