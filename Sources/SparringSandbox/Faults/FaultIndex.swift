import SparringLocks

/// The faults that can strike one kind of call or message, so that a call looks only at those. In a large set, most faults are for one subject each.
struct FaultIndex: Sendable {
    private struct Part {
        /// For any subject.
        var general: [Int] = []
        /// For that subject alone.
        var bySubject: [String: [Int]] = [:]

        func positions(subject: String) -> [Int] {
            guard let own = bySubject[subject] else { return general }
            return general.isEmpty ? own : (general + own).sorted()
        }
    }

    private var early = Part()
    private var others = Part()

    /// - Parameters:
    ///   - faults: in the order of their numbers.
    ///   - points: those of the call or message: a socket's message has two, that of its operation and that of its socket.
    init(_ faults: [Fault], at points: [FaultPoint]) {
        for (position, fault) in faults.enumerated() where points.contains(where: fault.fits) {
            if fault.phase.isEarly { Self.file(position, fault, &early) } else { Self.file(position, fault, &others) }
        }
    }

    private static func file(_ position: Int, _ fault: Fault, _ part: inout Part) {
        if let subject = fault.match.subject, !subject.contains("*") {
            part.bySubject[subject, default: []].append(position)
        } else {
            part.general.append(position)
        }
    }

    /// In the order of the faults' numbers.
    func positions(isEarly: Bool, subject: String) -> [Int] { (isEarly ? early : others).positions(subject: subject) }
}

/// Whether any sandbox has ever had a fault that strikes before a request is whole; until then nobody looks for one.
package final class EarlyFaults: Sendable {
    private let flag = Atomic(false)
    package var doExist: Bool { flag.load(ordering: .acquiring) }
    func exist() { flag.store(true, ordering: .releasing) }
}
