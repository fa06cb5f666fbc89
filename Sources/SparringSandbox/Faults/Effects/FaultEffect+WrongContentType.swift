import HTTPTypes

extension FaultEffect {
    static let wrongContentType = FaultEffect(
        "wrong-content-type", "the same bytes under another content type", at: [.call: [.onResponseStart]],
        [
            .init("type", .text, "Media type of `wrong-content-type`.", example: "text/html", fallback: "text/html")
        ]
    ) { given in
        let type = given["type"] ?? "text/html"
        return { _, all in
            all.alterations.append(("called \(type)", { headers, _ in headers[.contentType] = type }))
        }
    }
}
