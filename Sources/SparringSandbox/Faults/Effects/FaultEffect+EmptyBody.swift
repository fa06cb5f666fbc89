extension FaultEffect {
    static let emptyBody = FaultEffect("empty-body", "status and headers, and no body", at: [.call: [.onResponseStart]]) { _, all in
        all.alterations.append(("without its body", { _, body in body = [] }))
    }
}
