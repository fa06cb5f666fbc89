public import SparringJSON
import SparringJournal

extension VerdictReport {
    /// The report for programs. Times are in seconds of the run, to the millisecond; what is not known is left out.
    public var json: JSON { members(isWhole: false) }

    /// The same with all that a page draws: ``init(json:at:)`` reads it back.
    package var wholeJSON: JSON { members(isWhole: true) }

    private func members(isWhole: Bool) -> JSON {
        .members([
            "sandbox": .string(sandbox),
            "seed": .integer(seed),
            "label": label.map { .string($0) },
            "node": node.map { .string($0) },
            "scenario": scenario.map { .string($0) },
            "timing": .members([
                "basis": .string(timing.basis.rawValue),
                "scale": .number(timing.scale),
                "jitterFloor": .seconds(timing.floor),
                "clockRate": [0, 1].contains(timing.rate) ? nil : .number(timing.rate),
            ]),
            "result": .string(result.rawValue),
            "ownFailures": ownFailures.json,
            "counts": .object(Verdict.Result.allCases.reduce(into: [:]) { $0["\($1)"] = .count(count($1)) }),
            "entries": .count(entries),
            "calls": .count(calls),
            "pruned": .count(pruned),
            "watched": .seconds(watched),
            "verdicts": .array(verdicts.map { $0.json(isWhole: isWhole) }),
            "client": ["platforms": .array(platforms.map { .string($0) }), "flows": .array(flows.map { .string($0) })],
            "contract": contract.json,
            "coverage": coverage?.json,
            "resent": resent.isEmpty ? nil : .array(resent.map { .string($0) }),
            "caveats": caveats.isEmpty ? nil : .array(caveats.map { .string($0) }),
            "timeline": isWhole ? .array(timeline.map(\.json)) : nil,
            "timelineCut": isWhole && isTimelineCut ? true : nil,
            "exchanges": isWhole ? .array(exchanges.map(\.json)) : nil,
            "sources": isWhole ? .array(sources.map(\.json)) : nil,
            "unobservable": isWhole ? .array(unobservable.map(\.json)) : nil,
        ])
    }
}

extension TimelineItem {
    fileprivate var json: JSON {
        .members([
            "entry": .count(entry), "kind": .string(kind.rawValue), "lane": lane.isEmpty ? nil : .string(lane), "what": .string(what),
            "outcome": outcome.map { .string($0) }, "faults": faults.isEmpty ? nil : .array(faults.map { .count($0) }),
            "socket": socket.map { .count($0) }, "begin": .seconds(begin), "end": end == begin ? nil : .seconds(end),
        ])
    }
}

extension Source {
    fileprivate var json: JSON { .members(["source": .string(name), "says": .string(says), "url": url.map { .string($0) }]) }
}

extension Unobservable {
    fileprivate var json: JSON {
        ["vendor": .string(vendor), "says": .string(says), "source": .string(source), "because": .string(because)]
    }
}

extension Verdict {
    fileprivate func json(isWhole: Bool) -> JSON {
        .members([
            "rule": .string(rule.name),
            "name": isWhole && name != rule.name ? .string(name) : nil,
            "vendor": .string(rule.vendor),
            "kind": .string(rule.kind),
            "result": .string(result.rawValue),
            "expected": .bool(isExpected),
            "named": isNamed ? true : nil,
            "known": isKnown ? true : nil,
            "because": because.map { .string($0) },
            "summary": .string(summary),
            "says": .string(rule.says),
            "source": .string(rule.source),
            "fidelity": .string(rule.fidelity),
            "platforms": .array(rule.platforms.map { .string($0) }),
            "file": isWhole ? rule.file.map { .string($0) } : nil,
            "line": isWhole ? rule.line.map { .count($0) } : nil,
            "evidence": .array(evidence.map(\.json)),
            "chains": .array(chains.map(\.json)),
        ])
    }
}

extension ContractFindings {
    fileprivate var json: JSON {
        .members([
            "gate": .string(gate.rawValue),
            "counts": .object(Weight.allCases.reduce(into: [:]) { $0["\($1)"] = .count(count($1)) }),
            "findings": .array(rows.map(\.json)),
            "resolved": resolved.isEmpty ? nil : .array(resolved.map(\.json)),
        ])
    }
}

extension ContractFinding {
    var json: JSON {
        .members([
            "weight": .string(weight.rawValue), "fingerprint": .string(fingerprint), "code": .string(code),
            "operation": operation.isEmpty ? nil : .string(operation), "place": place.map { .string($0) }, "words": .string(words),
            "count": .count(count), "lanes": .array(lanes.map { .string($0) }), "entry": first.map { .count($0) },
            "last": last.map { .count($0) }, "contract": basis?.json, "overlay": actions.isEmpty ? nil : .array(actions),
            "stub": stub.map { .string($0) },
        ])
    }
}

extension Verdict.Evidence {
    var json: JSON {
        .members(["entry": entry.map { .count($0) }, "words": .string(words), "against": isAgainst ? true : nil])
    }
}

extension RetryChain {
    fileprivate var json: JSON {
        .members([
            "lane": .string(lane),
            "what": .string(what),
            "watched": watched.map { .seconds($0) },
            "attempts": .array(attempts.map(\.json)),
        ])
    }
}

extension RetryChain.Attempt {
    fileprivate var json: JSON {
        .members([
            "number": .count(number),
            "entries": .array(entries.map { .count($0) }),
            "seen": .seconds(seen),
            "waited": waited.map { .seconds($0) },
            "due": due.map { .seconds($0) },
            "earliest": earliest.map { .seconds($0) },
            "latest": latest.map { .seconds($0) },
            "offBy": offBy.map { .seconds($0) },
            "outcome": .string(outcome),
            "judged": .string(judged.rawValue),
        ])
    }
}

extension JSON {
    fileprivate static func seconds(_ value: Double) -> JSON { .number((value * 1000).rounded() / 1000) }
    static func count(_ value: Int) -> JSON { .integer(Int64(value)) }
}
