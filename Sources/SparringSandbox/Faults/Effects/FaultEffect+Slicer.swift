import SparringJSON

extension FaultEffect {
    static let slicer = FaultEffect(
        "slicer", "the body in slices, with a gap of wall time after each", at: [.call: [.onResponseBody]],
        [
            .init("size", .number(1...1 << 20), "Bytes of a slice of `slicer`.", example: "16", isRequired: true),
            .init("gap", .duration(), "Wall time after each slice of `slicer`.", example: "50ms", isRequired: true),
        ]
    ) { given in
        let (size, gap): (Int, Duration) = (given["size"] ?? 1, given["gap"] ?? .zero)
        return { _, all in
            all.pace = all.pace ?? (.slices(size: size, gap: gap), "in slices of \(size) bytes every \(gap.words)")
        }
    }
}
