public import SparringJSON

extension VerdictReport {
    public var json: JSON {
        .members([
            "sandbox": .string(sandbox), "seed": .integer(seed), "scenario": scenario.map { .string($0) },
            "timing": ["basis": .string(timing.basis.rawValue), "scale": .number(timing.scale), "jitterFloor": .number(timing.floor)],
            "result": .string(result.rawValue),
            "counts": .object(JSON.Object(uniqueKeysWithValues: Verdict.Result.allCases.map { ($0.rawValue, .integer(Int64(count($0)))) })),
            "entries": .integer(Int64(entries)), "pruned": .integer(Int64(pruned)), "watched": .number(watched),
            "verdicts": .array(
                verdicts.map { verdict in
                    .members([
                        "rule": .string(verdict.rule.name), "vendor": .string(verdict.rule.vendor), "kind": .string(verdict.rule.kind),
                        "result": .string(verdict.result.rawValue), "expected": .bool(verdict.isExpected),
                        "because": verdict.because.map { .string($0) }, "summary": .string(verdict.summary),
                        "evidence": .array(
                            verdict.evidence.map { .members(["entry": $0.entry.map { .integer(Int64($0)) }, "words": .string($0.words)]) }),
                    ])
                }),
        ])
    }
}
