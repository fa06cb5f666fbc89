extension RetryChain {
    static let givenUp = "the client gave up"

    var complaints: [Verdict.Evidence] {
        var complaints: [Verdict.Evidence] = []
        var hasSurplus = false
        for (index, attempt) in attempts.enumerated() {
            let number = attempt.number
            let of = "attempt \(number) of \(what)" + (lane == what ? "" : " (\(lane))")
            let before = "attempt \(number - 1)"
            let previous = index > 0 ? attempts[index - 1].entries.last : nil
            let waited = (attempt.waited ?? 0).seconds
            switch attempt.judged {
            case .early, .late:
                complaints.append(.init(attempt.entries.first, "\(of) came \(waited) after \(before); due after \(attempt.dueWords)"))
            case .surplus:
                if !hasSurplus {
                    complaints.append(
                        .init(attempt.entries.first, "\(of) came \(waited) after \(before), when no more attempts are allowed"))
                }
                hasSurplus = true
            case .missing where attempt.outcome == Self.givenUp:
                complaints.append(.init(previous, "\(of) was due \(attempt.dueWords) after \(before), and the client gave up instead"))
            case .missing:
                complaints.append(
                    .absence(
                        previous,
                        "\(of) was due \(attempt.dueWords) after \(before) and did not come within \((watched ?? attempt.unmet).seconds)"))
            case .first, .good, .open: break
            }
        }
        return complaints
    }
}

extension RetryChain.Attempt {
    /// How long it was waited for at least.
    fileprivate var unmet: Double { latest ?? due ?? 0 }
}
