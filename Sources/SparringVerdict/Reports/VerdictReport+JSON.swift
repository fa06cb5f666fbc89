public import SparringJSON

extension VerdictReport {
    /// The report for programs. Times are in seconds of the run, to the millisecond; what is not known is left out.
    public var json: JSON {
        .members([
            "sandbox": .string(sandbox),
            "seed": .integer(seed),
            "scenario": scenario.map { .string($0) },
            "timing": [
                "basis": .string(timing.basis.rawValue),
                "scale": .number(timing.scale),
                "jitterFloor": .seconds(timing.floor),
            ],
            "result": .string(result.rawValue),
            "counts": [
                "pass": .count(count(.pass)),
                "fail": .count(count(.fail)),
                "advice": .count(count(.advice)),
                "undecided": .count(count(.undecided)),
                "notExercised": .count(count(.notExercised)),
                "cannotJudge": .count(count(.cannotJudge)),
            ],
            "entries": .count(entries),
            "pruned": .count(pruned),
            "watched": .seconds(watched),
            "verdicts": .array(verdicts.map(\.json)),
            "client": ["platforms": .array(platforms.map { .string($0) }), "flows": .array(flows.map { .string($0) })],
            "contract": contract.json,
            "caveats": caveats.isEmpty ? nil : .array(caveats.map { .string($0) }),
        ])
    }
}

extension Verdict {
    fileprivate var json: JSON {
        .members([
            "rule": .string(rule.name),
            "vendor": .string(rule.vendor),
            "kind": .string(rule.kind),
            "result": .string(result.rawValue),
            "expected": .bool(isExpected),
            "because": because.map { .string($0) },
            "summary": .string(summary),
            "says": .string(rule.says),
            "source": .string(rule.source),
            "fidelity": .string(rule.fidelity),
            "platforms": .array(rule.platforms.map { .string($0) }),
            "evidence": .array(evidence.map(\.json)),
            "chains": .array(chains.map(\.json)),
        ])
    }
}

extension ContractFindings {
    fileprivate var json: JSON {
        [
            "gate": .string(gate.rawValue),
            "counts": .members(
                ["fail": .count(count(.fail)), "warn": .count(count(.warn)), "notEmulated": .count(count(.notEmulated))]),
            "findings": .array(
                items.map { item in
                    .members([
                        "weight": .string(item.weight.rawValue), "entry": item.evidence.entry.map { .count($0) },
                        "words": .string(item.evidence.words),
                    ])
                }),
        ]
    }
}

extension Verdict.Evidence {
    fileprivate var json: JSON { .members(["entry": entry.map { .count($0) }, "words": .string(words)]) }
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
    fileprivate static func count(_ value: Int) -> JSON { .integer(Int64(value)) }
}
