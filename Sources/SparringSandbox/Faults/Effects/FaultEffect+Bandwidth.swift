extension FaultEffect {
    static let bandwidth = FaultEffect(
        "bandwidth", "the body at this many bytes per second of wall time", at: [.call: [.onResponseBody]],
        [
            .init("rate", .number(1...1 << 40), "Bytes per second of `bandwidth`, on the wall clock.", example: "1024", isRequired: true)
        ]
    ) { given in
        let rate = given["rate"] ?? 1
        return { _, all in all.pace = all.pace ?? (.bandwidth(bytesPerSecond: rate), "at \(rate) bytes a second") }
    }
}
