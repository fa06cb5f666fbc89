extension FaultEffect {
    static let randomData = FaultEffect(
        "RANDOM_DATA_THEN_CLOSE", "bytes that are not HTTP, then closes", at: [.call: .beforeBytes, .upgrade: .ofUpgrade],
        [
            .init("bytes", .number(1...65_536), "Bytes of `RANDOM_DATA_THEN_CLOSE`, 64 by default.", example: "64", fallback: "64")
        ]
    ) { given in
        let count = given["bytes"] ?? 64
        return { strike, all in
            // Drawn, so that a client sees the same ones again.
            var bytes: [UInt8] = []
            while bytes.count < count { bytes += strike.draw("bytes \(bytes.count)").bytes }
            all.cut(strike, .raw(Array(bytes.prefix(count))), words: "random data, then closed")
        }
    }
}
