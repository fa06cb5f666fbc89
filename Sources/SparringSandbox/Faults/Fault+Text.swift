import HTTPTypes
import SparringJournal
import SparringJSON

extension Fault {
    /// The text form, parameters in a fixed order and defaults left out.
    public var text: String {
        ([place.description, effect.word] + parameters.map { "\($0.name)=\(FaultWords.quoted($0.value))" }).joined(separator: " ")
    }

    /// Everything behind the effect, by name.
    var parameters: [(name: String, value: String)] {
        var out = effect.parameters
        if phase != usualPhase { out.append(("phase", phase.rawValue)) }
        return out + match.parameters + trigger.parameters
    }

    /// The one that is meant where none is given and place and contracts do not lead to another.
    private var usualPhase: Phase {
        guard let form = FaultForm.of(effect) else { return .onRequestEnd }
        return FaultPoint.Kind.allCases.lazy.compactMap { form.phases[$0]?.first }.first ?? .onRequestEnd
    }
}

extension Fault.Effect {
    fileprivate var parameters: [(name: String, value: String)] {
        switch self {
        case .status(let status):
            [
                ("code", String(status.code)), status.retryAfter.map { ("retry-after", $0.shortText) }, status.type.map { ("type", $0) },
                status.body.map { ("body", $0) },
            ].compactMap { $0 }
                + status.headers.map { $0.name == .location ? ("location", $0.value) : ("set-header:\($0.name.rawName)", $0.value) }
        case .delay(.fixed(let by)): [("by", by.shortText)]
        case .delay(.uniform(let from, let to)): [("from", from.shortText), ("to", to.shortText)]
        case .delay(.lognormal(let median, let sigma)): [("median", median.shortText), ("sigma", String(sigma))]
        case .alteration(.wrongContentType(let type)): [("type", type)]
        case .cut(.randomData(let count)): [("bytes", String(count))]
        case .cut(.truncate(let bytes)): bytes.map { [("bytes", String($0))] } ?? []
        case .pace(.slices(let size, let gap)): [("size", String(size)), ("gap", gap.shortText)]
        case .pace(.bandwidth(let rate)): [("rate", String(rate))]
        case .ending(let ending): ending.parameters
        case .vendor(let effect): effect.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        case .refusal, .alteration, .cut, .message: []
        }
    }
}

extension Fault.Ending {
    /// Stands for a close frame without a code, and is never in one (RFC 6455 §7.4.1).
    static let noCode: UInt16 = 1005

    fileprivate var parameters: [(name: String, value: String)] {
        var out: [(String, String)] = []
        if case .close(let code, let reason) = how {
            if code != Self.noCode { out.append(("code", String(code))) }
            if !reason.isEmpty { out.append(("reason", reason)) }
        }
        if afterFrames > 0 { out.append(("after-frames", String(afterFrames))) }
        if let after { out.append(("after", after.shortText)) }
        return out
    }
}

extension Fault.Match {
    fileprivate var parameters: [(name: String, value: String)] {
        var out: [(String, String)] = []
        if let account { out.append(("account", account)) }
        if let subject { out.append(("subject", subject)) }
        out += headers.map { ("header:\($0.of)", $0.text) }
        out += body.map { ("body:\($0.of)", $0.text) }
        if let text { out.append(("message", text)) }
        out += message.map { ("message:\($0.of)", $0.text) }
        return out
    }
}

extension Fault.Trigger {
    fileprivate var parameters: [(name: String, value: String)] {
        var out: [(String, String)] = []
        if let times { out.append(("times", String(times))) }
        if skip > 0 { out.append(("skip", String(skip))) }
        if every > 1 { out.append(("every", String(every))) }
        if let probability { out.append(("probability", String(probability))) }
        if per != .sandbox { out.append(("per", per.rawValue)) }
        if let ttl { out.append(("ttl", ttl.shortText)) }
        if let between { out.append(("between", "\(between.from.text)..\(between.to.text)")) }
        return out
    }
}

extension Fault.Window.Moment {
    fileprivate var text: String {
        switch self {
        case .afterArming(let duration): duration.shortText
        case .at(let time): time.description
        }
    }
}
