extension FaultEffect {
    static let malformedJSON = FaultEffect(
        "malformed-json", "half of the body, with a length that fits", at: [.call: [.onResponseStart]]
    ) { _, all in
        all.alterations.append(("half of the JSON", { _, body in body = Array(body.prefix(body.count / 2)) }))
    }
}
