import HTTPTypes
import SparringJSON

/// Calls as browsers write them into an HTTP Archive.
enum Traffic {
    static func call(
        _ method: HTTPRequest.Method, _ url: String, _ status: Int, _ body: some Sequence<UInt8>, type: String = "application/json",
        sent: String? = nil
    ) -> JSON {
        let text = String(decoding: Array(body), as: UTF8.self)
        return [
            "startedDateTime": "2026-11-29T10:00:00.000Z", "time": 12,
            "request": .members([
                "method": .string(method.rawValue), "url": .string(url), "httpVersion": "HTTP/1.1", "headers": [], "queryString": [],
                "cookies": [], "headersSize": -1, "bodySize": -1,
                "postData": sent.map { ["mimeType": "application/json", "text": .string($0)] },
            ]),
            "response": [
                "status": .integer(Int64(status)), "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "redirectURL": "",
                "headersSize": -1, "bodySize": -1, "headers": [["name": "Content-Type", "value": .string(type)]],
                "content": ["size": -1, "mimeType": .string(type), "text": .string(text)],
            ],
        ]
    }
}
