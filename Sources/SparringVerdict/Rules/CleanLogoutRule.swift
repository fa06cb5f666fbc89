import SparringJSON

/// Who signs out leaves nothing behind: what `begins` began for a device is ended, or was tried to be, before the consumer signs out and before
/// another begins it there; and nothing more is called in the consumer's name until the next sign-in.
struct CleanLogoutRule: RuleForm {
    static let word = "cleanLogout"
    static let members = ["begins", "ends", "device", "signsOut", "signsIn", "calls"]

    let begins: Selector
    let ends: Selector
    /// Where a call of `begins` names the device.
    let device: [SourcePlace]
    let signsOut: Selector?
    let signsIn: Selector?
    /// What no longer comes once signed out.
    let calls: Selector?

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        begins = try Selector.read("begins", declaration, vocabulary)
        ends = try Selector.read("ends", declaration, vocabulary)
        device = try SourcePlace.read("device", declaration)
        signsOut = try Selector.optional("signsOut", declaration, vocabulary)
        signsIn = try Selector.optional("signsIn", declaration, vocabulary)
        calls = try Selector.optional("calls", declaration, vocabulary)
    }

    func concerns(_ place: EventPlace) -> Bool {
        [begins, ends, signsOut, signsIn, calls].contains { $0?.concerns(place) ?? false }
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self) }

    private struct Follower: Judge {
        let rule: CleanLogoutRule
        /// Who has begun, by device.
        var lanes: [String: Event] = [:]
        var signedOut: [String: Event] = [:]
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            if rule.ends.matches(event) {
                for (device, begun) in lanes where begun.lane == event.lane {
                    lanes[device] = nil
                    judgement.passes += 1
                    judgement.note(event.number, "\(event.words) ended what entry \(begun.number) began")
                }
            } else if rule.begins.matches(event), let device = event.value(at: rule.device) {
                if let before = lanes[device], before.lane != event.lane {
                    judgement.blame(
                        .init(
                            event.number,
                            "\(event.lane) took over the device of \(before.lane), who registered it in entry \(before.number) and never tried to unregister"
                        ))
                }
                lanes[device] = event
            }
            if let signsIn = rule.signsIn, signsIn.matches(event) { signedOut[event.lane] = nil }
            if let before = signedOut[event.lane], rule.calls?.matches(event) == true {
                judgement.blame(
                    .init(event.number, "\(event.words) came after \(event.lane) had signed out in entry \(before.number)"))
            }
            guard let signsOut = rule.signsOut, signsOut.matches(event) else { return }
            for begun in lanes.values where begun.lane == event.lane {
                judgement.blame(
                    .init(event.number, "\(event.lane) signed out, and never tried to unregister what entry \(begun.number) registered"))
            }
            lanes = lanes.filter { $0.value.lane != event.lane }
            signedOut[event.lane] = event
        }

        mutating func finish(_ end: Instant) -> Judgement {
            judgement.wanted = rule.signsOut?.words ?? rule.ends.words
            return judgement
        }
    }
}
